import { timedOut } from '../cluster/timed-out.ts';
import { InterruptedBatch, interruptedText } from '../execute/units.ts';
import { slogLine } from '../go/slog.ts';
import { addedDetail, hasCode, isAbort, messageOf, TshelmError } from '../support/errors.ts';

/**
 * What a failure is called in a record; Helm's words where the user interrupted it, and how far it had come then. Of a
 * failed wait it is the first line, which names the likely cause, and several failures are in one line: history is a
 * table.
 */
export function failureText(error: unknown, whereabouts = ''): string {
  if (hasCode(error, 'wait-failed', 'wait-timeout')) return shortText(error);
  const message = messageOf(error);
  if (!isAbort(error)) return hasSeveralFailures(error) ? message.replaceAll('\n', ' && ') : message;
  const text = error instanceof InterruptedBatch ? message : interruptedText;
  return whereabouts === '' ? text : `${text} ${whereabouts}`;
}

/** Several failures, a line each (joinFailures); Helm joins them in one. */
const hasSeveralFailures = (error: unknown): boolean =>
  error instanceof TshelmError && error.details.failures !== undefined;

function shortText(error: TshelmError<'wait-failed' | 'wait-timeout'>): string {
  const [first = '', ...others] = error.message.split('\n');
  const short = first.length > longestText ? `${first.slice(0, longestText - 1)}…` : first;
  return others.length > 0 && hasCode(error, 'wait-timeout')
    ? `${short}; ${timedOut(error.details.timeoutMs, error.details.limitedBy)}`
    : short;
}

const longestText = 512;

/** Runs `task`; what it throws gets Helm's words for the step before its message. Code, details and cause stay. */
export async function withStepPrefix<T>(step: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    if (!(cause instanceof TshelmError)) throw cause;
    throw cause.wrapped({ message: `${step}: ${cause.message}` });
  }
}

/** The same for a step whose failure Helm also logs; `details.warnings` has the line. */
export const withLoggedStep = <T>(step: string, task: () => Promise<T>): Promise<T> =>
  withStepPrefix(step, async () => {
    try {
      return await task();
    } catch (cause) {
      if (!(cause instanceof TshelmError)) throw cause;
      const { message } = cause;
      const warnings = [...(addedDetail(cause, 'warnings') ?? []), slogLine('ERROR', step, { error: message })];
      throw cause.wrapped({ message, details: { warnings } });
    }
  });

/** Runs what follows a render; a failure without warnings of its own gets those of the render. */
export async function keepingWarnings<T>(warnings: readonly string[], task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    if (warnings.length === 0 || !(cause instanceof TshelmError) || addedDetail(cause, 'warnings')) throw cause;
    throw cause.wrapped({ message: cause.message, details: { warnings } });
  }
}
