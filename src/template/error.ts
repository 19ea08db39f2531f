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

  constructor(failure: TemplateFailure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = 'TemplateError';
    this.templateName = failure.templateName;
    this.executing = failure.executing;
    this.line = failure.line;
    this.column = failure.column;
    this.context = failure.context;
  }
}

/** Whether `thrown` says that something became larger than JavaScript admits. */
export const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof RangeError && sizeProblems.some((problem) => thrown.message.includes(problem));

const sizeProblems = ['Invalid string length', 'Invalid array length', 'allocation failed', 'maximum size'];
