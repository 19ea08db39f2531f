/** A failure that the user can meet: what happened, the facts, and the way out. The cause is kept. */
export class TshelmError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    options: { message: string; details?: Readonly<Record<string, unknown>> | undefined; cause?: unknown },
  ) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TshelmError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Ends a switch over a union: a kind that the compiler has not seen cannot come here. */
export function unreachable(value: never): never {
  throw new Error(`internal: unreachable case ${JSON.stringify(value)}`);
}

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Whether `thrown` is a TshelmError with this code. */
export const hasCode = (thrown: unknown, code: string): thrown is TshelmError =>
  thrown instanceof TshelmError && thrown.code === code;

/** A place in a text that the user wrote: shown with the lines around it. `line` and `column` count from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column?: number | undefined;
  /** The whole text of the file. */
  readonly text: string;
}

/** Adds the place in the user's text that an error speaks of; `details.place` of the TshelmError. */
export const atPlace = (code: string, thrown: unknown, place: SourcePlace, message = messageOf(thrown)): TshelmError =>
  new TshelmError(code, { message, details: { place }, cause: thrown });

/** An error, its cause, the cause of that, and so on. */
export function causesOf(thrown: unknown): Error[] {
  const causes: Error[] = [];
  for (let at = thrown; at instanceof Error; at = at.cause) causes.push(at);
  return causes;
}

/** The first place that an error or one of its causes names. */
export function placeOf(thrown: unknown): SourcePlace | undefined {
  for (const cause of causesOf(thrown)) {
    const place = cause instanceof TshelmError ? cause.details['place'] : undefined;
    if (place !== undefined) return place as SourcePlace;
  }
  return undefined;
}
