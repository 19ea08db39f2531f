import pLimit from 'p-limit';

/** Runs tasks, at most so many at a time, in the order in which they were given. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

export const createLimiter = (concurrency: number): Limiter => {
  const limit = pLimit(concurrency);
  return (task) => limit(task);
};

export interface Settled<T> {
  readonly values: readonly T[];
  /** What the failed tasks threw, the earliest failure first. */
  readonly errors: readonly unknown[];
}

/** Runs every task to its end, whatever becomes of the others. Values keep the order of the tasks. */
export async function settleAll<T>(tasks: readonly (() => Promise<T>)[]): Promise<Settled<T>> {
  const errors: unknown[] = [];
  const run = async (task: () => Promise<T>): Promise<readonly T[]> => {
    try {
      return [await task()];
    } catch (error) {
      errors.push(error);
      return [];
    }
  };
  const values = await Promise.all(tasks.map(run));
  return { values: values.flat() as T[], errors };
}
