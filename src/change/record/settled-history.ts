import { isRefusedFor } from '../../cluster/api-error.ts';
import type { Cluster } from '../../cluster/types.ts';
import { defaultTimeoutMs } from '../../execute/context.ts';
import { formatDuration } from '../../go/time/duration.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { manifestOfHook } from '../../plan/arrange.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import { isPending, withStatus } from '../../release/history.ts';
import { holderText, isRunning } from '../../release/lock/holder.ts';
import { leaseId, readLease } from '../../release/lock/lease.ts';
import { isOver, type PendingState, pendingState } from '../../release/lock/pending.ts';
import type { Release } from '../../release/types.ts';
import { createLimiter, settleAll } from '../../support/concurrency.ts';
import { TshelmError } from '../../support/errors.ts';
import { formatUtcTime } from '../../support/time.ts';
import { pause, systemTimers } from '../../support/timers.ts';
import type { Context } from '../context.ts';
import type { LockOptions } from '../lock-options.ts';
import { refuseUnfinishedMove } from './unfinished-move.ts';

const pollMs = 1_000;

export interface SettledHistory {
  readonly history: readonly Release[];
  /** Whether the last revision was left behind by an operation that died, and has just been marked as failed. */
  readonly isTakenOver: boolean;
}

/**
 * The revisions of a release once no operation is under way: one that died is marked as failed, one that may be alive is
 * waited for as long as the options say, and then refused. With `mayOverrule` it is left alone instead, as Helm's rollback
 * and uninstall do. A move that was interrupted is left to the same command, which `continuesMove`. Only under a lock.
 * Errors: `operation-in-progress`, `move-unfinished`.
 */
export async function settledHistory(
  name: string,
  options: LockOptions & { readonly mayOverrule?: boolean | undefined; readonly continuesMove?: boolean | undefined },
  context: Context,
): Promise<SettledHistory> {
  const deadlineMs = performance.now() + (options.waitLockMs ?? 0);
  for (let isAnnounced = false; ; isAnnounced = true) {
    const history = await (await context.storage()).revisions(name);
    const last = history.at(-1);
    if (last === undefined || !isUnfinished(last)) return { history, isTakenOver: false };
    const state = await stateOf(last, options, context, context.lock?.isLeased() ?? false);
    if (last.operation?.move !== undefined && (state.kind === 'abandoned' || context.lock === undefined)) {
      if (!options.continuesMove) refuseUnfinishedMove(last);
      return { history, isTakenOver: false };
    }
    const failed = state.kind === 'abandoned' ? await takeOver(last, context) : undefined;
    if (failed !== undefined) return { history: [...history.slice(0, -1), failed], isTakenOver: true };
    // Whoever wrote it lives: it has just written it again.
    if (state.kind === 'abandoned') continue;
    if (options.mayOverrule || last.info.status === 'uninstalling') return { history, isTakenOver: false };
    if (performance.now() >= deadlineMs) throw pendingError(last, state, await serverNow(context));
    if (!isAnnounced) context.onEvent?.({ kind: 'warning', text: `waiting: ${whoAndWhen(last, state)}` });
    await pause((await context.cluster()).timers ?? systemTimers, pollMs, context.signal);
  }
}

/**
 * The revisions as a change that is only shown would find them: one that died counts as failed, as a run would mark it.
 * Nothing is written, and nobody is waited for. Errors: `operation-in-progress`, where the operation may be alive.
 */
export async function foreseenHistory(name: string, options: LockOptions, context: Context): Promise<SettledHistory> {
  const history = await (await context.storage()).revisions(name);
  const last = history.at(-1);
  if (last === undefined || !isPending(last) || last.operation?.move !== undefined)
    return { history, isTakenOver: false };
  const state = await stateOf(last, options, context, await isLeaseOver(last, context));
  if (state.kind === 'working') throw pendingError(last, state, await serverNow(context));
  const failed = asTakenOver(last, 'the run');
  context.onEvent?.({
    kind: 'warning',
    text: `revision ${last.version} will be marked as failed: ${failed.info.description}`,
  });
  return { history: [...history.slice(0, -1), failed], isTakenOver: true };
}

/** Whether an operation that had the Lease of its release has it no more. */
async function isLeaseOver({ name, namespace, operation }: Release, context: Context): Promise<boolean> {
  if (!operation?.isLeased) return false;
  try {
    const lease = await (await context.cluster()).get(leaseId(name, namespace), { signal: context.signal });
    if (lease === undefined) return true;
    const { holder, renewTime, seconds } = readLease(lease);
    const lapsesMs = Date.parse(renewTime) + seconds * 1000;
    return holder.identity !== operation.holder || (await serverNow(context)).getTime() > lapsesMs;
  } catch (error) {
    // Who may not read Leases takes the operation for alive.
    if (isRefusedFor(error, 'Forbidden')) return false;
    throw error;
  }
}

/** `uninstalling` is also how an uninstall that failed is left; then too nothing of it is under way any more. */
const isUnfinished = (release: Release): boolean => isPending(release) || release.info.status === 'uninstalling';

/** The times of records and objects are the server's; another clock may be hours away from it. */
const serverNow = async (context: Context): Promise<Date> =>
  (await context.cluster()).serverTime?.() ?? context.clock.now();

async function stateOf(
  last: Release,
  options: LockOptions,
  context: Context,
  isLeased: boolean,
): Promise<PendingState> {
  const signs = { isLeased, isRunning: isRunning(last.operation?.process) };
  if (isOver(last.operation, signs)) return { kind: 'abandoned' };
  return pendingState(last, {
    ...signs,
    lastMoved: await lastActivityAt(last, context),
    now: await serverNow(context),
    staleAfterMs: options.staleAfterMs ?? Math.max(defaultTimeoutMs, options.timeoutMs ?? 0),
  });
}

/** The last revision as one that failed; undefined when somebody has written it since it was read. */
async function takeOver(last: Release, context: Context): Promise<Release | undefined> {
  const failed = asTakenOver(last, context.lock === undefined ? 'tshelm' : holderText(context.lock.holder));
  try {
    await (await context.storage()).update(failed);
  } catch (error) {
    if (isRefusedFor(error, 'Conflict')) return undefined;
    throw error;
  }
  context.onEvent?.({
    kind: 'warning',
    text: `revision ${last.version} is marked as failed: ${failed.info.description}`,
  });
  return failed;
}

function asTakenOver(last: Release, by: string): Release {
  const what = last.info.status.replace('pending-', '').replace('uninstalling', 'uninstall');
  return withStatus(last, 'failed', `the ${what} by ${ownerText(last)} did not finish; taken over by ${by}`);
}

const ownerText = ({ operation }: Release): string =>
  operation === undefined ? 'Helm' : holderText({ identity: operation.holder, job: operation.job });

/** Helm's errPending, then who, since when and the way out. */
function pendingError(last: Release, state: Extract<PendingState, { kind: 'working' }>, now: Date): TshelmError {
  const seconds = Math.max(1, Math.ceil((state.until.getTime() - now.getTime()) / 1000));
  return new TshelmError('operation-in-progress', {
    message:
      `another operation (install/upgrade/rollback) is in progress: ${whoAndWhen(last, state)}; tshelm takes it over if it makes no progress for another ` +
      `${formatDuration(BigInt(seconds) * 1_000_000_000n)}`,
    details: {
      release: last.name,
      revision: last.version,
      status: last.info.status,
      since: last.info.lastDeployed,
      holder: ownerText(last),
      remedies: [
        { kind: 'set-option', option: 'waitLockMs' },
        { kind: 'set-option', option: 'staleAfterMs' },
      ],
    },
  });
}

const whoAndWhen = (last: Release, { lastMoved: moved }: Extract<PendingState, { kind: 'working' }>): string =>
  `revision ${last.version} has been ${last.info.status} since ${last.info.lastDeployed}, started by ${ownerText(last)} ` +
  `(its last change was at ${formatUtcTime(moved)})`;

const requestsAtATime = 16;

/**
 * When an operation last did something that can be seen from outside, by the server's clock: it wrote its record, or it
 * made or changed an object of the release. What controllers change is no sign of it: a broken pod restarts for ever.
 */
async function lastActivityAt(release: Release, context: Context): Promise<Date> {
  const cluster = await context.cluster();
  const record = (await context.storage()).recordId(release.name, release.version);
  const ids = record === undefined ? objectsOf(release) : [record, ...objectsOf(release)];
  const limit = createLimiter(requestsAtATime);
  const { values } = await settleAll(ids.map((id) => () => limit(() => lastTouched(id, cluster, context.signal))));
  context.signal?.throwIfAborted();
  // A record that cannot be read any more has just been changed.
  if (record !== undefined && values[0] === undefined) return context.clock.now();
  const begun = record === undefined ? Date.parse(release.info.lastDeployed ?? '') || 0 : 0;
  return new Date(Math.max(begun, ...values.map((time) => time ?? 0)));
}

const objectsOf = ({ manifest, hooks, namespace }: Release): readonly ResourceId[] =>
  [...readStoredManifest(manifest), ...hooks.map(manifestOfHook)]
    .filter(({ object }) => object.metadata.name)
    .map(({ object }) => idOf(object, namespace));

/** Milliseconds; undefined for what is not there or cannot be asked for. */
async function lastTouched(
  id: ResourceId,
  cluster: Cluster,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const object = await cluster.get(id, { signal });
  return object === undefined ? undefined : lastWrittenAt(object);
}

function lastWrittenAt({ metadata }: KubernetesObject): number {
  const { creationTimestamp, managedFields = [] } = metadata as {
    creationTimestamp?: string;
    managedFields?: readonly { manager?: string; time?: string }[];
  };
  const own = managedFields.filter(({ manager }) => manager === 'helm').map(({ time }) => time);
  const times = [creationTimestamp, ...own].flatMap((time) => (time === undefined ? [] : Date.parse(time)));
  // By the clock of whoever wrote the record, so only where the server does not tell.
  if (managedFields.length === 0) times.push(Number(metadata.labels?.['modifiedAt'] ?? 0) * 1000);
  return Math.max(0, ...times);
}
