import type { ValueOptions } from '../chart/value-options.ts';
import { type PostRenderer, postRendererProgram } from '../render/post-renderer.ts';
import { TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { boolOf, type FlagSpec } from './flag-option.ts';
import {
  type DryRunMode,
  dryRunFlag,
  type OrderFlags,
  orderFlags,
  orderOptions,
  strictPlanFlag,
  timeoutFlag,
  valueFlags,
  type WaitFlagValue,
  waitFlag,
} from './flags.ts';
import type { Io } from './io.ts';
import type { GlobalFlags } from './settings.ts';

/** The flags that install, upgrade and template have in common. */
export interface ChartFlags extends GlobalFlags, OrderFlags {
  readonly createNamespace?: boolean;
  readonly description?: string;
  readonly disableOpenapiValidation?: boolean;
  readonly dryRun: string;
  readonly enableDns?: boolean;
  readonly forceConflicts?: boolean;
  readonly forceReplace?: boolean;
  readonly labels?: ReadonlyMap<string, string>;
  readonly noHooks?: boolean;
  readonly postRenderer?: string;
  readonly postRendererArgs?: readonly string[];
  readonly renderSubchartNotes?: boolean;
  readonly hideSecret?: boolean;
  readonly rollbackOnFailure?: boolean;
  readonly atomic?: boolean;
  readonly force?: boolean;
  readonly set?: readonly string[];
  readonly setFile?: readonly string[];
  readonly setJson?: readonly string[];
  readonly setLiteral?: readonly string[];
  readonly setString?: readonly string[];
  readonly skipCrds?: boolean;
  readonly skipSchemaValidation?: boolean;
  readonly strictPlan?: boolean;
  readonly takeOwnership?: boolean;
  readonly values?: readonly string[];
  readonly wait?: WaitFlagValue;
  readonly waitForJobs?: boolean;
}

export const chartFlags = {
  'create-namespace': { type: 'bool', description: 'create the release namespace if not present' },
  description: { type: 'string', description: 'add a custom description' },
  'disable-openapi-validation': {
    type: 'bool',
    description:
      'if set, the installation process will not validate rendered templates against the Kubernetes OpenAPI Schema',
  },
  ...dryRunFlag,
  'enable-dns': { type: 'bool', description: 'enable DNS lookups when rendering templates' },
  force: {
    type: 'bool',
    deprecated: 'use --force-replace instead',
    description: 'force resource updates by replacement',
  },
  'force-conflicts': { type: 'bool', description: 'if set server-side apply will force changes against conflicts' },
  'force-replace': { type: 'bool', description: 'force resource updates by replacement' },
  labels: {
    type: 'stringToString',
    short: 'l',
    description: 'Labels that would be added to release metadata. Should be divided by comma.',
  },
  ...orderFlags,
  'no-hooks': { type: 'bool', description: 'prevent hooks from running' },
  'post-renderer': {
    type: 'string',
    once: 'cannot specify --post-renderer flag more than once',
    description: 'an executable that gets the rendered manifests on standard input and prints what is deployed',
  },
  'post-renderer-args': { type: 'stringArray', description: 'an argument to the post-renderer (can specify multiple)' },
  'render-subchart-notes': { type: 'bool', description: 'if set, render subchart notes along with the parent' },
  'rollback-on-failure': {
    type: 'bool',
    description:
      'if set, a failed installation is uninstalled and a failed upgrade rolled back. The --wait flag will be default to "watcher" if --rollback-on-failure is set',
  },
  atomic: { type: 'bool', deprecated: 'use --rollback-on-failure instead', description: 'roll back on failure' },
  'skip-crds': {
    type: 'bool',
    description: 'if set, no CRDs will be installed. By default, CRDs are installed if not already present',
  },
  'skip-schema-validation': { type: 'bool', description: 'if set, disables JSON schema validation' },
  ...strictPlanFlag,
  'take-ownership': {
    type: 'bool',
    description: 'if set, ignore the check for helm annotations and take ownership of the existing resources',
  },
  ...timeoutFlag,
  ...valueFlags,
  ...waitFlag,
  'wait-for-jobs': {
    type: 'bool',
    description:
      'if set and --wait enabled, will wait until all Jobs have been completed before marking the release as successful. It will wait for as long as --timeout',
  },
} satisfies Record<string, FlagSpec>;

/** What templates are told of the cluster where none is asked. */
export const capabilityFlags = {
  'api-versions': {
    type: 'strings',
    short: 'a',
    description: 'Kubernetes api versions used for Capabilities.APIVersions (multiple can be specified)',
  },
  'kube-version': { type: 'string', description: 'Kubernetes version used for Capabilities.KubeVersion' },
} satisfies Record<string, FlagSpec>;

/** Errors: `bad-flag` for --force-replace (or its old name) together with --force-conflicts. */
export function refuseBothForces({ force, forceReplace, forceConflicts }: ForceFlags): void {
  if (!forceConflicts || !(force || forceReplace)) return;
  const name = forceReplace ? 'force-replace' : 'force';
  const given = [name, 'force-conflicts'].sort(compareText).join(' ');
  throw new TshelmError('bad-flag', {
    message: `if any flags in the group [${name} force-conflicts] are set none of the others can be; [${given}] were all set`,
  });
}

interface ForceFlags {
  readonly force?: boolean;
  readonly forceReplace?: boolean;
  readonly forceConflicts?: boolean;
}

/** The flags as the options of the deploying actions. */
export function deployOptions(flags: Omit<ChartFlags, 'dryRun'>) {
  refuseBothForces(flags);
  return {
    createNamespace: flags.createNamespace,
    description: flags.description,
    disableOpenapiValidation: flags.disableOpenapiValidation,
    enableDns: flags.enableDns,
    forceConflicts: flags.forceConflicts,
    forceReplace: flags.forceReplace || flags.force,
    labels: flags.labels === undefined ? undefined : Object.fromEntries(flags.labels),
    noHooks: flags.noHooks,
    renderSubchartNotes: flags.renderSubchartNotes,
    hideSecret: flags.hideSecret,
    rollbackOnFailure: flags.rollbackOnFailure || flags.atomic,
    skipCrds: flags.skipCrds,
    skipSchemaValidation: flags.skipSchemaValidation,
    strictPlan: flags.strictPlan,
    takeOwnership: flags.takeOwnership,
    timeoutMs: flags.timeout,
    wait: flags.wait,
    ...orderOptions(flags),
    waitForJobs: flags.waitForJobs,
  };
}

export type ValueFlags = Pick<ChartFlags, 'values' | 'set' | 'setFile' | 'setJson' | 'setLiteral' | 'setString'>;

export const valueOptions = (flags: ValueFlags): ValueOptions => ({
  valueFiles: flags.values,
  values: flags.set,
  stringValues: flags.setString,
  fileValues: flags.setFile,
  jsonValues: flags.setJson,
  literalValues: flags.setLiteral,
});

/** The executable of --post-renderer. */
export const postRendererOf = ({
  postRenderer,
  postRendererArgs,
}: Pick<ChartFlags, 'postRenderer' | 'postRendererArgs'>): PostRenderer | undefined =>
  postRenderer ? postRendererProgram({ command: postRenderer, args: postRendererArgs }) : undefined;

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
