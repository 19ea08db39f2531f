import { causesOf, type DetailsOf, TshelmError } from '../support/errors.ts';
import type { ApiFailure } from './types.ts';

/** The API server refused a request. `code` of the TshelmError is `api-error`. */
export class ApiError extends TshelmError<'api-error'> {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    const { method, path, status, reason, message } = failure;
    super('api-error', { message, details: { method, path, status, reason } });
    this.failure = failure;
  }
}

export const isApiError = (thrown: unknown, reason?: string): thrown is ApiError =>
  thrown instanceof ApiError && (reason === undefined || thrown.failure.reason === reason);

/** What the API server said where it refused, also where an error says it in other words. */
export const refusalIn = (thrown: unknown): ApiFailure | undefined =>
  causesOf(thrown).find((cause) => isApiError(cause))?.failure;

/** Whether the namespace of what was asked for is not there. */
export const lacksNamespace = ({ status, about }: ApiFailure): boolean => status === 404 && about === 'namespaces';

/** Whether fields belong to another manager. Any other conflict is one of versions, which passes. */
export const isFieldConflict = ({ status, causes }: ApiFailure): boolean =>
  status === 409 && causes.some(({ reason }) => reason === 'FieldManagerConflict');

/** Whether somebody has written an object since it was read, also where an error says it in other words. */
export function isVersionConflict(thrown: unknown): boolean {
  const refusal = refusalIn(thrown);
  return refusal?.reason === 'Conflict' && !isFieldConflict(refusal);
}

/** Whether the server refused for this reason, also where an error says it in other words. */
export const isRefusedFor = (thrown: unknown, reason: string): boolean =>
  causesOf(thrown).some((cause) => isApiError(cause, reason));

/** The API server cannot be asked: `cluster-unreachable`, with Helm's words before the cause. */
export const clusterUnreachable = (
  why: string,
  cause?: unknown,
  { asked, kubeconfig }: DetailsOf<'cluster-unreachable'> = {},
): TshelmError =>
  new TshelmError('cluster-unreachable', {
    message: `kubernetes cluster unreachable: ${why}`,
    cause,
    details: { asked, kubeconfig },
  });

/** The failure of a command's first request: Helm asks for the server's version before, and so knows a wrong token by then. */
export const asFirstFailure = (cause: unknown): unknown =>
  isApiError(cause) && cause.failure.status === 401
    ? clusterUnreachable(cause.message, cause, { asked: cause.failure.asked })
    : cause;
