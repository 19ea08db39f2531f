import type { WorkloadFact } from '../../problem/workload-fact.ts';
import { factsText } from '../../words/workload.ts';
import type { Readiness } from '../types.ts';

export const ready: Readiness = { state: 'ready' };
export const waiting = (reason: string): Readiness => ({ state: 'waiting', reason });
export const failed = (reason: string): Readiness => ({ state: 'failed', reason });

/** What is in the way, then what is waited for. */
export function hinderedBy(facts: readonly WorkloadFact[], reason: string | undefined): Readiness {
  const cause = factsText(facts);
  return { state: 'waiting', reason: [cause, reason ?? []].flat().join('; '), cause, facts };
}

export const failedBy = (facts: readonly WorkloadFact[]): Readiness => ({
  state: 'failed',
  reason: factsText(facts),
  facts,
});

/** `2 of 3 replicas available` */
export const countOfWanted = (count: number, wanted: number, what: string): string => `${count} of ${wanted} ${what}`;
