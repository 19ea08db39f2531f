import type { Extent } from '../support/lines.ts';

/** What is told of a place, as Markdown. */
export interface Hover extends Extent {
  readonly markdown: string;
}
