import type { Context } from '../change/context.ts';
import { learnFromReleases } from '../change/learn-secrets.ts';
import { isApiError } from '../cluster/api-error.ts';
import { SharedWatches } from '../cluster/shared-watches.ts';
import type { Target } from '../execute/apply/targets.ts';
import type { OnEvent } from '../execute/events.ts';
import { createsPods } from '../execute/logs/live-logs.ts';
import { PodWatch } from '../execute/logs/pod-watch.ts';
import { LogReaders } from '../execute/logs/readers.ts';
import { isOfSelection, unknownNames } from '../execute/logs/selection.ts';
import { listOf } from '../manifest/fields.ts';
import type { Pod } from '../manifest/kubernetes.ts';
import { formatId, idOf } from '../manifest/resource-id.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { createLimiter } from '../support/concurrency.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { findRelease } from './find-release.ts';
import type { LogsOptions } from './options/readings.ts';
import { liveObjects } from './status.ts';

/** More containers than that wait until one of them ends. */
const maxFollowed = 50;

/**
 * Tells what the pods of a release's workloads have written, as events `log-line`: one container after the other, or with
 * `follow` side by side as it comes, until the context's signal aborts. Errors: `release-not-found`, `bad-options` for a
 * container that no pod has.
 */
export async function releaseLogs(options: LogsOptions, context: Context, onLine: OnEvent): Promise<void> {
  const release = await findRelease(options.name, undefined, context);
  if (context.secrets !== undefined) learnFromReleases([release], context.secrets);
  const { selector = {} } = options;
  const workloads = (await liveObjects(release, context)).filter((object) => createsPods(object));
  const targets = workloads
    .map((object) => ({ id: idOf(object), object, written: object }))
    .filter(({ id }) => isOfSelection(id, selector));
  refuseUnknownObjects(workloads, options);
  await tellLogs(targets, options, context, onLine);
}

async function tellLogs(
  targets: readonly Target[],
  options: LogsOptions,
  context: Context,
  onLine: OnEvent,
): Promise<void> {
  const cluster = await context.cluster();
  const { follow = false, selector, name } = options;
  const found: { readonly pod: Pod; readonly of: Target['id'] }[] = [];
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal, ...[context.signal ?? []].flat()]);
  const readers = readersOf(options, context, { cluster, signal, onEvent: onLine });
  let isFollowing = false;
  const watch = new PodWatch(targets, {
    cluster,
    signal,
    watches: new SharedWatches(),
    isEveryRevision: true,
    onPod: (pod, of) => {
      if (!(selector?.isOfPod?.(pod) ?? true)) return;
      if (isFollowing) readers.take(pod, of, { follows: true });
      else found.push({ pod, of });
    },
    onFailure: (text, error) => warn(text, error, context),
  });
  try {
    await watch.look();
    const pods = [...new Map(found.map((one) => [one.pod.metadata.uid, one])).values()];
    if (pods.length === 0) context.onEvent?.({ kind: 'note', text: `release "${name}" has no pods here` });
    refuseUnknownContainer(
      pods.map(({ pod }) => pod),
      options,
    );
    for (const { pod, of } of pods) readers.take(pod, of, { follows: follow });
    if (!follow) return await readers.ended();
    isFollowing = true;
    await watch.untilEnded();
  } finally {
    end.abort();
  }
}

type Shared = Pick<ConstructorParameters<typeof LogReaders>[0], 'cluster' | 'signal' | 'onEvent'>;

function readersOf(options: LogsOptions, context: Context, shared: Shared): LogReaders {
  const { follow, tail = 100, sinceMs, container, previous } = options;
  const now = shared.cluster.serverTime?.() ?? context.clock.now();
  return new LogReaders({
    ...shared,
    onFailure: (text, error) => warn(text, error, context),
    // One after the other, their lines stay together.
    limit: createLimiter(follow ? maxFollowed : 1),
    linesPerSecond: Number.POSITIVE_INFINITY,
    since: sinceMs === undefined ? undefined : new Date(now.getTime() - sinceMs),
    tailLines: tail < 0 ? undefined : tail,
    previous,
    isContainer: container === undefined ? undefined : (name) => name === container,
  });
}

function warn(text: string, error: unknown, { onEvent }: Context): void {
  const why = isApiError(error) ? error.failure.message : messageOf(error);
  onEvent?.({ kind: 'warning', text: `${text}: ${why}` });
}

/** Errors: `bad-options`. */
function refuseUnknownObjects(workloads: readonly KubernetesObject[], { name, selector = {} }: LogsOptions): void {
  const ids = workloads.map((object) => idOf(object));
  const [unknown] = unknownNames(ids, selector);
  if (unknown === undefined) return;
  throw new TshelmError('bad-options', {
    message: `release "${name}" has no workload ${unknown} here, only ${ids.map(formatId).join(', ') || 'none'}`,
    details: { option: 'selector' },
  });
}

/** Errors: `bad-options`. */
function refuseUnknownContainer(pods: readonly Pod[], { name, container }: LogsOptions): void {
  const names = new Set(
    pods.flatMap(({ spec }) => [...listOf(spec?.initContainers), ...listOf(spec?.containers)]).map((one) => one.name),
  );
  if (container === undefined || names.size === 0 || names.has(container)) return;
  throw new TshelmError('bad-options', {
    message: `no pod of release "${name}" has a container "${container}", only ${[...names].sort().join(', ')}`,
    details: { option: 'container' },
  });
}
