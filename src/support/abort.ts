/**
 * Runs something when a signal aborts, unless what is returned is called before. A deploy sends thousands of requests
 * under one signal, and an event listener of each costs as much as reading its answer: here they share one.
 */
export function whenAborted(signal: AbortSignal, run: () => void): () => void {
  const shared = listeners.get(signal) ?? listen(signal);
  shared.running.add(run);
  return () => {
    shared.running.delete(run);
    // A listener would keep the signal in memory.
    if (shared.running.size === 0) shared.stop();
  };
}

interface SharedListener {
  readonly running: Set<() => void>;
  readonly stop: () => void;
}

const listeners = new WeakMap<AbortSignal, SharedListener>();

function listen(signal: AbortSignal): SharedListener {
  const running = new Set<() => void>();
  const onAbort = (): void => {
    for (const run of running) run();
  };
  const stop = (): void => {
    signal.removeEventListener('abort', onAbort);
    if (listeners.get(signal) === shared) listeners.delete(signal);
  };
  const shared = { running, stop };
  signal.addEventListener('abort', onAbort, { once: true });
  listeners.set(signal, shared);
  return shared;
}

/** Aborts with the first of those signals that there are. */
export const firstSignal = (own: AbortSignal, other: AbortSignal | undefined): AbortSignal =>
  other === undefined ? own : AbortSignal.any([other, own]);
