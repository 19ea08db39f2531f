import type { Fact } from '../problem/fact.ts';
import { type RefusalFact, refusalCodes } from '../problem/refusal-fact.ts';
import type { WorkloadFact } from '../problem/workload-fact.ts';
import { chartText } from './chart.ts';
import { refusalText } from './refusal.ts';
import { workloadText } from './workload.ts';

/** A fact in one line. */
export function factText(fact: Fact): string {
  // A quota refuses an object and the pods of one: the same code, in two stories.
  if (isOfWorkload(fact)) return workloadText(fact);
  if (isRefusal(fact)) return refusalText(fact);
  return chartText(fact);
}

const isOfWorkload = (fact: Fact): fact is WorkloadFact => 'outlook' in fact;
const isRefusal = (fact: Fact): fact is RefusalFact => Object.hasOwn(refusalCodes, fact.code);
