import type { WorkloadFact } from '../../problem/workload-fact.ts';

/** A container that ended, and is or will be started again. */
interface Loop {
  /** How it ended: another end is another story. */
  readonly end: string;
  readonly restarts: number;
  /** When its last run began, and when that run's end was seen. */
  readonly beganMs: number;
  readonly endedMs: number;
  /** The back-off when it first ended this way: the kubelet has tried again since. */
  readonly firstBackOffMs: number;
  /** When something else was last seen to be on its way. */
  readonly busyMs: number;
  readonly isBusy: boolean;
}

/**
 * Crash loops that another restart does not end. The kubelet waits 10 s, 20 s, 40 s, … before each, and that counts as
 * trying for so long, provided that the container ended the same way every time and at once.
 */
export class CrashLoops {
  readonly #graceMs: number;
  readonly #nowMs: () => number;
  readonly #loops = new Map<string, Loop>();

  constructor(graceMs: number, nowMs: () => number) {
    this.#graceMs = graceMs;
    this.#nowMs = nowMs;
  }

  /**
   * Whether the container has been retried for the grace period, and once more since everything else settled, which its
   * program may depend on. What depends on the container alone needs no more than a third run. `isBusy`: something else
   * has not settled.
   */
  isTried(subject: string, fact: WorkloadFact, isBusy: boolean): boolean {
    const { backOffMs, ranMs, exitCode } = fact;
    if (exitCode === undefined || ranMs === undefined) return false;
    const loop = this.#look(subject, fact, isBusy);
    if (backOffMs === undefined || ranMs >= atOnceMs) return false;
    const triedMs = backOffMs - loop.firstBackOffMs;
    if (isOfItsOwn(fact)) return triedMs >= initialBackOffMs;
    return triedMs >= this.#graceMs && loop.beganMs > loop.busyMs;
  }

  /** Whether the next restart comes after the wait has ended. */
  isTooLate(subject: string, { backOffMs }: WorkloadFact, leftMs: number): boolean {
    const loop = this.#loops.get(subject);
    return loop !== undefined && backOffMs !== undefined && loop.endedMs + backOffMs > this.#nowMs() + leftMs;
  }

  #look(subject: string, fact: WorkloadFact, isBusy: boolean): Loop {
    const { code, exitCode, restarts = 0, backOffMs = initialBackOffMs, ranMs = 0 } = fact;
    const now = this.#nowMs();
    const before = this.#loops.get(subject);
    const end = `${code} ${exitCode}`;
    const times =
      before?.end === end && before.restarts === restarts
        ? before
        : { beganMs: now - ranMs - settlingMs, endedMs: now };
    const loop: Loop = {
      end,
      restarts,
      beganMs: times.beganMs,
      endedMs: times.endedMs,
      firstBackOffMs: before === undefined ? initialBackOffMs : before.end === end ? before.firstBackOffMs : backOffMs,
      busyMs: isBusy || before?.isBusy ? now : (before?.busyMs ?? Number.NEGATIVE_INFINITY),
      isBusy,
    };
    this.#loops.set(subject, loop);
    return loop;
  }
}

/** The kubelet's (MaxContainerBackOff and backOffPeriod of pkg/kubelet/kubelet.go): the first restart comes without. */
const initialBackOffMs = 10_000;
/** A program that runs longer may wait for something meanwhile. */
const atOnceMs = 10_000;
/** What has just become ready takes a moment to be reached. */
const settlingMs = 5_000;

/** A command that a shell does not find or may not run (exit codes of POSIX), and a memory limit that is too low. */
const isOfItsOwn = (fact: WorkloadFact): boolean =>
  fact.code === 'out-of-memory' ? fact.limit !== undefined : fact.exitCode === 126 || fact.exitCode === 127;
