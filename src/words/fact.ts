import type { Fact } from '../problem/fact.ts';
import { type RefusalFact, refusalCodes } from '../problem/refusal-fact.ts';
import { type VersionFact, versionCodes } from '../problem/version-fact.ts';
import { chartText } from './chart.ts';
import { refusalText } from './refusal.ts';
import { versionText } from './version.ts';
import { workloadText } from './workload.ts';

/** A fact in one line. */
export function factText(fact: Fact): string {
  if ('outlook' in fact) return workloadText(fact);
  if (isRefusal(fact)) return refusalText(fact);
  if (isOfVersion(fact)) return versionText(fact);
  return chartText(fact);
}

const isRefusal = (fact: Fact): fact is RefusalFact => Object.hasOwn(refusalCodes, fact.code);

const isOfVersion = (fact: Fact): fact is VersionFact => Object.hasOwn(versionCodes, fact.code);
