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

/** Whether objects are tried before anything is sent: in ordered runs, in all of them, or in none. */
export type Preflight = 'auto' | 'always' | 'never';

/** What install, upgrade and rollback have in common. */
export interface DeployOptions extends LockOptions {
  /**
   * What is waited for: hooks alone (`hookOnly`), everything at the end (`watcher`, or as Helm 3 does it, `legacy`), or
   * batch after batch in the chart's order (`ordered`). Default `hookOnly`; with `rollbackOnFailure`, `watcher`.
   */
  readonly wait?: WaitStrategy | undefined;
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
  /** Replaces objects instead of patching them; needs client-side apply. Default false. */
  readonly forceReplace?: boolean | undefined;
  /** Refuses a plan with hazards, which are warnings otherwise. Default false. */
  readonly strictPlan?: boolean | undefined;
  /** Whether objects are tried as dry runs before anything is sent. Default `auto`: in ordered runs. */
  readonly preflight?: Preflight | undefined;
  /** Requests at a time. Default 16. */
  readonly concurrency?: number | undefined;
  /** Waits that cannot succeed end before their time. Default true. */
  readonly failFast?: boolean | undefined;
  /** How long what is likely dead may go on without progress. Default 30 seconds. */
  readonly graceMs?: number | undefined;
}

/** Options that bring a new chart. */
export interface ChartOptions extends DeployOptions {
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

/** The options of a deploy that say how any change is carried out. A new one that is missing here does not compile. */
const isExecutionOption = {
  concurrency: true,
  eager: true,
  failFast: true,
  graceMs: true,
  readinessTimeoutMs: true,
  timeoutMs: true,
  waitForJobs: true,
} satisfies Record<Exclude<keyof DeployOptions & keyof ExecutionContext, 'forceConflicts' | 'forceReplace'>, true>;

type ExecutionOptions = Pick<DeployOptions, keyof typeof isExecutionOption>;

/** Those of a change, which hold for the one that undoes it too. */
export const executionOptions = (options: ExecutionOptions): ExecutionOptions =>
  Object.fromEntries(Object.entries(options).filter(([option]) => option in isExecutionOption));

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
    ...executionOptions(options),
    followLogs: context.followLogs,
    beforeSend: context.beforeSend,
    takesOver: context.takesOver,
    forceConflicts: options.forceConflicts,
    forceReplace: options.forceReplace,
    fieldValidation: options.disableOpenapiValidation ? 'Ignore' : 'Strict',
  };
}
