import type { InstallOptions } from '../../actions/install.ts';
import type { NameOptions } from '../../actions/name-and-chart.ts';
import type { ToldCapabilities } from '../../actions/rendering/told-capabilities.ts';
import type { ChartOptions } from '../../change/deploy/deploy-options.ts';
import { TshelmError } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import type { Io } from '../terminal/io.ts';
import { boolOf, type FlagSpec } from './flag-option.ts';
import type { FlagRows, FlagsOf } from './flag-rows.ts';
import { type DryRunMode, orderFlags, preflightFlag, strictPlanFlag, timeoutFlag, waitFlag } from './flags.ts';
import type { recordFlags } from './record-flags.ts';

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
      'with --wait=ordered, deploy a chart as it is, without warning or error, if Helm evidently dropped the order of its subcharts when it packaged the chart',
  },
  ...preflightFlag,
  ...strictPlanFlag,
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
} satisfies FlagRows<ChartOptions & Pick<InstallOptions, 'createNamespace'>>;

export const postRendererFlags = {
  'post-renderer': {
    type: 'string',
    once: 'cannot specify --post-renderer flag more than once',
    description:
      'the name of a post-renderer plugin, or an executable that reads the rendered manifests on standard input and prints those to deploy',
  },
  'post-renderer-args': { type: 'stringArray', description: 'an argument to the post-renderer (can specify multiple)' },
} satisfies Record<string, FlagSpec>;

/** What install and upgrade leave out of what they show. */
export const hideSecretFlag = {
  'hide-secret': {
    type: 'bool',
    option: 'hideSecret',
    description: 'hide Kubernetes Secrets when also using the --dry-run flag',
  },
} satisfies FlagRows<ChartOptions>;

/** Where a release's name comes from when it is no argument. */
export const nameFlags = {
  'generate-name': {
    type: 'bool',
    option: 'generateName',
    short: 'g',
    description: 'generate the name (and omit the NAME parameter)',
  },
  'name-template': {
    type: 'string',
    option: 'nameTemplate',
    description: 'specify template used to name the release',
  },
} satisfies FlagRows<NameOptions>;

/** What templates are told of the cluster where none is asked. */
export const capabilityFlags = {
  'api-versions': {
    type: 'strings',
    option: 'apiVersions',
    short: 'a',
    description: 'Kubernetes api versions used for Capabilities.APIVersions (multiple can be specified)',
  },
  'kube-version': {
    type: 'string',
    option: 'kubeVersion',
    description: 'Kubernetes version used for Capabilities.KubeVersion',
  },
} satisfies FlagRows<ToldCapabilities>;

/** What flags say together that they cannot say together. Errors: `bad-flag`. */
export function refuseContradictions(flags: ContradictingFlags): void {
  refuseBothForces(flags);
  const { timeout = 0, readinessTimeout, skipCrds, crds } = flags;
  if (readinessTimeout !== undefined && timeout > 0 && readinessTimeout > timeout)
    throw badFlag('--readiness-timeout must not be above --timeout, which limits every wait; raise --timeout too');
  if (skipCrds && crds !== undefined && crds !== 'skip')
    throw badFlag(`--skip-crds and --crds=${crds} cannot be used together`);
}

type ContradictingFlags = Partial<
  Pick<
    FlagsOf<typeof chartFlags & typeof recordFlags>,
    'crds' | 'force' | 'forceConflicts' | 'forceReplace' | 'readinessTimeout' | 'skipCrds' | 'timeout'
  >
>;

function refuseBothForces({ force, forceReplace, forceConflicts }: ContradictingFlags): void {
  if (!forceConflicts || !(force || forceReplace)) return;
  const name = forceReplace ? 'force-replace' : 'force';
  const given = [name, 'force-conflicts'].sort(compareText).join(' ');
  throw badFlag(
    `if any flags in the group [${name} force-conflicts] are set none of the others can be; [${given}] were all set`,
  );
}

const badFlag = (message: string): TshelmError => new TshelmError('bad-flag', { message });

/** Helm's reading of --dry-run: alone and as a boolean it is deprecated, and says so. Follows cmdGetDryRunFlagStrategy. */
export function dryRunMode(text: string, io: Io, { isTemplate = false } = {}): DryRunMode {
  const warn = (message: string): void => io.stderr.write(`level=WARN msg=${JSON.stringify(message)}\n`);
  if (text === 'unset') {
    warn("--dry-run is deprecated and should be replaced with '--dry-run=client'");
    return 'client';
  }
  if (text === 'client' || text === 'server') return text;
  const isTrue = boolOf(text) === true;
  const isFalse = boolOf(text) === false;
  if (isTemplate && (isFalse || text === 'none')) throw invalidDryRun(text, 'Must be "server" or "client"');
  if (text === 'none') return 'none';
  if (!isTrue && !isFalse) throw invalidDryRun(text, 'Must be "none", "server", or "client"');
  const mode = isTrue ? 'client' : 'none';
  warn(`boolean '--dry-run=${text}' flag is deprecated and must be replaced with '--dry-run=${mode}'`);
  return mode;
}

const invalidDryRun = (text: string, rule: string): TshelmError =>
  new TshelmError('bad-flag', { message: `invalid dry-run value (${JSON.stringify(text)}). ${rule}` });
