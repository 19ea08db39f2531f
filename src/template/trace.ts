import type { Value } from '../go/value.ts';
import type { Source } from './node.ts';

/** What one run of a template wrote, and where each part of it comes from. */
export interface RunTrace {
  readonly text: string;
  /** In the order of the text. */
  readonly pieces: readonly Piece[];
  /** The conditions and loops, each with the part of the text that it wrote, or would have written. */
  readonly branches: readonly Piece[];
}

/** A part of a text: literal text of a template, what one action printed, or what stood in a condition or a loop. */
export interface Piece {
  /** Indexes of the text. */
  readonly from: number;
  readonly until: number;
  readonly source: Source;
  /** The index in the source of the literal text, or of the action's "{{". */
  readonly start: number;
  /** Of literal text: only of a text that is itself a value (`tpl`). Of a branch: of what it asks. */
  readonly origin?: Origin | undefined;
  readonly isLiteral: boolean;
}

/** Where a value of a traced run comes from. A literal comes from nowhere: {@link noOrigin}. */
export interface Origin {
  /** It was read there: the keys that lead to it from the watched data. Of a list the item's number. */
  readonly keys?: readonly string[];
  /** It is the last of the keys itself, as `range $key, $value` gives it. */
  readonly isKey?: true;
  /** It is the text of this run. */
  readonly run?: RunTrace;
  /** It was made of these. */
  readonly from?: readonly Origin[];
  /** These decided that it is this value. */
  readonly deciders?: readonly Origin[];
}

/** A value and where it comes from. */
export interface Known {
  readonly value: Value;
  readonly origin: Origin;
}
