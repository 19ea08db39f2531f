import { waitForHook, waitUntilDeleted, waitUntilReady } from '../cluster/wait.ts';
import type { WaitStrategy } from '../plan/types.ts';
import type { Run } from './context.ts';
import type { Target } from './targets.ts';

/** Waits until all of these are ready, by the rules of the strategy. Errors: of waitUntilReady. */
export async function awaitReady(
  targets: readonly Target[],
  { strategy, timeoutMs }: { readonly strategy: WaitStrategy; readonly timeoutMs: number },
  run: Run,
): Promise<void> {
  if (targets.length === 0 || strategy === 'hookOnly') return;
  await waitUntilReady(
    run.cluster,
    targets.map(({ object }) => object),
    {
      strategy: strategy === 'legacy' ? 'legacy' : 'watcher',
      waitForJobs: strategy === 'ordered' || run.context.waitForJobs === true,
      timeoutMs,
      signal: run.signal,
    },
  );
}

/** Waits until none of these is there any more. */
export async function awaitDeleted(targets: readonly Target[], timeoutMs: number, run: Run): Promise<void> {
  if (targets.length === 0) return;
  await waitUntilDeleted(
    run.cluster,
    targets.map(({ id }) => id),
    { timeoutMs, signal: run.signal },
  );
}

/** Waits until a hook's Job or Pod has run to its end. */
export async function awaitHook(targets: readonly Target[], run: Run): Promise<void> {
  for (const { object } of targets) {
    await waitForHook(run.cluster, object, { timeoutMs: run.timeoutMs, signal: run.signal });
  }
}
