/** How far a pod is that crashes until its hosts are ready; times count from the pod's start. */
export interface Attempt {
  readonly restarts: number;
  /** When the containers start, or will start after the back-off. */
  readonly startedMs: number;
  /** When the containers before these began and ended. */
  readonly failed?: { readonly beganMs: number; readonly endedMs: number } | undefined;
  /** An init container waits; the containers call their hosts; they have reached them; nothing restarts them. */
  readonly state: 'initializing' | 'calling' | 'connected' | 'failed';
}

/** What a pod finds that calls its hosts: an init container waits for those that it names, another container crashes. */
export type HostState = 'ready' | 'awaited' | 'missing';

/** How long a container runs before it notices that a host does not answer. */
export const attemptMs = 1000;

/** What becomes of an attempt whose time is over. */
export function nextAttempt(attempt: Attempt, nowMs: number, hosts: HostState, isRestarted: boolean): Attempt {
  const { restarts, state } = attempt;
  if (state === 'initializing')
    return { ...attempt, startedMs: nowMs, state: hosts === 'awaited' ? 'initializing' : 'calling' };
  if (hosts === 'ready') return { ...attempt, state: 'connected' };
  if (!isRestarted) return { ...attempt, state: 'failed' };
  const failed = { beganMs: attempt.startedMs, endedMs: nowMs };
  return { restarts: restarts + 1, startedMs: nowMs + backOffMs(restarts), failed, state: 'calling' };
}

/** The kubelet restarts a container at once, then after 10 seconds, doubled each time up to five minutes. */
export const backOffMs = (restarts: number): number =>
  restarts === 0 ? 0 : Math.min(300_000, 10_000 * 2 ** (restarts - 1));
