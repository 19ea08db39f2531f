/**
 * The failures that users can meet, by code, each with the facts that it comes with. Every room adds its own in its
 * `error-codes.ts`; the comment of a code says what it means and then what to do, and becomes docs/errors.md
 * (`npm run docs:errors`). A code that is not declared does not compile, and neither do other facts than its own.
 */
export interface ErrorDetails {
  /** A failure without a code of its own. The message says what failed. */
  failed: NoDetails;
}

/** Of a code that its message says everything about. */
export type NoDetails = Readonly<Record<never, never>>;

/** Facts that any failure may get where it passes on its way up; rooms add theirs. */
export interface AddedDetails {
  /** The place in the user's file that the failure is about. */
  readonly place: SourcePlace;
}

/** Those of them that are known where a failure passes. */
export type KnownDetails = { readonly [Name in keyof AddedDetails]?: AddedDetails[Name] | undefined };

export type ErrorCode = keyof ErrorDetails;

/** What a failure of this code tells beside its message. */
export type DetailsOf<Code extends ErrorCode> = Readonly<ErrorDetails[Code]> & KnownDetails;

type DetailsOption<Code extends ErrorCode> = NoDetails extends ErrorDetails[Code]
  ? { readonly details?: DetailsOf<Code> | undefined }
  : { readonly details: DetailsOf<Code> };

/** A failure that the user can meet: what happened, the facts, and the way out. The cause is kept. */
export class TshelmError<Code extends ErrorCode = ErrorCode> extends Error {
  static {
    // A bundler renames a class that speaks of itself, and every log shows the name.
    Object.defineProperty(this, 'name', { value: 'TshelmError' });
    Object.defineProperty(this.prototype, Symbol.for('nodejs.util.inspect.custom'), { value: inspected });
  }

  readonly code: Code;
  readonly details: DetailsOf<Code>;

  constructor(code: Code, options: { readonly message: string; readonly cause?: unknown } & DetailsOption<Code>) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TshelmError';
    this.code = code;
    this.details = options.details ?? ({} as DetailsOf<Code>);
  }

  /** What is wrong, where, and what to do, as data (docs/problems.md). Of a template it is looked for when it is asked for. */
  get problems(): AddedDetails['problems'] {
    return problemsOf(this);
  }

  /** The same failure as it is reported further up: another message, and what is known there beside it. This one is its cause. */
  wrapped({ message, details }: { readonly message: string; readonly details?: KnownDetails }): TshelmError<Code> {
    const options = { message, details: { ...this.details, ...details }, cause: this };
    return new TshelmError<ErrorCode>(this.code, options) as TshelmError<Code>;
  }
}

type ProblemText = (problem: AddedDetails['problems'][number]) => string;
let problemText: ProblemText | undefined;

/** What `console.log` and a program that does not catch a failure show of its problems. */
export function showProblemsAs(text: ProblemText): void {
  problemText = text;
}

/** The code, the message, where it was thrown, and what to do; `details` and `cause` have pages of data. */
function inspected(this: TshelmError): string {
  const frames = (this.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const problems = problemText === undefined ? [] : this.problems.map(problemText);
  return [`${this.name} [${this.code}]: ${this.message}`, ...frames, ...problems].join('\n');
}

/** Ends a switch over a union: a kind that the compiler has not seen cannot come here. */
export function unreachable(value: never): never {
  throw new Error(`internal: unreachable case ${JSON.stringify(value)}`);
}

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Whether `thrown` is a TshelmError with one of these codes; its details are theirs then. */
export const hasCode = <Code extends ErrorCode>(
  thrown: unknown,
  ...codes: readonly Code[]
): thrown is TshelmError<Code> => thrown instanceof TshelmError && codes.some((code) => code === thrown.code);

/** A detail that failures get on their way up: of this failure, or of the first of its causes that has it. */
export function addedDetail<Name extends keyof AddedDetails>(
  thrown: unknown,
  name: Name,
): AddedDetails[Name] | undefined {
  for (const cause of causesOf(thrown)) {
    const detail = cause instanceof TshelmError ? (cause.details as KnownDetails)[name] : undefined;
    if (detail !== undefined) return detail;
  }
  return undefined;
}

/** What is wrong by a failure, the likely cause first. */
export const problemsOf = (thrown: unknown): AddedDetails['problems'] => [
  ...(addedDetail(thrown, 'findProblems')?.() ?? []),
  ...(addedDetail(thrown, 'problems') ?? []),
];

/** Whether the user, or a signal, ended what was under way. */
export const isAbort = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'TimeoutError');

/** A place in a text that the user wrote: shown with the lines around it. `line` and `column` count from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column?: number | undefined;
  /** The whole text of the file. */
  readonly text: string;
}

/** An error, its cause, the cause of that, and so on. */
export function causesOf(thrown: unknown): Error[] {
  const causes: Error[] = [];
  for (let at = thrown; at instanceof Error; at = at.cause) causes.push(at);
  return causes;
}
