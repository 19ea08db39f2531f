import { numberOr, textOr } from '../../manifest/fields.ts';
import type { Pod } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { conditionsOf } from '../fields.ts';
import { containerStatuses } from './pod-facts.ts';

/**
 * How long doubts have lasted while nothing got better. Progress of one resource gives all of them their time again: a
 * server that crashes may be waiting for a database that is just coming up.
 */
export class Grace {
  readonly #graceMs: number;
  readonly #nowMs: () => number;
  readonly #since = new Map<string, number>();
  readonly #marks = new Set<string>();
  readonly #starting = new Set<string>();
  #movedMs = Number.NEGATIVE_INFINITY;

  /** `nowMs` is any clock that only goes forward. */
  constructor(graceMs: number, nowMs: () => number) {
    this.#graceMs = graceMs;
    this.#nowMs = nowMs;
  }

  get graceMs(): number {
    return this.#graceMs;
  }

  /** Takes what is seen of a resource: a mark that is new is progress, and a pod that is being started is under way. */
  look(resource: string, { marks, isStarting }: ProgressMarks): void {
    for (const mark of marks) {
      const key = `${resource} ${mark}`;
      if (this.#marks.has(key)) continue;
      this.#marks.add(key);
      this.#movedMs = this.#nowMs();
    }
    if (isStarting) this.#starting.add(resource);
    else this.#starting.delete(resource);
  }

  /** The resource is ready, or nobody waits for it any more. */
  leave(resource: string): void {
    this.#starting.delete(resource);
    for (const subject of this.#since.keys()) if (subject.startsWith(`${resource} `)) this.#since.delete(subject);
  }

  /** Milliseconds until a doubt becomes certainty, if nothing moves; 0 when it is. */
  leftMs(resource: string, subject: string): number {
    const now = this.#nowMs();
    if (this.#starting.size > 0) this.#movedMs = now;
    const key = `${resource} ${subject}`;
    const since = this.#since.get(key) ?? now;
    this.#since.set(key, since);
    return Math.max(0, Math.max(since, this.#movedMs) + this.#graceMs - now);
  }
}

export interface ProgressMarks {
  /** What has been reached; each counts once. */
  readonly marks: readonly string[];
  /** One of its pods has a node and no container that runs yet, and nothing is known to be wrong: its image is on the way. */
  readonly isStarting: boolean;
}

/** What a resource and its pods have reached. `isHeld`: whether something keeps a pod from being started. */
export function progressMarksOf(
  object: KubernetesObject,
  pods: readonly Pod[],
  isHeld: (pod: Pod) => boolean = () => false,
): ProgressMarks {
  return {
    marks: [...countMarks(object), ...pods.flatMap(podMarks)],
    isStarting: pods.some((pod) => isBeingStarted(pod) && !isHeld(pod)),
  };
}

const counts = [
  'readyReplicas',
  'updatedReplicas',
  'availableReplicas',
  'succeeded',
  'updatedNumberScheduled',
  'numberReady',
] as const;

/** Of whatever kind: each has some of them. */
type Counted = KubernetesObject & {
  readonly status?: Readonly<Partial<Record<(typeof counts)[number], unknown>>> | null;
};

const countMarks = ({ status }: Counted): string[] => counts.map((name) => `${name} ${numberOr(status?.[name], 0)}`);

function podMarks(pod: Pod): string[] {
  const uid = pod.metadata.uid ?? '';
  const conditions = conditionsOf(pod).filter(({ status }) => status === 'True');
  const containers = containerStatuses(pod).flatMap((status) => {
    const name = textOr(status.name, '');
    const hasRun = status.state?.running !== undefined || numberOr(status.restartCount, 0) > 0;
    const isDone = numberOr(status.state?.terminated?.exitCode, -1) === 0;
    return [...(hasRun ? [`${uid} ${name} has run`] : []), ...(isDone ? [`${uid} ${name} is done`] : [])];
  });
  return [`${uid} exists`, ...conditions.map(({ type }) => `${uid} ${type}`), ...containers];
}

function isBeingStarted(pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp || textOr(pod.status?.phase, '') !== 'Pending') return false;
  const statuses = containerStatuses(pod);
  const reasons = statuses.map((status) => textOr(status.state?.waiting?.reason, ''));
  const isQuiet = statuses.every(
    (status, index) =>
      numberOr(status.restartCount, 0) === 0 &&
      ['', 'ContainerCreating', 'PodInitializing'].includes(reasons[index] ?? ''),
  );
  return isQuiet && reasons.includes('ContainerCreating');
}
