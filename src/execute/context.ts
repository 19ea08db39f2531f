import { DeletedPodLogs, FailFast } from '../cluster/diagnosis.ts';
import type { UserRules } from '../cluster/readiness.ts';
import type { Cluster } from '../cluster/types.ts';
import type { FieldRule } from '../manifest/field-rules.ts';
import type { Hook, KubernetesObject, ResourceId } from '../manifest/types.ts';
import type { Plan, StepOf } from '../plan/types.ts';
import { createLimiter, type Limiter } from '../support/concurrency.ts';
import type { Progress } from './done.ts';
import type { OnEvent } from './events.ts';
import { LiveLogs } from './logs/live-logs.ts';
import type { LogSelection } from './logs/selection.ts';
import type { ReplaceRules } from './replace-rules.ts';

/** What a plan is carried out with. */
export interface ExecutionContext {
  readonly cluster: Cluster;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: OnEvent | undefined;
  /** For the times that hooks are recorded with. */
  readonly now?: (() => Date) | undefined;
  /** Requests at a time; default 16. */
  readonly concurrency?: number | undefined;
  /** Limits every single wait (a hook, a batch); default 5 minutes, as Helm's --timeout; 0 means 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Limits the wait for an object that is being deleted and has to be created anew; default `timeoutMs`. */
  readonly deletionTimeoutMs?: number | undefined;
  /** Limits the wait of each batch of an ordered plan, where that is less than `timeoutMs`. */
  readonly readinessTimeoutMs?: number | undefined;
  /** Goes on with each unit or group of an ordered plan as soon as those it waits for are ready, not batch by batch. */
  readonly eager?: boolean | undefined;
  readonly waitForJobs?: boolean | undefined;
  /** The user's own rules for when objects are ready; not with the strategy `legacy`. */
  readonly userRules?: UserRules | undefined;
  /** Tells what hooks and pods in trouble write, while they are waited for: a few requests every two seconds. */
  readonly followLogs?: boolean | undefined;
  /** Tells line by line what the pods write that are waited for, those of this revision; then `followLogs` has no effect. */
  readonly logs?: LogSelection | undefined;
  /** Answers what needs ask beside the cluster; without it nothing outside of the release is waited for. */
  readonly outside?: Outside | undefined;
  /** Ends waits that cannot succeed (cluster/diagnosis.ts, FailFast); default true; never with the strategy `legacy`. */
  readonly failFast?: boolean | undefined;
  /** How long what is likely dead may go on without progress; default 30 seconds. */
  readonly graceMs?: number | undefined;
  /** How long a custom resource may have no status before it counts as ready; default 30 seconds. */
  readonly statusGraceMs?: number | undefined;
  /** `ssa` (default): one server-side apply for each object. `csa`: POST, or a three-way merge patch. */
  readonly applyMethod?: 'ssa' | 'csa' | undefined;
  readonly forceConflicts?: boolean | undefined;
  /** What happens to fields of the release's objects that others manage too. */
  readonly fieldRules?: readonly FieldRule[] | undefined;
  /** Replaces objects (PUT) instead of patching them; with `csa` only. */
  readonly forceReplace?: boolean | undefined;
  /** Which objects may be deleted and created again; default none. */
  readonly replaceRules?: ReplaceRules | undefined;
  /** What the server does about fields that it does not know; default Strict, as Helm. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
  /** Takes fields that client-side apply owned over to server-side apply, for releases that change their method. */
  readonly upgradeFieldManager?: boolean | undefined;
  /** How the deletion of an object goes on to what it owns; default Background, with an order Foreground. */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  /** Keys (manifest/resource-id.ts, objectKey) of the objects that are there already; all others count as created. */
  readonly existing?: ReadonlySet<string> | undefined;
  /** The release before did not run to its end: some of `existing` may never have been there. */
  readonly followsUnfinished?: boolean | undefined;
  /** The resources of the revision that is replaced, by key: the base of a client-side three-way merge. */
  readonly originals?: ReadonlyMap<string, KubernetesObject> | undefined;
  /** Objects that earlier runs deleted and did not create anew, by key and as they were: what rules leave to others is theirs. */
  readonly replaced?: ReadonlyMap<string, KubernetesObject> | undefined;
  /** Jobs that the last run may have given up, by key and as it sent them; those that got nowhere since are created anew. */
  readonly givenUpJobs?: ReadonlyMap<string, KubernetesObject> | undefined;
  /** Asked before anything new is begun; fails when this run may not go on. */
  readonly confirm?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Carries out the plan's step of that kind: writes the release's record. */
  readonly onRecord?: ((step: StepOf<'record'>) => Promise<void>) | undefined;
  /** Asked before the objects of the release are sent, its hooks of before that are done. */
  readonly beforeApply?: (() => Promise<void>) | undefined;
  /** What an earlier run has finished, and who wants to know what this one does. */
  readonly progress?: Progress | undefined;
  /** Told that the release's namespace is there from now on. */
  readonly onNamespace?: (() => void) | undefined;
  /** Asked before each resource is applied or deleted. */
  readonly beforeSend?: BeforeSend | undefined;
  /** Objects whose fields are taken over from other managers, also without `forceConflicts`. */
  readonly takesOver?: ((id: ResourceId) => boolean) | undefined;
  /** Told before an object that is not there is sent, whatever comes of it. */
  readonly onCreate?: ((id: ResourceId) => void) | undefined;
  /** Told of an object that is deleted next to be created anew, where the new one keeps values of it. */
  readonly onReplace?: ((object: KubernetesObject) => Promise<void>) | undefined;
  /** Runs once the hooks of an event are done, for good or ill, and before their delete policies take them away. */
  readonly beforeHookDeletion?: (() => Promise<void>) | undefined;
  /** Told of hooks that begin next, one after another, as they will be: a run that dies meanwhile is known by its record. */
  readonly beforeHooks?: ((hooks: readonly Hook[]) => Promise<void>) | undefined;
  /**
   * Told whenever a hook's state changes, so that it can be recorded. `isRefused`: the API server did not take its object,
   * so what has its name is not this run's.
   */
  readonly onHook?: ((hook: Hook, isRefused: boolean) => Promise<void>) | undefined;
}

/** What is outside of a release, and in no object of the cluster. */
export interface Outside {
  /** Whether a release has a revision that is deployed. */
  isDeployed(name: string, namespace: string): Promise<boolean>;
  /** The status that a GET of this URL is answered with. */
  statusOf(url: string, signal: AbortSignal | undefined): Promise<number>;
}

/** Fails where the object may not be sent. Gives the version that it must still have when it is sent, if that matters. */
export type BeforeSend = (id: ResourceId) => Promise<string | undefined>;

/** A context with its defaults, and the plan that is being carried out. */
export interface Run {
  readonly plan: Plan;
  readonly cluster: Cluster;
  readonly signal: AbortSignal | undefined;
  readonly onEvent: OnEvent;
  readonly now: () => Date;
  readonly limit: Limiter;
  readonly timeoutMs: number;
  /** What set `timeoutMs`, where it is not the option of the run. */
  readonly limitedBy?: string | undefined;
  readonly failFast: FailFast | undefined;
  readonly deletedPodLogs: DeletedPodLogs;
  readonly liveLogs: LiveLogs | undefined;
  readonly context: ExecutionContext;
}

export const defaultConcurrency = 16;
export const defaultTimeoutMs = 300_000;
const defaultGraceMs = 30_000;
/** What Helm's status watcher makes of `--timeout 0`. */
const zeroTimeoutMs = 30_000;

/** To be awaited before anything of a run is begun. Fails when it was interrupted, or may not go on. */
export async function checkMayContinue({ signal, context }: Run): Promise<void> {
  signal?.throwIfAborted();
  await context.confirm?.(signal);
  signal?.throwIfAborted();
}

export function startRun(plan: Plan, context: ExecutionContext): Run {
  const { cluster, signal, onEvent = () => {}, now = () => new Date(), logs } = context;
  const deletedPodLogs = new DeletedPodLogs(cluster, { signal });
  const failFast = failFastOf(plan, context, deletedPodLogs);
  return {
    plan,
    cluster,
    signal,
    onEvent,
    now,
    limit: createLimiter(context.concurrency ?? defaultConcurrency),
    timeoutMs: context.timeoutMs === 0 ? zeroTimeoutMs : (context.timeoutMs ?? defaultTimeoutMs),
    failFast,
    deletedPodLogs,
    liveLogs: logs && new LiveLogs({ cluster, signal, onEvent, now, selection: logs, watches: failFast?.watches }),
    context,
  };
}

const failFastOf = (
  plan: Plan,
  { failFast, graceMs = defaultGraceMs, cluster }: ExecutionContext,
  deletedPodLogs: DeletedPodLogs,
): FailFast | undefined =>
  failFast === false || plan.strategy === 'legacy'
    ? undefined
    : new FailFast({ graceMs, timers: cluster.timers, deletedPodLogs });

/** What the server does about unknown fields of hooks and CRDs: Helm's client-side apply asks for no more than a warning. */
export const validationOfUnchecked = ({
  applyMethod,
  fieldValidation = 'Strict',
}: Pick<ExecutionContext, 'applyMethod' | 'fieldValidation'>): 'Strict' | 'Warn' | 'Ignore' =>
  applyMethod === 'csa' && fieldValidation === 'Strict' ? 'Warn' : fieldValidation;
