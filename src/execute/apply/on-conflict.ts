import { isVersionConflict } from '../../cluster/api-error.ts';
import { sleepBy } from '../../support/timers.ts';
import type { Run } from '../context.ts';

/** A rollout writes its status several times a second; this outlasts it, in about fifteen seconds. */
const mostTries = 20;
const firstTriesAtOnce = 3;
const longestPauseMs = 1_000;

/**
 * Reads, decides and writes again where the object was changed meanwhile, so that no change of others is lost. Errors: the
 * last conflict.
 */
export async function retryOnConflict<T>(
  task: () => Promise<T>,
  { cluster, signal }: Pick<Run, 'cluster' | 'signal'>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await task();
    } catch (error) {
      if (!isVersionConflict(error) || tries >= mostTries) throw error;
    }
    const pauseMs = Math.min(100 * (tries - firstTriesAtOnce), longestPauseMs);
    if (pauseMs > 0) await sleepBy(cluster.timers)(pauseMs, signal);
  }
}
