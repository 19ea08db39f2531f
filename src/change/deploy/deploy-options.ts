import type { ExecutionContext } from '../../execute/context.ts';
import type { WaitStrategy } from '../../plan/types.ts';
import { TshelmError, unreachable } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { LockOptions } from '../lock-options.ts';
import type { Sight, Until } from '../until.ts';

/** `plan`: what would be done is decided as for real, and nothing of it is checked: diff tells that object by object. */
export type DryRun = 'none' | 'client' | 'server' | 'plan';

/**
 * What happens to the CRDs of `crds/`: nothing; those that are missing are created, as Helm does at installs; those that
 * differ are updated too.
 */
export type CrdMode = 'skip' | 'create' | 'upgrade';

/** Which objects are tried before anything is sent: those of all batches but the first, all of them, or none. */
export type Preflight = 'auto' | 'always' | 'never';

/** What install, upgrade and rollback have in common. */
export interface DeployOptions extends LockOptions {
  /** Default hookOnly; with rollbackOnFailure, watcher. */
  readonly wait?: WaitStrategy | undefined;
  readonly waitForJobs?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  /** With `ordered`: limits each batch, where that is less than `timeoutMs`. */
  readonly readinessTimeoutMs?: number | undefined;
  /** With `ordered`: each unit or group starts as soon as those it waits for are ready. */
  readonly eager?: boolean | undefined;
  readonly dryRun?: DryRun | undefined;
  readonly noHooks?: boolean | undefined;
  readonly description?: string | undefined;
  /** Takes over fields that other field managers own. */
  readonly forceConflicts?: boolean | undefined;
  /** Replaces objects instead of patching them; needs client-side apply. */
  readonly forceReplace?: boolean | undefined;
  /** Refuses a plan with hazards, which are warnings otherwise. */
  readonly strictPlan?: boolean | undefined;
  /** Which objects are tried as dry runs before anything is sent; default `auto`: those of later batches. */
  readonly preflight?: Preflight | undefined;
  /** Requests at a time; default 16. */
  readonly concurrency?: number | undefined;
  /** Default true: waits that cannot succeed end before their time. */
  readonly failFast?: boolean | undefined;
  /** How long what is likely dead may go on without progress; default 30 seconds. */
  readonly graceMs?: number | undefined;
}

/** Options that bring a new chart. */
export interface ChartOptions extends DeployOptions {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Default: an install creates those that are missing, an upgrade leaves them all alone, as in Helm. */
  readonly crds?: CrdMode | undefined;
  /** The same as `crds: 'skip'`. */
  readonly skipCrds?: boolean | undefined;
  /** Leaves files that no template can read out of the record. */
  readonly trimRecord?: boolean | undefined;
  readonly takeOwnership?: boolean | undefined;
  readonly rollbackOnFailure?: boolean | undefined;
  readonly renderSubchartNotes?: boolean | undefined;
  /** Leaves Secrets out of what a dry run shows; only with one. */
  readonly hideSecret?: boolean | undefined;
  readonly skipSchemaValidation?: boolean | undefined;
  readonly disableOpenapiValidation?: boolean | undefined;
  readonly enableDns?: boolean | undefined;
}

/** A failure that has to be put right afterwards needs to be noticed first: waiting is on by default then, as in Helm. */
export function strategyOf(
  options: Pick<DeployOptions, 'wait'> & { readonly rollbackOnFailure?: boolean | undefined },
): WaitStrategy {
  const { wait = 'hookOnly', rollbackOnFailure } = options;
  return wait === 'hookOnly' && rollbackOnFailure ? 'watcher' : wait;
}

/** Secrets are hidden from what is shown, never from what is deployed. Fails with `bad-options`, in Helm's words. */
export function refuseHidingForReal(options: ChartOptions): void {
  if (!options.hideSecret || isDryRun(options)) return;
  throw new TshelmError('bad-options', { message: 'hiding Kubernetes secrets requires a dry-run mode' });
}

const isDryRun = ({ dryRun = 'none' }: DeployOptions): boolean => dryRun !== 'none';

/** How far an install or upgrade goes. */
export function untilOf({ dryRun = 'none' }: DeployOptions): Until {
  switch (dryRun) {
    case 'none':
      return 'told';
    case 'server':
      return 'checked';
    case 'client':
    case 'plan':
      return 'decided';
    default:
      return unreachable(dryRun);
  }
}

export function sightOf({ dryRun = 'none' }: DeployOptions): Sight {
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

/** The execution context that an action's options ask for. */
export async function executionContext(
  options: Omit<DeployOptions, 'dryRun'> & { readonly disableOpenapiValidation?: boolean | undefined },
  context: Context,
): Promise<ExecutionContext> {
  return {
    cluster: await context.cluster(),
    signal: context.signal,
    onEvent: context.onEvent,
    confirm: context.lock?.confirm,
    onNamespace: context.lock?.namespaceIsThere,
    now: () => context.clock.now(),
    concurrency: options.concurrency,
    timeoutMs: options.timeoutMs,
    readinessTimeoutMs: options.readinessTimeoutMs,
    eager: options.eager,
    waitForJobs: options.waitForJobs,
    followLogs: context.followLogs,
    beforeSend: context.beforeSend,
    failFast: options.failFast,
    graceMs: options.graceMs,
    forceConflicts: options.forceConflicts,
    forceReplace: options.forceReplace,
    fieldValidation: options.disableOpenapiValidation ? 'Ignore' : 'Strict',
  };
}
