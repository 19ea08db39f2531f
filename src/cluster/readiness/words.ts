import type { Readiness } from '../types.ts';

export const ready: Readiness = { state: 'ready' };
export const waiting = (reason: string): Readiness => ({ state: 'waiting', reason });
/** What stands in the way, then what is waited for. */
export const hindered = (cause: string, reason: string): Readiness => ({
  state: 'waiting',
  reason: `${cause}; ${reason}`,
  cause,
});
export const failed = (reason: string): Readiness => ({ state: 'failed', reason });

/** `2 of 3 replicas available` */
export const of = (count: number, wanted: number, what: string): string => `${count} of ${wanted} ${what}`;
