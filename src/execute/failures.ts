import { isApiError } from '../cluster/api-error.ts';
import { groupOf } from '../manifest/resource-id.ts';
import type { ResourceId } from '../manifest/types.ts';
import { addedDetail, messageOf, TshelmError } from '../support/errors.ts';
import { joinedProblems } from './faults.ts';

/** One error for several: the first as it came, or all messages line by line, the first first. */
export function joinFailures(errors: readonly unknown[]): unknown {
  const [first, ...others] = errors;
  if (others.length === 0) return first;
  const failures = errors.map(messageOf);
  const remedies = errors.flatMap((error) => addedDetail(error, 'remedies') ?? []);
  const notes = errors.flatMap((error) => addedDetail(error, 'notes') ?? []);
  const added = { ...(remedies.length > 0 && { remedies }), ...(notes.length > 0 && { notes: [...new Set(notes)] }) };
  const refusals = errors.flatMap((error) => addedDetail(error, 'refusals') ?? []);
  const details = { failures, problems: joinedProblems(errors), refusals, ...added };
  const joined = { message: failures.join('\n'), details };
  return first instanceof TshelmError ? first.wrapped(joined) : new TshelmError('failed', { ...joined, cause: first });
}

/** The same failure, with the step that failed before its message. */
export const withPrefix = (step: string, failure: unknown): unknown =>
  failure instanceof TshelmError ? failure.wrapped({ message: `${step}: ${failure.message}` }) : failure;

/** Why an object could not be applied, in Helm's words (kube.patchResourceServerSide, kube.createResource). */
export function applyFailure(id: ResourceId, cause: unknown, isClientSide = false): unknown {
  if (!isApiError(cause)) return cause;
  const { message, failure } = cause;
  const { reason, status } = failure;
  const object = formatObject(id);
  const details = { ...id, reason, status };
  if (isClientSide) return new TshelmError('apply-failed', { message, details, cause });
  if (reason === 'Conflict') {
    const text = `conflict occurred while applying object ${object}: ${message}`;
    return new TshelmError('apply-conflict', { message: text, details, cause });
  }
  const text =
    status === 415
      ? `server-side apply not available on the server: ${message}`
      : `server-side apply failed for object ${object}: ${message}`;
  return new TshelmError('apply-failed', { message: text, details, cause });
}

/** `default/web apps/v1, Kind=Deployment`, as Helm's errors name an object. */
const formatObject = (id: ResourceId): string => `${id.namespace}/${id.name} ${formatKind(id)}`;

/** Go's GroupVersionKind.String(): `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
function formatKind({ apiVersion, kind }: ResourceId): string {
  return `${groupOf(apiVersion) === '' ? '/' : ''}${apiVersion}, Kind=${kind}`;
}
