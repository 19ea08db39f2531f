import { type Quote, textOf } from '../problem/quote.ts';

/** What somebody else wrote, as it is printed: whole, in one line or several. */
export const quoted = (quote: Quote): string => textOf(quote);
