import { type ApiError, isApiError } from '../../cluster/api-error.ts';
import type { OnState } from '../../cluster/observe.ts';
import { timedOut } from '../../cluster/timed-out.ts';
import { annotations } from '../../manifest/annotations.ts';
import { isWaitedFor } from '../../manifest/hook.ts';
import { hookDeleteSeconds } from '../../manifest/hook-numbers.ts';
import type {
  Hook,
  HookDeletePolicy,
  HookEvent,
  HookExecution,
  KubernetesObject,
  ResourceId,
} from '../../manifest/types.ts';
import { manifestOfHook } from '../../plan/arrange.ts';
import { hookLimit } from '../../plan/names.ts';
import type { Step } from '../../plan/types.ts';
import { type Problem, problemOf } from '../../problem/problem.ts';
import { Quote } from '../../problem/quote.ts';
import type { RefusalFact } from '../../problem/refusal-fact.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { settleAll } from '../../support/concurrency.ts';
import { causesOf, hasCode, messageOf, TshelmError } from '../../support/errors.ts';
import { formatTime } from '../../support/time.ts';
import { retryWhileNotServed } from '../apply/not-served-yet.ts';
import { isCrd, resolveServed, resolveTargets, type Target } from '../apply/targets.ts';
import { isBeingDeleted, type SendOnce, sendUnlessTerminating } from '../apply/terminating.ts';
import { checkMayContinue, type Run, validationOfUnchecked } from '../context.ts';
import { hookKey } from '../done.ts';
import type { HookState } from '../events.ts';
import { applyFailure, joinFailures } from '../failures.ts';
import { evidenceOf, fieldPlace, objectSubject, refusalProblems } from '../faults.ts';
import { awaitDeleted, awaitEstablished, awaitHook } from '../waits.ts';
import { reportHookLogs } from './hook-logs.ts';

type HookStep = Extract<Step, { kind: 'run-hooks' }>;

const defaultDeleteTimeoutSeconds = 60;

/**
 * Runs the hooks of one event: batch after batch, the chains of a batch together, the hooks of a chain one after another.
 * Delete policies and logs follow action.execHook: what succeeded is deleted when all are done, or when one has failed.
 */
export async function runHooks({ event, batches }: HookStep, run: Run): Promise<void> {
  const succeeded: Hook[] = [];
  const failed: Hook[] = [];
  try {
    for (const chains of batches) {
      const { errors } = await settleAll(
        chains.map((chain) => () => runChain(chain, event, { succeeded, failed }, run)),
      );
      if (errors.length > 0) throw joinFailures(errors);
    }
  } catch (error) {
    await tidyAfterFailure({ succeeded, failed }, event, error, run);
    throw withEvent(event, error);
  }
  for (const hook of [...succeeded].reverse()) {
    if (hook.outputLogPolicies.includes('hook-succeeded')) await reportHookLogs(hook, run);
  }
  await run.context.beforeHookDeletion?.();
  await deleteByPolicy([...succeeded].reverse(), 'hook-succeeded', event, run);
}

interface Outcomes {
  readonly succeeded: Hook[];
  readonly failed: Hook[];
}

async function runChain(
  chain: readonly Hook[],
  event: HookEvent,
  { succeeded, failed }: Outcomes,
  run: Run,
): Promise<void> {
  const isDone = (hook: Hook): boolean => run.context.progress?.before.has(hookKey(event, hook)) ?? false;
  for (const group of groupsOf(chain.map(withDefaultPolicy))) {
    await checkMayContinue(run);
    const due = group.filter((hook) => !isDone(hook));
    if (due.length > 0) await tellBeginning(due, run);
    for (const hook of group) {
      await checkMayContinue(run);
      if (due.includes(hook)) {
        await deleteByPolicy([hook], 'before-hook-creation', event, run);
        await runHook(hook, event, failed, run);
      }
      // Delete policies are also carried out for one that an earlier run finished.
      succeeded.push(hook);
    }
  }
}

/**
 * Hooks of a chain that follow one another without a wait, up to the next one that is waited for: they are recorded as
 * running in one write. Only where the run may delete their objects anyway: a run that dies before it has sent one of them
 * leaves a record by which the next run deletes it.
 */
function groupsOf(chain: readonly Hook[]): readonly (readonly Hook[])[] {
  const groups: Hook[][] = [];
  for (const hook of chain) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const goesOn = last !== undefined && !isWaitedFor(last) && isReplaced(last) && isReplaced(hook);
    if (goesOn) group?.push(hook);
    else groups.push([hook]);
  }
  return groups;
}

const isReplaced = (hook: Hook): boolean => hook.deletePolicies.includes('before-hook-creation') && !isCrd(hook);

async function tellBeginning(hooks: readonly Hook[], run: Run): Promise<void> {
  const startedAt = formatTime(run.now());
  await run.context.beforeHooks?.(
    hooks.map((hook) => ({ ...hook, lastRun: { startedAt, completedAt: undefined, phase: 'Running' } })),
  );
}

const withDefaultPolicy = (hook: Hook): Hook =>
  hook.deletePolicies.length > 0 ? hook : { ...hook, deletePolicies: ['before-hook-creation'] };

async function runHook(hook: Hook, event: HookEvent, failed: Hook[], run: Run): Promise<void> {
  const startedAt = formatTime(run.now());
  const record = (phase: HookExecution['phase'], completedAt?: string, isRefused = false): Promise<void> | undefined =>
    run.context.onHook?.({ ...hook, lastRun: { startedAt, completedAt, phase } }, isRefused);
  await record('Running');
  try {
    await loadAndAwait(hook, event, failed, run);
  } catch (error) {
    const isRefused = !failed.includes(hook) && causesOf(error).some((cause) => isApiError(cause));
    await record('Failed', formatTime(run.now()), isRefused);
    throw error;
  }
  run.context.progress?.onDone(hookKey(event, hook));
  await record('Succeeded', formatTime(run.now()));
  // What runs something must not run again after a killed run; what only is there may be applied twice.
  if (isWaitedFor(hook)) await run.context.progress?.stored();
}

/** A hook that could not be loaded is not among the `failed`: what is there of its name is none of this run's. */
async function loadAndAwait(hook: Hook, event: HookEvent, failed: Hook[], run: Run): Promise<void> {
  const targets = await targetsOf(hook, event, run);
  report(targets, { event, state: 'started' }, run);
  const loaded: Target[] = [];
  for (const target of targets) loaded.push({ ...target, written: await load(target, hook, event, run) });
  try {
    await awaitEnd(loaded, hook, event, run);
  } catch (error) {
    failed.push(hook);
    report(targets, { event, state: 'failed', reason: reasonOf(error) }, run);
    throw error;
  }
  report(targets, { event, state: 'succeeded' }, run);
}

/** Of a wait without what Helm puts before its reason: the event names the object anyway. */
function reasonOf(error: unknown): string {
  if (hasCode(error, 'wait-failed')) return reasonsOf(error.details.unready.filter(({ state }) => state === 'failed'));
  if (!hasCode(error, 'wait-timeout')) return messageOf(error);
  const { unready, timeoutMs, limitedBy } = error.details;
  return `${reasonsOf(unready)}\n${timedOut(timeoutMs, limitedBy)}`;
}

const reasonsOf = (unready: readonly { readonly reason: string }[]): string =>
  unready.map(({ reason }) => reason).join('\n');

async function targetsOf(hook: Hook, event: HookEvent, run: Run): Promise<readonly Target[]> {
  try {
    return await resolveTargets([manifestOfHook(hook)], whereOf(run));
  } catch (cause) {
    throw new TshelmError('hook-invalid', {
      message: `unable to build kubernetes object for ${event} hook ${hook.path}: ${messageOf(cause)}`,
      details: { hook: hook.name, event },
      cause,
    });
  }
}

const whereOf = (run: Run) => ({ cluster: run.cluster, namespace: run.plan.namespace, signal: run.signal });

/**
 * Server-side apply takes an object over that an earlier run has left, as Helm 4 does. Not where that is being deleted and
 * nobody waits until it is gone: what is still there must not be taken for the new one.
 */
async function load(target: Target, hook: Hook, event: HookEvent, run: Run): Promise<KubernetesObject | undefined> {
  const { id, object } = target;
  const { cluster, signal, context } = run;
  const options = { signal, fieldManager: 'helm', fieldValidation: validationOfUnchecked(context) };
  const isUnwaited =
    hook.deletePolicies.includes('before-hook-creation') && deleteTimeoutMs(object) === 0 && !isCrd(hook);
  const isApplied = !isUnwaited && context.applyMethod !== 'csa' && object.metadata.name !== '';
  const send = (): Promise<KubernetesObject> =>
    isApplied ? cluster.apply(object, { ...options, force: false }) : cluster.create(object, options);
  const onWaiting = (reason: string): void => run.onEvent({ kind: 'hook', id, event, state: 'waiting', reason });
  let written: KubernetesObject | undefined;
  const sendOnce: SendOnce = async ({ onDying }) => {
    written = await run.limit(() => retryWhileNotServed(send, id, run, onWaiting));
    if (isBeingDeleted(written)) onDying();
  };
  try {
    await (isUnwaited
      ? sendOnce({ isAnew: false, onDying: () => {} })
      : sendUnlessTerminating(target, sendOnce, onWaiting, run));
    return written;
  } catch (cause) {
    const reason = isApplied ? messageOf(applyFailure(id, cause)) : messageOf(cause);
    run.onEvent({ kind: 'hook', id, event, state: 'failed', reason });
    throw new TshelmError('hook-failed', {
      message: `warning: Hook ${event} ${hook.path} failed: ${reason}`,
      details: { hook: hook.name, event, problems: await refusedHook(cause, { target, hook, reason }, run) },
      cause,
    });
  }
}

/** What the API server refuses of a hook's object. Where an earlier run has left one, where it is said when that is deleted. */
async function refusedHook(
  cause: unknown,
  { target: { id, object }, hook, reason }: { readonly target: Target; readonly hook: Hook; readonly reason: string },
  run: Run,
): Promise<readonly Problem[]> {
  if (!isApiError(cause)) return [];
  const subject = objectSubject(id, hook.path);
  const evidence = evidenceOf('message', [reason]);
  const left = await leftOver(cause, id, run);
  if (left === undefined)
    return refusalProblems({ subject, object, refusal: cause.failure }).map((problem) => ({ ...problem, evidence }));
  return [
    problemOf({
      subject,
      cause: left,
      places: [fieldPlace(subject, { path: ['metadata', 'annotations', annotations.hookDeletePolicy] })],
      remedies: [leftRemedy(hook, id), { kind: 'delete-object', object: id }],
      evidence,
    }),
  ];
}

async function leftOver(cause: ApiError, id: ResourceId, { cluster, signal }: Run): Promise<RefusalFact | undefined> {
  const { status, causes } = cause.failure;
  const fields = [...new Set(causes.flatMap(({ field }) => field ?? []))];
  if (isApiError(cause, 'AlreadyExists')) return { code: 'left-over', fields, words: new Quote(cause.message) };
  // What cannot be read is not known to be left over.
  const isThere = status === 422 && (await cluster.get(id, { signal }).catch(() => undefined)) !== undefined;
  return isThere ? { code: 'left-over', fields } : undefined;
}

/** Applies a CRD over the old one, which is never deleted; waits until an old object is gone, or has it deleted first. */
function leftRemedy(hook: Hook, object: ResourceId): Remedy {
  if (isCrd(hook)) return { kind: 'set-option', option: 'serverSide', value: 'true' };
  const change = (key: string, value: string): Remedy => ({
    kind: 'change-field',
    object,
    path: ['metadata', 'annotations', key],
    value,
  });
  return hook.deletePolicies.includes('before-hook-creation')
    ? change(annotations.hookDeleteTimeout, '60')
    : change(annotations.hookDeletePolicy, 'before-hook-creation');
}

async function awaitEnd(targets: readonly Target[], hook: Hook, event: HookEvent, run: Run): Promise<void> {
  if (event === 'crd-install' && isCrd(hook)) return awaitEstablished(targets, run, reportWaiting(event, run));
  if (!isWaitedFor(hook)) return;
  report(targets, { event, state: 'waiting' }, run);
  const limited = withOwnTimeout(hook, run);
  if (event !== 'test-failure') return awaitHook(targets, limited, reportWaiting(event, run));
  if (await hasFailed(targets, event, limited)) return;
  throw new TshelmError('hook-failed', {
    message: `hook ${hook.name} was expected to fail (${event}) but succeeded`,
    details: { hook: hook.name, event },
  });
}

/** `helm.sh/hook-timeout` limits the wait for one hook; never beyond `--timeout`, by which others judge whether a run is over. */
function withOwnTimeout(hook: Hook, run: Run): Run {
  const limit = hookLimit(hook);
  if (limit === undefined || limit.seconds * 1000 >= run.timeoutMs) return run;
  return { ...run, timeoutMs: limit.seconds * 1000, limitedBy: limit.because };
}

async function hasFailed(targets: readonly Target[], event: HookEvent, run: Run): Promise<boolean> {
  try {
    // What never ran has not failed as it was expected to.
    await awaitHook(targets, { ...run, failFast: undefined }, reportWaiting(event, run));
    return false;
  } catch (error) {
    run.signal?.throwIfAborted();
    if (hasCode(error, 'wait-failed')) return true;
    throw error;
  }
}

/** The log of a failed hook is always shown. What goes wrong here must not hide why the hook failed. */
async function tidyAfterFailure(
  { succeeded, failed }: Outcomes,
  event: HookEvent,
  error: unknown,
  run: Run,
): Promise<void> {
  if (run.signal?.aborted) return;
  for (const hook of failed.filter(isWaitedFor)) await reportHookLogs(hook, run);
  try {
    await run.context.beforeHookDeletion?.();
    await deleteByPolicy(failed, 'hook-failed', event, run);
    await deleteByPolicy(succeeded, 'hook-succeeded', event, run);
  } catch (cause) {
    const text = `error deleting the hook resource on hook failure (${messageOf(error)}): ${messageOf(cause)}`;
    run.onEvent({ kind: 'warning', text });
  }
}

/** Deletes the hooks that have this policy. CustomResourceDefinitions are never deleted: too much would go with them. */
async function deleteByPolicy(
  hooks: readonly Hook[],
  policy: HookDeletePolicy,
  event: HookEvent,
  run: Run,
): Promise<void> {
  for (const hook of hooks) {
    if (isCrd(hook) || !hook.deletePolicies.includes(policy)) continue;
    await deleteHook(hook, event, run);
  }
}

async function deleteHook(hook: Hook, event: HookEvent, run: Run): Promise<void> {
  const manifest = manifestOfHook(hook);
  const targets = await resolveServed([manifest], whereOf(run));
  const deleted: Target[] = [];
  const gone = new Set<Target>();
  for (const target of targets) {
    const options = { propagation: 'Background', signal: run.signal, onGone: () => void gone.add(target) } as const;
    if (await run.limit(() => run.cluster.delete(target.id, options))) deleted.push(target);
  }
  const timeoutMs = deleteTimeoutMs(manifest.object);
  const going = deleted.filter((target) => !gone.has(target));
  if (timeoutMs > 0) await awaitDeleted(going, timeoutMs, run);
  report(deleted, { event, state: 'deleted' }, run);
}

/** `helm.sh/hook-delete-timeout`; 0 means not to wait. */
function deleteTimeoutMs({ metadata }: KubernetesObject): number {
  const text = metadata.annotations?.[annotations.hookDeleteTimeout];
  return (hookDeleteSeconds(text ?? '') ?? defaultDeleteTimeoutSeconds) * 1000;
}

interface News {
  readonly event: HookEvent;
  readonly state: HookState;
  readonly reason?: string;
}

function report(targets: readonly Target[], { event, state, reason }: News, run: Run): void {
  for (const { id } of targets) run.onEvent({ kind: 'hook', id, event, state, reason });
}

/** How the wait for a hook goes on; its end is reported by whoever judges it. */
const reportWaiting =
  (event: HookEvent, run: Run): OnState =>
  (id, state, pods) => {
    if (state.state === 'waiting')
      run.onEvent({ kind: 'hook', id, event, state: 'waiting', reason: state.reason, pods });
  };

/** Which step of the action failed, where Helm says so. */
function withEvent(event: HookEvent, error: unknown): unknown {
  const prefix = failurePrefixes[event];
  if (prefix === undefined || !(error instanceof TshelmError)) return error;
  return error.wrapped({ message: `${prefix}: ${error.message}`, details: { event } });
}

const failurePrefixes: Partial<Record<HookEvent, string>> = {
  'crd-install': 'failed crd-install',
  'pre-install': 'failed pre-install',
  'post-install': 'failed post-install',
  'pre-upgrade': 'pre-upgrade hooks failed',
  'post-upgrade': 'post-upgrade hooks failed',
};
