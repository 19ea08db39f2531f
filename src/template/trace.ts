import type { Value } from '../go/value.ts';
import type { Source } from './node.ts';
import type { Known, Origin, Origins } from './origin.ts';

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

/** What is kept of a failure: what was in hand where it happened. */
export interface FailureTrace {
  /** Where the value comes from whose field was read, or that was ranged over. */
  readonly origin: Origin;
  /** What the function was called with that failed. */
  readonly given: readonly Known[];
  /** What the conditions and loops on the way ask, the innermost first. */
  readonly conditions: readonly Origin[];
}

/** Of functions that put values into maps: notes where their members come from. Called before the function; what it returns after it. */
export type OriginRule = (args: readonly Known[], origins: Origins) => (result: Value) => Origin | undefined;

/** What a traced run watches, and what it finds out. */
export interface Watch {
  readonly origins: Origins;
  /** By the functions' names. */
  readonly rules: ReadonlyMap<string, OriginRule>;
  failure?: FailureTrace | undefined;
}
