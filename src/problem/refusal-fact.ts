import type { Quote } from './quote.ts';

/** What the API server refused, by its HTTP status, reason and causes; a webhook's or a policy's sentence is a quote. */
export type RefusalFact = {
  readonly code: 'refused';
  readonly status: number;
  readonly reason: string;
  readonly words: Quote;
};
