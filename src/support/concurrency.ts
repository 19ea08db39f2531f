import pLimit from 'p-limit';

/** Runs tasks, at most so many at a time, in the order in which they were given. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

export const createLimiter = (concurrency: number): Limiter => {
  const limit = pLimit(concurrency);
  return (task) => limit(task);
};

export interface Settled<T> {
  readonly values: readonly T[];
  readonly errors: readonly unknown[];
}

/** Runs every task to its end, whatever becomes of the others. Values and errors keep the order of the tasks. */
export async function settleAll<T>(tasks: readonly (() => Promise<T>)[]): Promise<Settled<T>> {
  const outcomes = await Promise.allSettled(tasks.map((task) => task()));
  return {
    values: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
    errors: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : [])),
  };
}
