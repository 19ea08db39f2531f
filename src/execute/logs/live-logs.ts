import { isApiError } from '../../cluster/api-error.ts';
import { SharedWatches } from '../../cluster/diagnosis.ts';
import { groupKindOf } from '../../cluster/fields.ts';
import type { Cluster } from '../../cluster/types.ts';
import type { Deployment } from '../../manifest/kubernetes.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { manifestsOfSteps } from '../../plan/arrange.ts';
import type { Plan } from '../../plan/types.ts';
import type { Sentence } from '../../problem/sentence.ts';
import { firstSignal } from '../../support/abort.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { messageOf } from '../../support/errors.ts';
import { pause, systemTimers } from '../../support/timers.ts';
import type { OnEvent } from '../events.ts';
import { objectsIn } from '../plan-objects.ts';
import { type FollowedObject, PodWatch } from './pod-watch.ts';
import { LogReaders } from './readers.ts';
import { isOfSelection, type LogSelection, unknownNames } from './selection.ts';

export interface LiveLogsOptions {
  readonly cluster: Cluster;
  readonly signal: AbortSignal | undefined;
  readonly onEvent: OnEvent;
  readonly now: () => Date;
  readonly selection: LogSelection;
  /** Where the waits of the run look at pods too. */
  readonly watches?: SharedWatches | undefined;
}

/** More containers than that wait until one of them ends. As many as `stern` follows. */
const maxFollowed = 50;
/** Of each pod. What a chattering pod writes beyond is counted. */
const linesPerSecond = 200;
/** What was written just before the end of a wait is on its way for so long. */
const settleMs = 1_000;

/**
 * Tells what the pods write that belong to the objects as they were just sent, while these are waited for. It decides
 * nothing: what cannot be read is reported once, and the run goes on.
 */
export class LiveLogs {
  readonly #options: LiveLogsOptions;
  readonly #watches: SharedWatches;
  readonly #limit = createLimiter(maxFollowed);
  readonly #since: Date;
  #hasFailed = false;
  /** Whether pods of the run came by, and whether a label selector chose one of them. */
  #sawPod = false;
  #choseOne = false;

  constructor(options: LiveLogsOptions) {
    this.#options = options;
    this.#watches = options.watches ?? new SharedWatches();
    this.#since = options.cluster.serverTime?.() ?? options.now();
  }

  /** What a user should know of the logs of a plan before it is carried out. */
  notesOn(plan: Plan): readonly Sentence[] {
    const isUnwaited = plan.strategy === 'hookOnly';
    const workloads = manifestsOfSteps(plan, 'apply').filter(({ object }) => createsPods(object));
    const ids = objectsIn(plan).map(({ object }) => idOf(object, plan.namespace));
    return [
      ...(isUnwaited && workloads.length > 0
        ? [['logs of workloads are shown while they are waited for: add ', { option: 'wait', value: 'watcher' }]]
        : []),
      ...unknownNames(ids, this.#options.selection).map((name) => `logs: this plan has no ${name}`),
    ];
  }

  /** What a user should know of the logs when the plan has been carried out, or has failed. */
  notesAtEnd(): readonly Sentence[] {
    const { selection } = this.#options;
    const isUnmatched = selection.isOfPod !== undefined && this.#sawPod && !this.#choseOne;
    return isUnmatched ? ['logs: no pod of this revision has the labels of the selector'] : [];
  }

  /** Runs `task` and tells meanwhile what the pods of these objects write. */
  async during<T>(targets: readonly FollowedObject[], task: () => Promise<T>): Promise<T> {
    const { selection } = this.#options;
    const followed = targets.filter(({ id, object }) => createsPods(object) && isOfSelection(id, selection));
    if (followed.length === 0) return task();
    const end = new AbortController();
    const follow = this.#follow(followed, end.signal);
    try {
      return await task();
    } finally {
      if (!this.#options.signal?.aborted) await follow.settle();
      end.abort();
    }
  }

  #follow(targets: readonly FollowedObject[], ended: AbortSignal): { readonly settle: () => Promise<void> } {
    const { cluster, onEvent, selection } = this.#options;
    const signal = firstSignal(ended, this.#options.signal);
    const onFailure = (text: string, error: unknown): void => this.#fail(text, error, signal);
    const shared = { cluster, signal, onFailure };
    const readers = new LogReaders({
      ...shared,
      onEvent,
      limit: this.#limit,
      linesPerSecond,
      since: this.#since,
    });
    let follows = true;
    const watch = new PodWatch(targets, {
      ...shared,
      watches: this.#watches,
      onPod: (pod, of) => {
        this.#sawPod = true;
        if (!(selection.isOfPod?.(pod) ?? true)) return;
        this.#choseOne = true;
        readers.take(pod, of, { follows });
      },
    });
    void watch.untilEnded();
    const readRest = async (): Promise<void> => {
      follows = false;
      await watch.lookForPods();
      await readers.settled();
    };
    return {
      settle: async () => {
        const inTime = pause(cluster.timers ?? systemTimers, settleMs, signal);
        // The pause fails when the run is interrupted; of what is not there in time nothing is reported.
        await Promise.race([readRest(), inTime]).catch(() => {});
        readers.tellOmitted();
      },
    };
  }

  #fail(text: string, error: unknown, signal: AbortSignal): void {
    if (this.#hasFailed || signal.aborted) return;
    this.#hasFailed = true;
    const why = isApiError(error) ? error.failure.message : messageOf(error);
    this.#options.onEvent({ kind: 'warning', text: `${text}: ${why}` });
  }
}

/** A Pod, a Job, or what selects the pods that it creates. */
export function createsPods(object: KubernetesObject): boolean {
  if (['Pod', 'Job.batch'].includes(groupKindOf(object))) return true;
  const { selector } = (object as Deployment).spec ?? {};
  return typeof selector?.matchLabels === 'object' && selector.matchLabels !== null;
}
