import { causesIn, isBroken, type PodCounts, type WorkloadProblem } from '../cluster/diagnosis.ts';
import { type OnState, type Unready, unreadyLine } from '../cluster/observe.ts';
import { reasonOf } from '../cluster/readiness.ts';
import type { Readiness } from '../cluster/types.ts';
import {
  kindsDefinedBy,
  waitForHook,
  waitUntilDeleted,
  waitUntilEstablished,
  waitUntilReady,
} from '../cluster/wait.ts';
import { objectKey } from '../manifest/resource-id.ts';
import type { ResourceId } from '../manifest/types.ts';
import { settleAll } from '../support/concurrency.ts';
import { addedDetail, hasCode, TshelmError } from '../support/errors.ts';
import { factsText } from '../words/workload.ts';
import { isCrd, type Target } from './apply/targets.ts';
import type { Run } from './context.ts';
import { explained } from './explain.ts';
import { joinFailures } from './failures.ts';
import { suspendJob } from './hooks/fence.ts';
import { followingLogs } from './hooks/log-tails.ts';
import { unservedServices } from './unserved.ts';

const crdTimeoutMs = 60_000;

/**
 * Waits until all of these are ready by the rules of the plan's strategy. `isLast`: nothing waits for them, so Jobs need
 * not be complete, as without an order. Errors: `wait-failed`, `wait-timeout`.
 */
export async function awaitReady(targets: readonly Target[], run: Run, isLast = false): Promise<void> {
  const { strategy } = run.plan;
  if (targets.length === 0 || strategy === 'hookOnly') return;
  const written = targets.flatMap((target) => target.written ?? []);
  const wait = () =>
    waitUntilReady(run.cluster, targets.map(idOf), {
      strategy,
      waitForJobs: (strategy === 'ordered' && !isLast) || run.context.waitForJobs === true,
      statusGraceMs: run.context.statusGraceMs,
      userRules: run.context.userRules,
      failFast: run.failFast,
      goesOnAfterFailure: run.context.failFast === false && strategy === 'watcher',
      timeoutMs: run.timeoutMs,
      signal: run.signal,
      written: written.filter((object) => !isCrd(object)),
      definitions: written.filter(isCrd),
      onState: (id, state, pods) => reportState(id, state, pods, run),
    });
  await followingLogs(targets, 'troubled', run, wait).catch(async (error: unknown) => {
    const failure = await explained(error, run);
    reportBroken(failure, run);
    throw failure;
  });
  await judgeServices(targets, run, isLast);
}

/** A Service that leads nowhere is reported; in an order, what comes next may need it, so one that no pod can have fails. */
async function judgeServices(targets: readonly Target[], run: Run, isLast: boolean): Promise<void> {
  const fails = run.plan.strategy === 'ordered' && !isLast && run.failFast !== undefined;
  const failed: Unready[] = [];
  for (const { id, fact } of await unservedServices(targets, run)) {
    const reason = factsText([fact]);
    const isFailed = fails && fact.outlook === 'never';
    run.onEvent({ kind: 'resource', id, state: isFailed ? 'failed' : 'ready', reason });
    const unready = { id, status: 'Failed', unmet: 'not ready', reason };
    if (isFailed) failed.push({ ...unready, state: 'failed', facts: [fact], line: unreadyLine(unready) });
  }
  if (failed.length === 0) return;
  const message = failed.map(({ line }) => line).join('\n');
  throw await explained(new TshelmError('wait-failed', { message, details: { unready: failed } }), run);
}

/** What is broken is told to have failed, whichever of the objects was given up first; and what the time was up for. */
export function reportBroken(failure: unknown, run: Run): void {
  if (!hasCode(failure, 'wait-failed', 'wait-timeout')) return;
  const causes = addedDetail(failure, 'causes') ?? [];
  for (const { id, state, reason } of failure.details.unready) {
    if (state === 'failed') continue;
    const isAbout = ({ subject }: WorkloadProblem): boolean => objectKey(subject.id) === objectKey(id);
    const found = causes.filter(isAbout);
    if (found.some(isBroken))
      run.onEvent({ kind: 'resource', id, state: 'failed', reason: factsText(causesIn(found)) });
    else if (failure.code === 'wait-timeout')
      run.onEvent({ kind: 'resource', id, state: 'failed', reason, isTimeout: true });
  }
}

export function reportState(id: ResourceId, state: Readiness, pods: PodCounts | undefined, run: Run): void {
  const cause = state.state === 'waiting' ? state.cause : undefined;
  run.onEvent({ kind: 'resource', id, state: state.state, reason: reasonOf(state), pods, cause });
}

/** Waits until CustomResourceDefinitions are established and their kinds are served, whatever the strategy. */
export const awaitEstablished = (
  crds: readonly Target[],
  run: Run,
  onState: OnState = (id, state, pods) => reportState(id, state, pods, run),
): Promise<void> =>
  waitUntilEstablished(
    run.cluster,
    crds.map(({ id }) => id.name),
    {
      kinds: crds.flatMap(({ object }) => kindsDefinedBy(object)),
      timeoutMs: crdTimeoutMs,
      signal: run.signal,
      onState,
    },
  );

/** Waits until none of these is there any more. */
export async function awaitDeleted(
  targets: readonly Target[],
  timeoutMs: number,
  run: Run,
  onState?: OnState,
): Promise<void> {
  if (targets.length === 0) return;
  await waitUntilDeleted(run.cluster, targets.map(idOf), { timeoutMs, signal: run.signal, onState });
}

/** The same for a step of the plan: what is still there when the time is up is told to have failed. */
export async function awaitRemoved(
  targets: readonly Target[],
  timeoutMs: number,
  run: Run,
  onState: OnState,
): Promise<void> {
  await awaitDeleted(targets, timeoutMs, run, onState).catch((error: unknown) => {
    reportBroken(error, run);
    throw error;
  });
}

/** Waits until a hook's Jobs and Pods have run to their end; Jobs that are given up are suspended. */
export async function awaitHook(targets: readonly Target[], run: Run, onState?: OnState): Promise<void> {
  const { timeoutMs, signal, failFast, limitedBy } = run;
  for (const { id } of targets) run.deletedPodLogs.forget(id);
  const waits = targets.map(
    (target) => () =>
      waitForHook(run.cluster, target.id, { timeoutMs, signal, failFast, written: target.written, onState }).catch(
        async (error: unknown) => {
          const failure = await explained(withLimit(error, limitedBy), run, { areLogsReportedLater: true });
          await suspendJob(target.id, error, run);
          throw failure;
        },
      ),
  );
  const { errors } = await followingLogs(targets, 'every', run, () => settleAll(waits));
  if (errors.length > 0) throw joinFailures(errors);
}

function withLimit(error: unknown, limitedBy: string | undefined): unknown {
  if (limitedBy === undefined || !hasCode(error, 'wait-timeout')) return error;
  const { message, details } = error;
  return new TshelmError('wait-timeout', { message, details: { ...details, limitedBy }, cause: error });
}

const idOf = ({ id }: Target): ResourceId => id;
