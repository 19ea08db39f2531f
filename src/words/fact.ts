import type { Fact } from '../problem/fact.ts';
import { type RefusalFact, refusalCodes } from '../problem/refusal-fact.ts';
import { quoted } from './quote.ts';
import { refusalText } from './refusal.ts';

/** A fact in one line. */
export function factText(fact: Fact): string {
  if (isRefusal(fact)) return refusalText(fact);
  const words = 'words' in fact && fact.words !== undefined ? [quoted(fact.words)] : [];
  return [...('reason' in fact && fact.reason !== '' ? [fact.reason] : []), ...words].join(': ');
}

const isRefusal = (fact: Fact): fact is RefusalFact => Object.hasOwn(refusalCodes, fact.code);
