import { messageOf, TshelmError } from '../support/errors.ts';

/** What a failure is called in a record; Helm's words where the user interrupted it. */
export function failureText(error: unknown): string {
  const message = messageOf(error);
  return isAbort(error) && !message.startsWith(interrupted) ? interrupted : message;
}

const interrupted = 'context canceled';

export const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');

/** Runs `task`; what it throws gets Helm's words for the step before its message. Code, details and cause stay. */
export async function prefixed<T>(step: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    if (!(cause instanceof TshelmError)) throw cause;
    throw new TshelmError(cause.code, { message: `${step}: ${cause.message}`, details: cause.details, cause });
  }
}
