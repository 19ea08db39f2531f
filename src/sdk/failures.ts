import { withYamlProblem } from '../render/yaml-problem.ts';
import { type ErrorCode, hasCode, TshelmError } from '../support/errors.ts';

/** A failure as the library reports it. The one that it was is its cause where its message is another. */
export function failureForPrograms(thrown: unknown): unknown {
  const failure = withYamlProblem(thrown);
  if (!(failure instanceof TshelmError)) return failure;
  if (hasCode(failure, 'stack-failed')) return stackFailure(failure);
  const message = namedText(failure);
  return message === undefined ? failure : failure.wrapped({ message });
}

/** Helm does not name the release that it does not find; a program may have asked for a hundred. */
function namedText(failure: TshelmError): string | undefined {
  if (hasCode(failure, 'release-not-found')) return `release "${failure.details.release}" not found`;
  if (hasCode(failure, 'revision-not-found')) {
    const { release, revision, revisions } = failure.details;
    if (revision < 1)
      return `release "${release}" has only revision ${revisions.join(', ')}: there is none to go back to`;
    return `release "${release}" has no revision ${revision}; it has ${revisions.join(', ')}`;
  }
  if (hasCode(failure, 'release-exists')) {
    const { release, revision } = failure.details;
    return `revision ${revision} of release "${release}" already exists`;
  }
  return undefined;
}

/** With the failure of each release as the library reports it. */
function stackFailure({ message, details, cause }: TshelmError<'stack-failed'>): TshelmError {
  const errors = Object.entries(details.errors).map(([id, error]) => [id, failureForPrograms(error)]);
  return new TshelmError('stack-failed', {
    message,
    details: { ...details, errors: Object.fromEntries(errors) },
    cause,
  });
}

/** Runs work whose failures leave the library. */
export async function withFailuresForPrograms<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failureForPrograms(error);
  }
}

/** The same for work that does not wait. */
export function withFailuresForProgramsSync<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failureForPrograms(error);
  }
}

/** Whether `thrown` is a failure of tshelm. */
export function isTshelmError(thrown: unknown): thrown is TshelmError;
/** Whether it is one of these codes: `if (isTshelmError(error, 'wait-failed')) error.details.unready`. */
export function isTshelmError<Code extends ErrorCode>(
  thrown: unknown,
  ...codes: readonly [Code, ...Code[]]
): thrown is TshelmError<Code>;
export function isTshelmError(thrown: unknown, ...codes: readonly ErrorCode[]): boolean {
  return codes.length === 0 ? thrown instanceof TshelmError : hasCode(thrown, ...codes);
}
