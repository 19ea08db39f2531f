import { isApiError, isRefusedFor, refusalIn } from '../cluster/api-error.ts';
import { type Unready, unreadyHead, unreadyLine } from '../cluster/observe.ts';
import { timedOut } from '../cluster/timed-out.ts';
import type { ApiFailure, Cluster, ResourceMapping } from '../cluster/types.ts';
import { waitUntilReady } from '../cluster/wait.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { PlannedNeed } from '../plan/types.ts';
import type { Place } from '../problem/place.ts';
import { settleAll } from '../support/concurrency.ts';
import { addedDetail, messageOf, TshelmError, unreachable } from '../support/errors.ts';
import { sleepBy, systemTimers } from '../support/timers.ts';
import type { Outside, Run } from './context.ts';
import { explained } from './explain.ts';
import { joinFailures } from './failures.ts';
import { objectsIn } from './plan-objects.ts';
import { waitProblems } from './wait-problems.ts';
import { reportBroken, reportState } from './waits.ts';

/**
 * Waits until everything that is needed is there and ready, by the rules for the release's own objects. Errors:
 * `wait-failed`, `wait-timeout`.
 */
export async function awaitNeeds(needs: readonly PlannedNeed[] = [], run: Run): Promise<void> {
  const { outside } = run.context;
  if (outside === undefined || needs.length === 0) return;
  const outsideRun: Run = {
    ...run,
    onEvent: (event) => run.onEvent(event.kind === 'resource' ? { ...event, isOutside: true } : event),
  };
  const { errors } = await settleAll(
    needs.map((need) => async () => {
      try {
        await awaitNeed(need, outside, outsideRun);
      } catch (failure) {
        throw withPlace(failure, need);
      }
    }),
  );
  if (errors.length > 0) throw joinFailures([...new Set(errors)]);
}

/** The same failure; its problems say where the order file declares the need. */
function withPlace(failure: unknown, { place }: PlannedNeed): unknown {
  if (place === undefined || !(failure instanceof TshelmError)) return failure;
  const declared: Place = { kind: 'file', ...place };
  const problems = (addedDetail(failure, 'problems') ?? []).map((problem) => ({
    ...problem,
    places: [declared, ...problem.places],
  }));
  return failure.wrapped({ message: failure.message, details: { problems } });
}

async function awaitNeed(need: PlannedNeed, outside: Outside, run: Run): Promise<void> {
  switch (need.kind) {
    case 'object':
      return awaitObject(need, run);
    case 'release': {
      const { namespace = run.plan.namespace, name } = need;
      const id = { apiVersion: '', kind: 'Release', namespace, name };
      const isDeployed = (): Promise<boolean> => outside.isDeployed(name, namespace);
      return poll(id, run, async () => ((await isDeployed()) ? undefined : 'it has no deployed revision'));
    }
    case 'url': {
      const id = { apiVersion: '', kind: 'URL', namespace: '', name: need.text };
      return poll(id, run, () => answerOf(need.text, outside, run));
    }
    default:
      return unreachable(need);
  }
}

/** Why a URL is not ready; undefined where it is. */
async function answerOf(url: string, outside: Outside, run: Run): Promise<string | undefined> {
  try {
    const status = await outside.statusOf(url, run.signal);
    return status >= 200 && status < 300 ? undefined : `it answers with status ${status}`;
  } catch (error) {
    run.signal?.throwIfAborted();
    return messageOf(error);
  }
}

type ObjectNeed = Extract<PlannedNeed, { readonly kind: 'object' }>;

/** An object, and before that its kind: the CustomResourceDefinition may come with another release. */
async function awaitObject(need: ObjectNeed, run: Run): Promise<void> {
  const { cluster, signal, timeoutMs, context, plan } = run;
  const timers = cluster.timers ?? systemTimers;
  const find = (): Promise<ResourceId | undefined> => idOfNeed(need, plan.namespace, { cluster, signal });
  let id = await find();
  let leftMs = timeoutMs;
  while (id === undefined) {
    const startMs = timers.now();
    const isServed = async (): Promise<boolean> => (await find()) !== undefined;
    await poll(unservedId(need, plan.namespace), { ...run, timeoutMs: leftMs, onEvent: exceptReady(run) }, async () =>
      (await isServed()) ? undefined : 'the cluster does not serve its kind',
    );
    leftMs = Math.max(1, leftMs - (timers.now() - startMs));
    id = await find();
  }
  const wait = waitUntilReady(cluster, [id], {
    strategy: 'ordered',
    waitForJobs: true,
    awaitsPresence: true,
    statusGraceMs: context.statusGraceMs,
    userRules: context.userRules,
    timeoutMs: leftMs,
    signal,
    onState: (of, state, pods) => reportState(of, state, pods, run),
  });
  await wait.catch(async (error: unknown) => {
    const failure = await explained(error, run);
    reportBroken(failure, run);
    throw failure;
  });
}

const exceptReady =
  (run: Run): Run['onEvent'] =>
  (event) => {
    if (event.kind !== 'resource' || event.state !== 'ready') run.onEvent(event);
  };

/** Asks again until it is there: `look` says why it is not yet. */
async function poll(id: ResourceId, run: Run, look: () => Promise<string | undefined>): Promise<void> {
  const { cluster, signal, timeoutMs } = run;
  const timers = cluster.timers ?? systemTimers;
  const endMs = timers.now() + timeoutMs;
  for (let lastReason = ''; ; ) {
    signal?.throwIfAborted();
    const reason = await look();
    if (reason === undefined) return run.onEvent({ kind: 'resource', id, state: 'ready' });
    const leftMs = endMs - timers.now();
    if (leftMs <= 0) {
      run.onEvent({ kind: 'resource', id, state: 'failed', reason, isTimeout: true });
      throw outOfTime(id, reason, run);
    }
    if (reason !== lastReason) run.onEvent({ kind: 'resource', id, state: 'waiting', reason });
    lastReason = reason;
    await sleepBy(timers)(Math.min(pollIntervalMs, leftMs), signal);
  }
}

const pollIntervalMs = 2_000;

function outOfTime(id: ResourceId, reason: string, { timeoutMs, plan }: Run): TshelmError {
  const head = { id, status: 'NotFound', unmet: 'not ready' };
  const line = unreadyLine({ ...head, reason });
  const one: Unready = { ...head, state: 'waiting', reason, line };
  const problems = waitProblems([{ one, found: [], messageLine: [line, unreadyHead(head)] }], objectsIn(plan));
  const details = { timeoutMs, unready: [one], problems };
  return new TshelmError('wait-timeout', { message: `${line}\n${timedOut(timeoutMs)}`, details });
}

interface Asked {
  readonly cluster: Cluster;
  readonly signal?: AbortSignal | undefined;
}

/** The object that a need names; undefined as long as the cluster serves no such kind. A kind of Kubernetes goes before another of its name. */
async function idOfNeed(need: ObjectNeed, namespace: string, asked: Asked): Promise<ResourceId | undefined> {
  const { cluster, signal } = asked;
  const find = async (fresh: boolean): Promise<readonly ResourceMapping[]> =>
    (await cluster.resources({ signal, fresh })).filter(
      ({ kind, group }) => kind === need.objectKind && (need.group === undefined || need.group === group),
    );
  const known = await find(false);
  const found = known.length > 0 ? known : await find(true);
  const served = found.find(({ group }) => isOfKubernetes(group)) ?? found[0];
  if (served === undefined) return undefined;
  const { group, version, kind, namespaced } = served;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { apiVersion, kind, ...(namespaced ? placeOf(need, namespace) : { name: need.name, namespace: '' }) };
}

const isOfKubernetes = (group: string): boolean => !group.includes('.') || group.endsWith('.k8s.io');

/** No namespace has a dot in its name. */
function placeOf({ name }: ObjectNeed, namespace: string): Pick<ResourceId, 'name' | 'namespace'> {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? { name, namespace } : { name: name.slice(0, dot), namespace: name.slice(dot + 1) };
}

const unservedId = (need: ObjectNeed, namespace: string): ResourceId => ({
  apiVersion: need.group ?? '',
  kind: need.objectKind,
  ...placeOf(need, namespace),
});

/** Why this run may not see what is needed; undefined where it may. Nobody who may neither read nor list it can wait for it. */
export async function refusalOf(
  need: PlannedNeed,
  namespace: string,
  outside: Outside,
  asked: Asked,
): Promise<ApiFailure | undefined> {
  try {
    if (need.kind === 'release') await outside.isDeployed(need.name, need.namespace ?? namespace);
    else if (need.kind === 'object') await lookAt(need, namespace, asked);
    return undefined;
  } catch (error) {
    if (isRefusedFor(error, 'Forbidden')) return refusalIn(error);
    throw error;
  }
}

async function lookAt(need: ObjectNeed, namespace: string, asked: Asked): Promise<void> {
  const { cluster, signal } = asked;
  const id = await idOfNeed(need, namespace, asked);
  if (id === undefined) return;
  const fieldSelector = `metadata.name=${id.name}`;
  try {
    await cluster.get(id, { signal });
  } catch (error) {
    if (!isApiError(error, 'Forbidden')) throw error;
    await cluster.list(id.apiVersion, id.kind, { namespace: id.namespace, fieldSelector, metadataOnly: true, signal });
  }
}
