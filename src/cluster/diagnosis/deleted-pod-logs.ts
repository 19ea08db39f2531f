import { objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { Quote } from '../../problem/quote.ts';
import type { WorkloadFact } from '../../problem/workload-fact.ts';
import { firstSignal } from '../../support/abort.ts';
import { systemTimers, timeoutSignal } from '../../support/timers.ts';
import type { CallOptions, Cluster } from '../types.ts';
import { podFact } from './pod-facts.ts';

/** So many lines of a log are kept at most. */
const tailLines = 60;

/** A log that takes longer is not waited for: the run has failed meanwhile. */
const patienceMs = 5_000;

/** What a container wrote that has ended badly, and of which pod. */
export interface DeletedPodLog {
  readonly pod: KubernetesObject;
  readonly fact: WorkloadFact;
  readonly log: readonly Quote[];
}

/**
 * What the containers of a Job's pods wrote that have ended badly, read while they are still there: as soon as a Job has
 * failed, its controller deletes the pods that it would have restarted (restartPolicy OnFailure), and their logs with them;
 * with ttlSecondsAfterFinished the Job goes too.
 */
export class DeletedPodLogs {
  readonly #cluster: Cluster;
  readonly #options: CallOptions;
  /** By the Job's objectKey. */
  readonly #kept = new Map<string, DeletedPodLog>();
  readonly #seen = new Set<string>();
  readonly #reading = new Set<Promise<void>>();

  constructor(cluster: Cluster, options: CallOptions) {
    this.#cluster = cluster;
    this.#options = options;
  }

  /** Reads the log of a pod of the Job, once for each end of its container. What cannot be read is only missing. */
  note(job: ResourceId, pod: KubernetesObject): void {
    const fact = podFact(pod);
    const { container, exitCode, restarts, code } = fact ?? {};
    if (fact === undefined || container === undefined || exitCode === undefined) return;
    const reason = 'reason' in fact ? fact.reason : '';
    const end = [pod.metadata.uid, container, restarts, code, reason].join(' ');
    if (this.#seen.has(end)) return;
    this.#seen.add(end);
    // A log that cannot be read any more is missing from the report, and nothing else.
    const reading = this.#read(job, { pod, fact }, container).catch(() => {});
    this.#reading.add(reading);
    void reading.then(() => this.#reading.delete(reading));
  }

  async #read(job: ResourceId, of: Omit<DeletedPodLog, 'log'>, container: string): Promise<void> {
    const { name, namespace = '' } = of.pod.metadata;
    const text = await this.#logOf({ name, namespace }, container);
    const log = text.split('\n').filter((line) => line.trim() !== '');
    if (log.length > 0) this.#kept.set(objectKey(job), { ...of, log: log.map((line) => new Quote(line)) });
  }

  async #logOf(pod: { readonly name: string; readonly namespace: string }, container: string): Promise<string> {
    const { signal: patience, cancel } = timeoutSignal(this.#cluster.timers ?? systemTimers, patienceMs);
    const signal = firstSignal(patience, this.#options.signal);
    try {
      return await this.#cluster.logs(pod, { container, tailLines, signal });
    } finally {
      cancel();
    }
  }

  /** What was read last of the Job's pods; undefined where nothing was. */
  async of(job: ResourceId): Promise<DeletedPodLog | undefined> {
    await Promise.all(this.#reading);
    return this.#kept.get(objectKey(job));
  }

  /** What is kept is of an earlier Job of the same name. */
  forget(job: ResourceId): void {
    this.#kept.delete(objectKey(job));
  }
}
