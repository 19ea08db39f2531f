import { orderFlags } from '../../change/deploy/deploy-options.ts';
import { fieldRulesOfFlag } from '../../change/deploy/field-rule-flag.ts';
import type { LockOptions } from '../../change/lock-options.ts';
import { type FlagRows, requireNotNegative } from '../../change/option-rows.ts';
import type { ReleaseStatus } from '../../release/types.ts';

/* The options of what reads releases and changes nothing, each with its flags. */

export interface ListOptions {
  /** Of all namespaces instead of one. Default false. */
  readonly allNamespaces?: boolean | undefined;
  /** Only these. Default: every status. */
  readonly statuses?: readonly ReleaseStatus[] | undefined;
  /** Whether a name is wanted; the command makes it from its regular expression. */
  readonly matches?: ((name: string) => boolean) | undefined;
  /** Only releases with these labels: `team=shop,env!=dev`. */
  readonly labelSelector?: string | undefined;
  /** Sorts by the time of the last deploy. Default false: by name. */
  readonly byDate?: boolean | undefined;
  /** Turns the order round. Default false. */
  readonly reverse?: boolean | undefined;
  /** How many at most. Default 0: all. */
  readonly limit?: number | undefined;
  /** How many to skip. Default 0. */
  readonly offset?: number | undefined;
}

export const listFlags = {
  'all-namespaces': {
    type: 'bool',
    option: 'allNamespaces',
    short: 'A',
    description: 'list releases across all namespaces',
  },
  date: { type: 'bool', option: 'byDate', short: 'd', description: 'sort by release date' },
  max: { type: 'int', option: 'limit', short: 'm', default: 256, description: 'maximum number of releases to fetch' },
  offset: {
    type: 'int',
    option: 'offset',
    default: 0,
    description: 'next release index in the list, used to offset from start value',
  },
  reverse: { type: 'bool', option: 'reverse', short: 'r', description: 'reverse the sort order' },
  selector: {
    type: 'string',
    option: 'labelSelector',
    short: 'l',
    description:
      "Selector (label query) to filter on, supports '=', '==', and '!='.(e.g. -l key1=value1,key2=value2). Works only for secret(default) and configmap storage backends.",
  },
} satisfies FlagRows<ListOptions>;

export interface HistoryOptions {
  readonly name: string;
  /** Only this many of the newest. Default: all. */
  readonly max?: number | undefined;
}

export const historyFlags = {
  max: {
    type: 'int',
    option: 'max',
    default: 256,
    description: 'maximum number of revision to include in history',
  },
} satisfies FlagRows<HistoryOptions>;

export interface GetOptions {
  readonly name: string;
  /** Default: the newest. */
  readonly revision?: number | undefined;
}

export const getFlags = {
  revision: { type: 'int', option: 'revision', description: 'get the named release with revision' },
} satisfies FlagRows<GetOptions>;

export interface GetValuesOptions extends GetOptions {
  /** The chart's values too. */
  readonly all?: boolean | undefined;
}

export const getValuesFlags = {
  all: { type: 'bool', option: 'all', short: 'a', description: 'dump all (computed) values' },
} satisfies FlagRows<GetValuesOptions>;

export interface StatusOptions extends GetOptions {
  /** False leaves the cluster's objects out. */
  readonly showResources?: boolean | undefined;
}

export const statusFlags = {
  revision: {
    type: 'int',
    option: 'revision',
    description: 'if set, display the status of the named release with revision',
  },
  'show-resources': {
    type: 'bool',
    option: 'showResources',
    default: true,
    description: 'show the resources of the release (default true, as in Helm 4; Helm 3 needs the flag)',
  },
} satisfies FlagRows<StatusOptions>;

export interface DiffOptions {
  /** Shows what is secret. Default false. */
  readonly showSecrets?: boolean | undefined;
}

export const showSecretsFlag = {
  'show-secrets': {
    type: 'bool',
    option: 'showSecrets',
    description: 'show the values in Secrets; without it, only whether they change',
  },
} satisfies FlagRows<DiffOptions>;

export interface DriftOptions {
  readonly name: string;
  /** What the cluster is compared with. Default: the deployed revision, or the newest where none is. */
  readonly revision?: number | undefined;
  /** Requests at a time. Default 16. */
  readonly concurrency?: number | undefined;
  /** Shows what Secrets hold. Default false. */
  readonly showSecrets?: boolean | undefined;
  /**
   * Fields whose changes are expected, as rules (`Deployment/web:spec.replicas`); what rules of other kinds say of a field
   * counts too. Those that the release remembers come before them.
   */
  readonly ignore?: readonly string[] | undefined;
}

export interface FixOptions extends DriftOptions, Pick<LockOptions, 'staleAfterMs' | 'waitLockMs'> {
  /** `plan`: decides what would be sent, and sends nothing. Default `none`. */
  readonly dryRun?: 'none' | 'plan' | undefined;
}

export const ignoreFlag = {
  ignore: {
    type: 'stringArray',
    option: 'ignore',
    placeholder: 'RULE',
    as: fieldRulesOfFlag('--ignore', 'ignore'),
    description:
      'fields whose changes are expected (repeatable): KIND/NAME:PATH[@MANAGER], for example Deployment/web:spec.replicas; @FILE reads rules from a file',
  },
} satisfies FlagRows<DriftOptions>;

export const driftFlags = {
  concurrency: orderFlags.concurrency,
  ...ignoreFlag,
  revision: {
    type: 'int',
    option: 'revision',
    description: 'the revision to compare with (default: the deployed one)',
  },
  'show-secrets': {
    ...showSecretsFlag['show-secrets'],
    description: 'show the values in Secrets; without it, only that they differ',
  },
} satisfies FlagRows<DriftOptions>;

export interface LogsOptions {
  readonly name: string;
  /** Goes on with what is written from now on. Default false. */
  readonly follow?: boolean | undefined;
  /** So many of the last lines of each container; below 0, all. Default 100. */
  readonly tail?: number | undefined;
  /** Only lines that are not older. Default: all. */
  readonly sinceMs?: number | undefined;
  /** Only containers of that name. Default: all. */
  readonly container?: string | undefined;
  /** What containers wrote before their last restart. Default false. */
  readonly previous?: boolean | undefined;
  /** Only pods that match a label selector, or pods of objects such as `Deployment/web`. Default: all. */
  readonly selector?: string | undefined;
}

export const logsFlags = {
  container: { type: 'string', option: 'container', short: 'c', description: 'only show containers of this name' },
  follow: {
    type: 'bool',
    option: 'follow',
    short: 'f',
    description: 'keep showing new lines, also of pods that start later, until interrupted',
  },
  previous: {
    type: 'bool',
    option: 'previous',
    short: 'p',
    description: 'show what containers wrote before their last restart',
  },
  selector: {
    type: 'string',
    option: 'selector',
    short: 'l',
    placeholder: 'SELECTOR',
    description: 'only show pods that match a label selector (app=web), or pods of objects (Deployment/web,Job/seed)',
  },
  since: {
    type: 'duration',
    option: 'sinceMs',
    as: requireNotNegative('--since'),
    description: 'only show lines that are not older than this, for example 5m',
  },
  tail: {
    type: 'int',
    option: 'tail',
    default: 100,
    description: 'number of last lines of each container to show; -1 shows all',
  },
} satisfies FlagRows<LogsOptions>;
