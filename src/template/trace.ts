import type { Source } from './node.ts';

/** What one run of a template wrote, and where each part of it comes from. */
export interface RunTrace {
  readonly text: string;
  /** In the order of the text. */
  readonly pieces: readonly Piece[];
  /** The runs that its functions have made (Helm's `include` and `tpl`), those of its variables too. */
  readonly runs: readonly RunTrace[];
}

/** A part of a text: literal text of a template, or what one action printed. */
export interface Piece {
  /** Indexes of the text. */
  readonly from: number;
  readonly until: number;
  readonly source: Source;
  /** The index in the source of the literal text, or of the action's "{{". */
  readonly start: number;
  /** Of an action: the runs that it made. */
  readonly runs?: readonly RunTrace[];
}
