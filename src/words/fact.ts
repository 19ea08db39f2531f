import type { Fact } from '../problem/fact.ts';
import { type RefusalFact, refusalCodes } from '../problem/refusal-fact.ts';
import { type ReleaseFact, releaseCodes } from '../problem/release-fact.ts';
import { chartText } from './chart.ts';
import { refusalText } from './refusal.ts';
import { releaseText } from './release.ts';
import { workloadText } from './workload.ts';

/** A fact in one line. */
export function factText(fact: Fact): string {
  if ('outlook' in fact) return workloadText(fact);
  if (isRefusal(fact)) return refusalText(fact);
  return isOfRelease(fact) ? releaseText(fact) : chartText(fact);
}

const isRefusal = (fact: Fact): fact is RefusalFact => Object.hasOwn(refusalCodes, fact.code);
const isOfRelease = (fact: Fact): fact is ReleaseFact => Object.hasOwn(releaseCodes, fact.code);
