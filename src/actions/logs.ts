import type { Context } from '../change/context.ts';
import { logSelectionOf } from '../change/deploy/logs-option.ts';
import { learnFromReleases } from '../change/learn-secrets.ts';
import { isApiError } from '../cluster/api-error.ts';
import { containerStatuses, SharedWatches } from '../cluster/diagnosis.ts';
import type { OnEvent } from '../execute/events.ts';
import { createsPods } from '../execute/logs/live-logs.ts';
import { PodWatch } from '../execute/logs/pod-watch.ts';
import { LogReaders, type Reading } from '../execute/logs/readers.ts';
import { isOfSelection, unknownNames } from '../execute/logs/selection.ts';
import { listOf, textOr } from '../manifest/fields.ts';
import type { Pod } from '../manifest/kubernetes.ts';
import { formatId, idOf } from '../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { firstSignal } from '../support/abort.ts';
import { createLimiter } from '../support/concurrency.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { findRelease } from './find-release.ts';
import type { LogsOptions } from './options/readings.ts';
import { liveObjects } from './status.ts';

/** More containers than that wait until one of them ends. */
const maxFollowed = 50;
const defaultTail = 100;

/**
 * Tells what the pods of a release's workloads have written, of every revision that still has some, as events `log-line`:
 * one container after the other, or with `follow` side by side as it comes, until the context's signal aborts. Errors:
 * `release-not-found`, `invalid-selector`, `bad-options` for a container or an object that is not there.
 */
export async function releaseLogs(options: LogsOptions, context: Context, onLine: OnEvent): Promise<void> {
  const selection = logSelectionOf(options.selector) ?? {};
  const release = await findRelease(options.name, undefined, context);
  if (context.secrets !== undefined) learnFromReleases([release], context.secrets);
  const workloads = (await liveObjects(release, context)).filter(createsPods);
  refuseUnknownObjects(workloads, unknownNames(workloads.map(placeOf), selection), options);
  const chosen = workloads.filter((object) => isOfSelection(placeOf(object), selection));
  await tellLogs(chosen, { ...options, isChosen: (pod) => selection.isOfPod?.(pod) ?? true }, context, onLine);
}

const placeOf = (object: KubernetesObject): ResourceId => idOf(object);

interface FoundPod {
  readonly pod: Pod;
  readonly of: ResourceId;
}

async function tellLogs(
  workloads: readonly KubernetesObject[],
  options: LogsOptions & { readonly isChosen: (pod: Pod) => boolean },
  context: Context,
  onLine: OnEvent,
): Promise<void> {
  const { name, follow = false, isChosen } = options;
  const cluster = await context.cluster();
  const end = new AbortController();
  const signal = firstSignal(end.signal, context.signal);
  const onFailure = (text: string, error: unknown): void => warn(text, error, context);
  const readers = new LogReaders({ cluster, signal, onEvent: onLine, onFailure, ...readingOf(options, context) });
  const found = new Map<string | undefined, FoundPod>();
  let take = (pod: Pod, of: ResourceId): void => void found.set(pod.metadata.uid, { pod, of });
  const watch = new PodWatch(
    workloads.map((object) => ({ id: placeOf(object), object, written: object })),
    {
      cluster,
      signal,
      watches: new SharedWatches(),
      isEveryRevision: true,
      onPod: (pod, of) => isChosen(pod) && take(pod, of),
      onFailure,
    },
  );
  try {
    await watch.look();
    const pods = [...found.values()];
    if (pods.length === 0) context.onEvent?.({ kind: 'note', text: `release "${name}" has no such pods` });
    refuseUnknownContainer(pods, options);
    take = (pod, of) => readers.take(pod, of, { follows: follow });
    for (const { pod, of } of pods) take(pod, of);
    for (const text of pods.flatMap(({ pod }) => unstarted(pod))) context.onEvent?.({ kind: 'note', text });
    await (follow ? watch.untilEnded() : readers.ended());
  } finally {
    end.abort();
  }
}

function readingOf(
  { follow, tail = defaultTail, sinceMs, container, previous }: LogsOptions,
  { clock }: Context,
): Omit<Reading, 'cluster' | 'signal' | 'onEvent' | 'onFailure'> {
  return {
    // One after the other, the lines of a container stay together.
    limit: createLimiter(follow ? maxFollowed : 1),
    linesPerSecond: Number.POSITIVE_INFINITY,
    since: sinceMs === undefined ? undefined : new Date(clock.now().getTime() - sinceMs),
    tailLines: tail < 0 ? undefined : tail,
    previous,
    isContainer: container === undefined ? undefined : (one) => one === container,
  };
}

/** What there is to say of containers that have not written anything yet. */
const unstarted = (pod: Pod): readonly string[] =>
  containerStatuses(pod).flatMap(({ name, state, lastState }) => {
    if (state?.running || state?.terminated || lastState?.terminated) return [];
    return [`${pod.metadata.name}/${name} has not started: ${textOr(state?.waiting?.reason, 'waiting')}`];
  });

function warn(text: string, error: unknown, { onEvent }: Context): void {
  const why = isApiError(error) ? error.failure.message : messageOf(error);
  onEvent?.({ kind: 'warning', text: `${text}: ${why}` });
}

/** Errors: `bad-options`. */
function refuseUnknownObjects(
  workloads: readonly KubernetesObject[],
  [unknown]: readonly string[],
  { name }: LogsOptions,
): void {
  if (unknown === undefined) return;
  const there = workloads.map((object) => formatId(placeOf(object)));
  throw new TshelmError('bad-options', {
    message: `release "${name}" has no workload ${unknown} in the cluster, only ${there.join(', ') || 'none'}`,
    details: { option: 'selector' },
  });
}

/** Errors: `bad-options`. */
function refuseUnknownContainer(pods: readonly FoundPod[], { name, container }: LogsOptions): void {
  const containers = pods.flatMap(({ pod: { spec } }) => [
    ...listOf(spec?.initContainers),
    ...listOf(spec?.containers),
  ]);
  const names = new Set(containers.flatMap((one) => one.name ?? []));
  if (container === undefined || names.size === 0 || names.has(container)) return;
  throw new TshelmError('bad-options', {
    message: `no pod of release "${name}" has a container "${container}", only ${[...names].sort(compareText).join(', ')}`,
    details: { option: 'container' },
  });
}
