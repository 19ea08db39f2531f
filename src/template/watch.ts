import type { Value } from '../go/value.ts';
import type { Origins } from './origin.ts';
import type { Known, Origin } from './trace.ts';

/** What is kept of a failure: what was in hand where it happened. */
export interface FailureTrace {
  /** Where the value comes from whose field was read, or that was ranged over. */
  readonly origin: Origin;
  /** Of the value that the pipeline handed on. */
  readonly final: Origin;
  /** What the function was called with that failed. */
  readonly given: readonly Known[];
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
