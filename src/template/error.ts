import { causesOf } from '../support/errors.ts';

/** What is wrong in a template, where that is more than a text. `owner` and `text` are written as in the template. */
export type TemplateFact =
  /** A field of nothing was read. */
  | { readonly kind: 'nil-pointer'; readonly field: string; readonly owner: string }
  /** A field was read of what has none, such as a text. */
  | { readonly kind: 'no-field'; readonly field: string; readonly owner: string }
  | { readonly kind: 'not-iterable'; readonly text: string }
  /** A function failed. */
  | { readonly kind: 'call-failed'; readonly name: string }
  | { readonly kind: 'unknown-function'; readonly name: string }
  | { readonly kind: 'unknown-template'; readonly name: string }
  | { readonly kind: 'wrong-type'; readonly wanted: string; readonly got: string }
  /** A function gets too few or too many arguments. */
  | { readonly kind: 'wrong-count'; readonly name: string; readonly wanted: ArgumentCount; readonly given: number }
  /** The text ends before an action that is open. */
  | { readonly kind: 'unexpected-end' }
  /** A template is defined inside of another one, or of a block: the `end` before it is missing. */
  | { readonly kind: 'nested-define' }
  /** An `end` or `else` where no block is open. */
  | { readonly kind: 'stray-end'; readonly word: 'end' | 'else' }
  /** An action ends with one brace. */
  | { readonly kind: 'single-brace' }
  /** Another action begins before one ends: the line where that one begins. */
  | { readonly kind: 'no-brace'; readonly line: number };

/** How many arguments a function takes; of a variadic one at least so many. */
export interface ArgumentCount {
  readonly count: number;
  readonly isLeast: boolean;
}

/** Where and why a template failed. */
export interface TemplateFailure {
  readonly message: string;
  /** The file that the position belongs to, as it was named when it was parsed. */
  readonly templateName: string;
  /** The template or define that was running; undefined while parsing. */
  readonly executing?: string | undefined;
  /** Counted from 1; 0 where the failure has no position. */
  readonly line: number;
  /** Bytes before the place in its line; undefined for parse errors, which name only the line. */
  readonly column?: number | undefined;
  /** The source of the failing part, as in `at <.Values.a.b>`. */
  readonly context?: string | undefined;
  readonly fact?: TemplateFact | undefined;
  /** The error of the function that was called, or JavaScript's own where its stack was full. */
  readonly cause?: unknown;
}

/** A template that does not parse or whose execution failed; `message` is worded as Go's text/template does. */
export class TemplateError extends Error {
  readonly templateName: string;
  readonly executing: string | undefined;
  readonly line: number;
  readonly column: number | undefined;
  readonly context: string | undefined;
  readonly fact: TemplateFact | undefined;

  constructor(failure: TemplateFailure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = 'TemplateError';
    this.templateName = failure.templateName;
    this.executing = failure.executing;
    this.line = failure.line;
    this.column = failure.column;
    this.context = failure.context;
    this.fact = failure.fact;
  }
}

/** Whether `thrown` says that something became larger than JavaScript admits. */
export const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof RangeError && sizeProblems.some((problem) => thrown.message.includes(problem));

const sizeProblems = ['Invalid string length', 'Invalid array length', 'allocation failed', 'maximum size'];

/** What is wrong by the engine's own word; of a chain of failures the innermost. */
export const templateFact = (error: unknown): TemplateFact | undefined =>
  causesOf(error).findLast((cause) => cause instanceof TemplateError)?.fact;
