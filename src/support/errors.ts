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
