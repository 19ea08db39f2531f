import { isApiError } from '../../cluster/api-error.ts';
import { containerStatuses } from '../../cluster/diagnosis.ts';
import type { Cluster, PodPlace } from '../../cluster/types.ts';
import { numberOr } from '../../manifest/fields.ts';
import type { ContainerStatus, Pod } from '../../manifest/kubernetes.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import type { Limiter } from '../../support/concurrency.ts';
import { backoffMs, pause, systemTimers } from '../../support/timers.ts';
import type { OnEvent } from '../events.ts';
import { LineRate } from './line-rate.ts';

/** How the containers of pods are read. */
export interface Reading {
  readonly cluster: Cluster;
  readonly signal: AbortSignal | undefined;
  readonly onEvent: OnEvent;
  /** Told why a log cannot be read. */
  readonly onFailure: (text: string, error: unknown) => void;
  /** So many containers are read at a time. */
  readonly limit: Limiter;
  readonly linesPerSecond: number;
  /** Only the lines written since then; of pods that were created later all. */
  readonly since?: Date | undefined;
  readonly tailLines?: number | undefined;
  readonly previous?: boolean | undefined;
  readonly isContainer?: ((name: string) => boolean) | undefined;
}

/** One run of a container: after a restart it has a log of its own. */
interface ContainerRun {
  readonly pod: Pod;
  readonly of: ResourceId;
  readonly container: string;
  readonly restarts: number;
  readonly follows: boolean;
  readonly sinceTime: string | undefined;
}

/** A kubelet that does not answer, or does not know the container yet, is asked so often. */
const attempts = 5;

/** Reads what the containers of pods write, each run of a container once. What cannot be read is only missing. */
export class LogReaders {
  readonly #reading: Reading;
  readonly #begun = new Set<string>();
  readonly #underWay = new Map<ContainerRun, Promise<void>>();
  /** Pods as they were seen last, by uid. */
  readonly #pods = new Map<string, Pod>();
  /** Of pods, by uid. */
  readonly #rates = new Map<string, { readonly rate: LineRate; readonly run: ContainerRun }>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Begins to read the containers of a pod that have started since it was seen last. */
  take(pod: Pod, of: ResourceId, { follows }: { readonly follows: boolean }): void {
    const { isContainer = () => true, limit } = this.#reading;
    const { uid = '' } = pod.metadata;
    this.#pods.set(uid, pod);
    for (const status of containerStatuses(pod)) {
      const container = status.name ?? '';
      const restarts = numberOr(status.restartCount, 0);
      const key = JSON.stringify([uid, container, restarts]);
      if (!hasStarted(status) || !isContainer(container) || this.#begun.has(key)) continue;
      this.#begun.add(key);
      const run = { pod, of, container, restarts, follows, sinceTime: this.#sinceTime(pod) };
      // It fails only when the reading is ended.
      const ended = limit(() => this.#read(run)).catch(() => {});
      this.#underWay.set(run, ended);
      void ended.then(() => this.#underWay.delete(run));
    }
  }

  /** Resolves when the logs that end have been read: those that are not followed, or whose containers have ended. */
  async settled(): Promise<void> {
    const ending = [...this.#underWay].filter(([run]) => !run.follows || !this.#isRunning(run));
    await Promise.all(ending.map(([, ended]) => ended));
  }

  /** Resolves when all containers that are followed have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  /** Tells how many lines were left out that nothing was told of yet. */
  tellOmitted(): void {
    for (const { run } of this.#rates.values()) this.#tellOmitted(run);
  }

  #sinceTime({ metadata: { creationTimestamp } }: Pod): string | undefined {
    const { since } = this.#reading;
    if (since === undefined || Date.parse(creationTimestamp ?? '') >= wholeSecond(since)) return undefined;
    return new Date(wholeSecond(since)).toISOString();
  }

  async #read(run: ContainerRun): Promise<void> {
    const { cluster, signal, onFailure } = this.#reading;
    const read = { last: '' };
    for (let attempt = 1; !signal?.aborted; attempt++) {
      try {
        if (await this.#readOnce(run, read)) attempt = 1;
        if (!run.follows || !this.#isRunning(run)) break;
      } catch (error) {
        if (signal?.aborted) return;
        if (!run.follows || attempt >= attempts || isFinal(error) || !this.#isRunning(run)) {
          const { name } = run.pod.metadata;
          const isGone = isApiError(error) && error.failure.status === 404;
          if (!isGone) onFailure(`the log of ${name}/${run.container} cannot be read`, error);
          break;
        }
      }
      await pause(cluster.timers ?? systemTimers, backoffMs(attempt, Math.random), signal);
    }
    this.#tellOmitted(run);
  }

  /** Reads on behind the last line that was read. Tells whether there was one. */
  async #readOnce({ pod, of, ...run }: ContainerRun, read: { last: string }): Promise<boolean> {
    const { cluster, signal, tailLines, previous } = this.#reading;
    const before = read.last;
    const options = { container: run.container, follow: run.follows, previous, signal };
    const from = before === '' ? { tailLines, sinceTime: run.sinceTime } : { sinceTime: before };
    for await (const { time, text } of cluster.logLines(placeOf(pod), { ...options, ...from })) {
      if (signal?.aborted) return true;
      if (before !== '' && !isLater(time, before)) continue;
      read.last = time;
      this.#tell({ pod, of, ...run }, text);
    }
    return read.last !== before;
  }

  #tell(run: ContainerRun, line: string): void {
    const { cluster, onEvent } = this.#reading;
    if (!this.#rateOf(run).admits((cluster.timers ?? systemTimers).now())) return;
    this.#tellOmitted(run);
    onEvent({ kind: 'log-line', ...placeInEvents(run), line });
  }

  #tellOmitted(run: ContainerRun): void {
    const omitted = this.#rateOf(run).takeOmitted();
    if (omitted > 0) this.#reading.onEvent({ kind: 'log-gap', ...placeInEvents(run), omitted });
  }

  #rateOf(run: ContainerRun): LineRate {
    const { uid = '' } = run.pod.metadata;
    const { rate } = this.#rates.get(uid) ?? { rate: new LineRate(this.#reading.linesPerSecond) };
    if (!this.#rates.has(uid)) this.#rates.set(uid, { rate, run });
    return rate;
  }

  #isRunning({ pod, container, restarts }: ContainerRun): boolean {
    const now = this.#pods.get(pod.metadata.uid ?? '') ?? pod;
    const status = containerStatuses(now).find(({ name }) => name === container);
    return numberOr(status?.restartCount, 0) === restarts && Boolean(status?.state?.running);
  }
}

/** A container that waits to be started again has a log: that of the run before. */
const hasStarted = ({ state, lastState }: ContainerStatus): boolean =>
  Boolean(state?.running ?? state?.terminated ?? lastState?.terminated);

const placeOf = ({ metadata: { name, namespace = '' } }: Pod): PodPlace => ({ namespace, name });

const placeInEvents = ({ pod, of, container }: ContainerRun) => ({
  id: { ...idOf(pod), apiVersion: 'v1', kind: 'Pod' },
  of,
  container,
});

/** Who may not read logs will not be allowed a moment later; a pod that is gone does not come back. */
const isFinal = (error: unknown): boolean =>
  isApiError(error) && [401, 403, 404, 405, 410].includes(error.failure.status);

const wholeSecond = (date: Date): number => Math.trunc(date.getTime() / 1000) * 1000;

/** Whether one RFC 3339 time with fractions of any length is after the other; both are in the same zone. */
function isLater(time: string, than: string): boolean {
  const [a, b] = [Date.parse(time), Date.parse(than)];
  return a === b ? fractionOf(time) > fractionOf(than) : a > b;
}

const fractionOf = (time: string): string => (/\.(\d+)/.exec(time)?.[1] ?? '').padEnd(9, '0');
