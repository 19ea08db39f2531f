import { defaultTimeoutMs, type ExecutionContext } from '../../execute/context.ts';
import { slogLine } from '../../go/slog.ts';
import { plainWait } from '../../plan/choice.ts';
import type { WaitMode, WaitStrategy } from '../../plan/types.ts';
import { TshelmError, unreachable } from '../../support/errors.ts';
import { nearest } from '../../support/near.ts';
import type { Context } from '../context.ts';
import type { ClusterKnowledge, LastPhase } from '../last-phase.ts';
import { type LockOptions, timeoutFlag } from '../lock-options.ts';
import { type FlagRows, requireNotNegative } from '../option-rows.ts';
import { fieldRulesOfFlag } from './field-rule-flag.ts';
import { type LogChoice, logSelectionOf } from './logs-option.ts';
import { type ReplaceOptions, replaceFlags, replaceRulesOf } from './replace-options.ts';

/** `plan`: what would be done is decided as for real, and nothing of it is checked: diff tells that object by object. */
export type DryRun = 'none' | 'client' | 'server' | 'plan';

/**
 * What happens to the CRDs of `crds/`: nothing; those that are missing are created, as Helm does at installs; those that
 * differ are updated too.
 */
export type CrdMode = 'skip' | 'create' | 'upgrade';

/** Whether objects are tried before anything is sent: in ordered runs, in all of them, or in none. */
export type Preflight = 'auto' | 'always' | 'never';

/** What install, upgrade and rollback have in common. */
export interface DeployOptions extends LockOptions, ReplaceOptions {
  /**
   * What is waited for: hooks alone (`hookOnly`), everything at the end (`watcher`, or as Helm 3 does it, `legacy`), or
   * batch after batch in the chart's order (`ordered`). Default `hookOnly`; with `rollbackOnFailure`, `watcher`.
   */
  readonly wait?: WaitMode | undefined;
  /** With `watcher` and `legacy`: waits for Jobs too. Default false. */
  readonly waitForJobs?: boolean | undefined;
  /** Limits each wait and each hook. Default 5 minutes; 0 is 30 seconds, as in Helm. */
  readonly timeoutMs?: number | undefined;
  /** With `ordered`: limits each batch, where that is less than `timeoutMs`. */
  readonly readinessTimeoutMs?: number | undefined;
  /** With `ordered`: each unit or group starts as soon as those it waits for are ready. Default false. */
  readonly eager?: boolean | undefined;
  /**
   * Changes nothing: `client` asks no cluster, `server` asks it whether it would take each kind, `plan` decides
   * everything and checks nothing. Default `none`.
   */
  readonly dryRun?: DryRun | undefined;
  /** Runs no hooks. Default false. */
  readonly noHooks?: boolean | undefined;
  /** The description that the record gets. */
  readonly description?: string | undefined;
  /** Takes over fields that other field managers own. Default false. */
  readonly forceConflicts?: boolean | undefined;
  /**
   * Rules for fields that others manage too: `Deployment/web:spec.replicas=leave`. The last one for a field decides; what
   * is left or ignored is remembered until other rules, or none (`[]`), are given. Default: those that are remembered.
   */
  readonly takeFields?: readonly string[] | undefined;
  /** Replaces objects instead of patching them; needs client-side apply. Default false. */
  readonly forceReplace?: boolean | undefined;
  /** Refuses a plan with hazards, which are warnings otherwise. Default false. */
  readonly strictPlan?: boolean | undefined;
  /** Whether objects are tried as dry runs before anything is sent. Default `auto`: in runs that are ordered, or that may replace objects. */
  readonly preflight?: Preflight | undefined;
  /** Requests at a time. Default 16. */
  readonly concurrency?: number | undefined;
  /**
   * Reports what the pods of this revision write while they are waited for, line by line (events `log-line`): `true`, all
   * pods; those that match a label selector; or those of objects such as `Deployment/web`. Default false.
   */
  readonly logs?: LogChoice | undefined;
  /** Waits that cannot succeed end before their time. Default true. */
  readonly failFast?: boolean | undefined;
  /** How long what is likely dead may go on without progress. Default 30 seconds. */
  readonly graceMs?: number | undefined;
  /** With `watcher` and `ordered`: how long a custom resource may have no status before it counts as ready. Default 30 seconds; in a sandbox or a rehearsal 0, because no controller reports there. */
  readonly statusGraceMs?: number | undefined;
}

/** Options that bring a new chart. */
export interface ChartOptions extends DeployOptions {
  /** Creates the namespace of the release if it does not exist; in an upgrade only with `install`. Default false. */
  readonly createNamespace?: boolean | undefined;
  /** Labels of the record; an upgrade adds them to those that are there. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** What happens to the CRDs of `crds/`. Default: an install creates those that are missing, an upgrade changes none, as in Helm. */
  readonly crds?: CrdMode | undefined;
  /** The same as `crds: 'skip'`. Default false. */
  readonly skipCrds?: boolean | undefined;
  /**
   * Deploys charts as they are whose order between subcharts Helm evidently dropped, with no warning, and with no error
   * where subcharts would start in reverse. Default false.
   */
  readonly allowLostOrder?: boolean | undefined;
  /** Leaves files that no template can read out of the record. Default false. */
  readonly trimRecord?: boolean | undefined;
  /** Adopts objects that belong to another release or to none. Default false. */
  readonly takeOwnership?: boolean | undefined;
  /**
   * A failed install is uninstalled, a failed upgrade is rolled back to the last revision that was deployed. Default
   * false.
   */
  readonly rollbackOnFailure?: boolean | undefined;
  /** The notes of subcharts are notes of the release too. Default false. */
  readonly renderSubchartNotes?: boolean | undefined;
  /** Leaves Secrets out of what a dry run shows; only with one. Default false. */
  readonly hideSecret?: boolean | undefined;
  /** Does not check values against values.schema.json. Default false. */
  readonly skipSchemaValidation?: boolean | undefined;
  /** The API server does not refuse unknown fields. Default false. */
  readonly disableOpenapiValidation?: boolean | undefined;
  /** Allows `getHostByName` to use the network. Default false. */
  readonly enableDns?: boolean | undefined;
  /** Renders without `lookup`: it finds nothing, as in a dry run of the client. */
  readonly noLookup?: boolean | undefined;
}

const waitModes = ['hookOnly', 'watcher', 'legacy', 'ordered', 'auto'] as const;

/** `--wait` alone is the watcher; true and false are Helm 3's way. */
export const waitFlag = {
  wait: {
    type: 'choice',
    option: 'wait',
    placeholder: 'WaitStrategy[=watcher]',
    alone: 'watcher',
    choices: waitModes,
    parse: waitMode,
    warning: deprecatedWait,
    description:
      "wait until resources are ready (up to --timeout). Use '--wait' alone for 'watcher' strategy, or specify one of: 'watcher', 'hookOnly', 'legacy', 'ordered' (batch by batch, as the chart declares), 'auto' (each object as soon as those it needs are ready). Default when flag is omitted: 'hookOnly', or 'ordered' if the release was deployed with it.",
  },
} satisfies FlagRows<Pick<DeployOptions, 'wait'>>;

/** The options of an ordered run. */
export const orderFlags = {
  concurrency: {
    type: 'int',
    option: 'concurrency',
    default: 16,
    as: checkConcurrency,
    description: 'maximum number of concurrent requests to the cluster',
  },
  eager: {
    type: 'bool',
    option: 'eager',
    description:
      'with --wait=ordered, start each subchart or resource group as soon as those it depends on are ready, instead of batch by batch',
  },
  'readiness-timeout': {
    type: 'duration',
    option: 'readinessTimeoutMs',
    as: requireNotNegative('--readiness-timeout'),
    description:
      'with --wait=ordered, time to wait for each batch to become ready; at most --timeout (default: --timeout)',
  },
} satisfies FlagRows<Pick<DeployOptions, 'concurrency' | 'eager' | 'readinessTimeoutMs'>>;

export const preflightFlag = {
  preflight: {
    type: 'choice',
    option: 'preflight',
    placeholder: 'auto|always|never',
    choices: ['auto', 'always', 'never'],
    description:
      'check objects with server-side dry runs before changing anything: for plans that are ordered or may replace objects (auto, the default), for every plan (always), or not at all (never)',
  },
} satisfies FlagRows<Pick<DeployOptions, 'preflight'>>;

export const strictPlanFlag = {
  'strict-plan': {
    type: 'bool',
    option: 'strictPlan',
    description:
      'fail if the plan has hazards (objects applied after the objects that need them, unknown groups …) instead of warning',
  },
} satisfies FlagRows<Pick<DeployOptions, 'strictPlan'>>;

export const takeFieldsFlag = {
  'take-fields': {
    type: 'stringArray',
    option: 'takeFields',
    as: fieldRulesOfFlag('--take-fields'),
    placeholder: 'RULE',
    description:
      'whether to take a field that another manager also sets, to leave it, or to fail (can be repeated): KIND/NAME:PATH[@MANAGER][=take|leave|fail], for example Deployment/web:spec.replicas=leave; @FILE reads rules from a file; later runs remember what to leave, and "none" forgets it',
  },
} satisfies FlagRows<Pick<DeployOptions, 'takeFields'>>;

/** How failures are noticed; for the commands that wait for something. */
export const failureFlags = {
  grace: {
    type: 'duration',
    option: 'graceMs',
    default: 30_000,
    description:
      'how long pods that crash, cannot pull their image or miss their deadline may go without progress before the wait fails (default 30s)',
  },
  'no-fail-fast': {
    type: 'bool',
    option: 'failFast',
    as: (waitsToTheEnd) => !waitsToTheEnd,
    description: 'wait until --timeout even for objects that cannot become ready',
  },
} satisfies FlagRows<Pick<DeployOptions, 'graceMs' | 'failFast'>>;

/** The flags that install, upgrade and template have in common. */
export const chartFlags = {
  'create-namespace': {
    type: 'bool',
    option: 'createNamespace',
    description: 'create the release namespace if not present',
  },
  description: { type: 'string', option: 'description', description: 'add a custom description' },
  'disable-openapi-validation': {
    type: 'bool',
    option: 'disableOpenapiValidation',
    description:
      'if set, the installation process will not validate rendered templates against the Kubernetes OpenAPI Schema',
  },
  'enable-dns': { type: 'bool', option: 'enableDns', description: 'enable DNS lookups when rendering templates' },
  force: {
    type: 'bool',
    option: 'forceReplace',
    deprecated: 'use --force-replace instead',
    description: 'force resource updates by replacement',
  },
  'force-conflicts': {
    type: 'bool',
    option: 'forceConflicts',
    description: 'if set server-side apply will force changes against conflicts',
  },
  'force-replace': { type: 'bool', option: 'forceReplace', description: 'force resource updates by replacement' },
  labels: {
    type: 'stringToString',
    option: 'labels',
    as: (labels) => Object.fromEntries(labels),
    short: 'l',
    description: 'Labels that would be added to release metadata. Should be divided by comma.',
  },
  ...orderFlags,
  'replace-immutable': replaceFlags['replace-immutable'],
  'no-hooks': { type: 'bool', option: 'noHooks', description: 'prevent hooks from running' },
  'no-lookup': {
    type: 'bool',
    option: 'noLookup',
    description: 'render without reading the cluster: lookup finds nothing',
  },
  'render-subchart-notes': {
    type: 'bool',
    option: 'renderSubchartNotes',
    description: 'if set, render subchart notes along with the parent',
  },
  'rollback-on-failure': {
    type: 'bool',
    option: 'rollbackOnFailure',
    description:
      'if set, a failed installation is uninstalled and a failed upgrade rolled back. The --wait flag will be default to "watcher" if --rollback-on-failure is set',
  },
  atomic: {
    type: 'bool',
    option: 'rollbackOnFailure',
    deprecated: 'use --rollback-on-failure instead',
    description: 'roll back on failure',
  },
  'skip-crds': {
    type: 'bool',
    option: 'skipCrds',
    description: 'if set, no CRDs will be installed. By default, CRDs are installed if not already present',
  },
  'skip-schema-validation': {
    type: 'bool',
    option: 'skipSchemaValidation',
    description: 'if set, disables JSON schema validation',
  },
  'allow-lost-order': {
    type: 'bool',
    option: 'allowLostOrder',
    description:
      'with --wait=ordered, deploy a chart without warning or error even if Helm seems to have dropped the order of its subcharts when packaging it',
  },
  ...preflightFlag,
  'status-grace': {
    type: 'duration',
    option: 'statusGraceMs',
    as: requireNotNegative('--status-grace'),
    description:
      'how long to wait for a controller to report on a custom resource before it counts as ready without a status (default 30s)',
  },
  ...strictPlanFlag,
  ...takeFieldsFlag,
  'take-ownership': {
    type: 'bool',
    option: 'takeOwnership',
    description: 'if set, ignore the check for helm annotations and take ownership of the existing resources',
  },
  ...timeoutFlag,
  ...waitFlag,
  'wait-for-jobs': {
    type: 'bool',
    option: 'waitForJobs',
    description:
      'if set and --wait enabled, will wait until all Jobs have been completed before marking the release as successful. It will wait for as long as --timeout',
  },
} satisfies FlagRows<ChartOptions>;

/** Those of them that install and upgrade have alone. */
export const recordFlags = {
  crds: {
    type: 'choice',
    option: 'crds',
    placeholder: 'string',
    choices: ['skip', 'create', 'upgrade'],
    description:
      'what to do with the CRDs of crds/: "skip", "create" the missing ones, or "upgrade" those that differ too, unless that would lose data (default: install creates and upgrade skips, like Helm)',
  },
  'hide-secret': {
    type: 'bool',
    option: 'hideSecret',
    description: 'hide Kubernetes Secrets when also using the --dry-run flag',
  },
  'trim-record': {
    type: 'bool',
    option: 'trimRecord',
    description: 'shrink the release record: omit chart files that no template can read',
  },
} satisfies FlagRows<ChartOptions>;

/** A failure that has to be put right afterwards needs to be noticed first: waiting is on by default then, as in Helm. */
export function strategyOf(
  options: Pick<DeployOptions, 'wait'> & { readonly rollbackOnFailure?: boolean | undefined },
): WaitStrategy {
  const { rollbackOnFailure } = options;
  const wait = plainWait(options.wait) ?? 'hookOnly';
  return wait === 'hookOnly' && rollbackOnFailure ? 'watcher' : wait;
}

/** Secrets are hidden from what is shown, never from what is deployed. Fails with `bad-options`, in Helm's words. */
export function refuseHideSecretWithoutDryRun(options: ChartOptions): void {
  if (!options.hideSecret || isDryRun(options)) return;
  throw new TshelmError('bad-options', { message: 'hiding Kubernetes secrets requires a dry-run mode' });
}

export const isDryRun = ({ dryRun = 'none' }: DeployOptions): boolean => dryRun !== 'none';

/** How far an install or upgrade goes. */
export function lastPhaseOf({ dryRun = 'none' }: DeployOptions): LastPhase {
  switch (dryRun) {
    case 'none':
      return 'finished';
    case 'server':
      return 'tried';
    case 'client':
    case 'plan':
      return 'decided';
    default:
      return unreachable(dryRun);
  }
}

export function clusterKnowledgeOf({ dryRun = 'none' }: DeployOptions): ClusterKnowledge {
  switch (dryRun) {
    case 'none':
    case 'plan':
      return 'served-and-declared';
    case 'server':
      return 'served';
    case 'client':
      return 'nothing';
    default:
      return unreachable(dryRun);
  }
}

/** The options of a deploy that say how any change is carried out. A new one that is missing here does not compile. */
const executionOptionNames = {
  concurrency: true,
  eager: true,
  failFast: true,
  graceMs: true,
  logs: true,
  readinessTimeoutMs: true,
  statusGraceMs: true,
  timeoutMs: true,
  waitForJobs: true,
} satisfies Record<Exclude<keyof DeployOptions & keyof ExecutionContext, 'forceConflicts' | 'forceReplace'>, true>;

type ExecutionOptions = Pick<DeployOptions, keyof typeof executionOptionNames>;

/** Those of a change, which hold for the one that undoes it too. */
export const executionOptions = (options: ExecutionOptions): ExecutionOptions =>
  Object.fromEntries(Object.entries(options).filter(([option]) => option in executionOptionNames));

/** The execution context that an action's options ask for. */
export async function executionContext(
  options: Omit<DeployOptions, 'dryRun'> & Pick<ChartOptions, 'disableOpenapiValidation' | 'takeOwnership'>,
  context: Context,
  isInstall = false,
): Promise<ExecutionContext> {
  return {
    cluster: await context.cluster(),
    signal: context.signal,
    onEvent: context.onEvent,
    confirm: context.lock?.confirm,
    onNamespace: context.lock?.namespaceIsThere,
    now: () => context.clock.now(),
    ...executionOptions(options),
    ...(context.isUndoing && { deletionTimeoutMs: Math.max(options.timeoutMs ?? 0, defaultTimeoutMs) }),
    followLogs: context.followLogs,
    logs: logSelectionOf(options.logs),
    userRules: context.userRules,
    // What puts a failed change back does not wait for what the change may have failed of.
    outside: context.isUndoing ? undefined : context.outside,
    beforeSend: context.beforeSend,
    takesOver: context.takesOver,
    forceConflicts: options.forceConflicts,
    forceReplace: options.forceReplace,
    replaceRules: replaceRulesOf(options, { ...context, isInstall }),
    fieldValidation: options.disableOpenapiValidation ? 'Ignore' : 'Strict',
  };
}

function deprecatedWait(text: string): string | undefined {
  const instead = { true: 'watcher', false: 'hookOnly' }[text];
  if (instead === undefined) return undefined;
  return slogLine(
    'WARN',
    `--wait=${text} is deprecated (boolean value) and can be replaced with --wait=${instead}`,
    {},
  );
}

function waitMode(text: string): WaitMode {
  const mode = waitModes.find((one) => one === text);
  if (mode !== undefined) return mode;
  if (text === 'true') return 'watcher';
  if (text === 'false') return 'hookOnly';
  const meant = nearest(text, waitModes);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new Error(
    `invalid wait input ${JSON.stringify(text)}. Valid inputs are watcher, hookOnly, legacy, ordered, and auto${hint}`,
  );
}

function checkConcurrency(count: number): number {
  if (count >= 1) return count;
  throw new TshelmError('bad-flag', { message: `--concurrency must be 1 or more, not ${count}` });
}
