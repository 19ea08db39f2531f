import type { Fact } from '../problem/fact.ts';
import { type RefusalFact, refusalCodes } from '../problem/refusal-fact.ts';
import { type ReleaseFact, releaseCodes } from '../problem/release-fact.ts';
import { chartText } from './chart.ts';
import { isOfOrder, orderText } from './order.ts';
import { refusalText } from './refusal.ts';
import { releaseText } from './release.ts';
import { isOfVersion, versionText } from './version.ts';
import { workloadText } from './workload.ts';

/** A fact in one line. */
export function factText(fact: Fact): string {
  if ('outlook' in fact) return workloadText(fact);
  if (isRefusal(fact)) return refusalText(fact);
  if (isOfVersion(fact)) return versionText(fact);
  if (isOfRelease(fact)) return releaseText(fact);
  return isOfOrder(fact) ? orderText(fact) : chartText(fact);
}

const isRefusal = (fact: Fact): fact is RefusalFact => Object.hasOwn(refusalCodes, fact.code);
const isOfRelease = (fact: Fact): fact is ReleaseFact => Object.hasOwn(releaseCodes, fact.code);
