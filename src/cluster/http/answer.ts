import type { KubernetesObject } from '../../manifest/types.ts';
import { parseJson } from '../../support/exact-json.ts';
import { ApiError, clusterUnreachable } from '../api-error.ts';
import { listOf, mapOf, misfitOf, plainMisfit, type Shape, type Shaped, struct } from '../shape.ts';
import type { ApiFailure, ServerVersion } from '../types.ts';
import type { ApiResponse } from './exchange.ts';

const statusShape = struct('Status', {
  kind: 'string',
  message: 'string',
  reason: 'string',
  details: struct('StatusDetails', {
    kind: 'string',
    name: 'string',
    causes: listOf(struct('StatusCause', { reason: 'string', message: 'string', field: 'string' })),
  }),
});

const metadataShape = struct('ObjectMeta', {
  name: 'string',
  namespace: 'string',
  uid: 'string',
  resourceVersion: 'string',
  creationTimestamp: 'string',
  deletionTimestamp: 'string',
  labels: mapOf('string'),
  annotations: mapOf('string'),
  finalizers: listOf('string'),
  ownerReferences: listOf(struct('OwnerReference', { kind: 'string', name: 'string', uid: 'string' })),
});
const objectShape = struct('Object', { apiVersion: 'string', kind: 'string', metadata: metadataShape });
const versionShape = struct('Info', { major: 'string', minor: 'string', gitVersion: 'string' });
const listShape = struct('List', {
  metadata: struct('ListMeta', { resourceVersion: 'string', continue: 'string' }),
  items: listOf(objectShape),
});

/** A list, or one page of it. */
export interface ListPage {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string } | null;
  readonly items?: readonly KubernetesObject[] | null;
}

type RefusingAnswer = Pick<ApiResponse, 'status' | 'text' | 'asked'>;

/** The refusal in an answer: the Status object's words, or client-go's where the server sent none (api/errors.NewGenericServerResponse). */
export function apiErrorOf(method: string, path: string, answer: RefusingAnswer): ApiError {
  const status = statusIn(answer.text);
  return new ApiError({
    status: answer.status,
    reason:
      status?.reason ||
      reasons[answer.status] ||
      (status === undefined && answer.status >= 500 ? 'InternalError' : 'Unknown'),
    message: (answer.status !== 401 && status?.message) || genericMessage(answer),
    about: status?.details?.kind ?? undefined,
    named: status?.details?.name ?? undefined,
    causes: (status?.details?.causes ?? []) as ApiFailure['causes'],
    method,
    path,
    asked: answer.asked,
  });
}

/** What an answer holds. Errors: `cluster-unreachable` where it is no JSON: something else than an API server answers. */
export function jsonIn(method: string, path: string, { status, text }: { status: number; text: string }): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const excerpt = JSON.stringify(text.trim().slice(0, 100));
    throw clusterUnreachable(`${method} ${path}: the answer (status ${status}) is not JSON: ${excerpt}`, cause);
  }
}

interface Answer {
  readonly method: string;
  readonly path: string;
  readonly value: unknown;
}

/** The object of an answer. Errors: `cluster-unreachable` where it is none: nobody else looks at its shape again. */
export function objectOf(answer: Answer): KubernetesObject {
  const object = checked(answer, objectShape) as KubernetesObject;
  if (!object.metadata) throw malformed(answer, 'it has no metadata');
  return object;
}

/** The same of an object that no list has told the kind of. */
export function typedObjectOf(answer: Answer): KubernetesObject {
  const object = objectOf(answer);
  const missing = (['apiVersion', 'kind'] as const).find((field) => !object[field]);
  if (missing !== undefined) throw malformed(answer, `it has no ${missing}`);
  return object;
}

/** The list of an answer, or one page of it. Errors: `cluster-unreachable` where it is none. */
export function listPageOf(answer: Answer): ListPage {
  const page = checked(answer, listShape) as ListPage;
  const nameless = page.items?.findIndex(({ metadata }) => !metadata) ?? -1;
  if (nameless >= 0) throw malformed(answer, `items[${nameless}] has no metadata`);
  return page;
}

/** What /version answers. Errors: `cluster-unreachable` where it is no object. */
export function serverVersionOf(answer: Answer): ServerVersion {
  const { major, minor, gitVersion } = checked(answer, versionShape);
  return { major: major ?? '', minor: minor ?? '', gitVersion: gitVersion ?? '' };
}

/** The answer itself, where it has a shape. Errors: `cluster-unreachable`. */
export function checked<const S extends Shape>(answer: Answer, shape: S): Shaped<S> {
  const { value } = answer;
  if (typeof value !== 'object' || value === null) throw malformed(answer, `it is ${JSON.stringify(value)}`);
  const misfit = misfitOf(value, shape);
  if (misfit !== undefined) throw malformed(answer, plainMisfit(misfit));
  return value as Shaped<S>;
}

const malformed = ({ method, path }: Answer, problem: string): ApiError | Error =>
  clusterUnreachable(`${method} ${path}: the answer is not a valid Kubernetes API response: ${problem}`);

export function statusIn(text: string): Shaped<typeof statusShape> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const parsed = parseJson(text) as Shaped<typeof statusShape>;
    return parsed.kind === 'Status' && misfitOf(parsed, statusShape) === undefined ? parsed : undefined;
  } catch {
    // It is no JSON, and so no Status.
    return undefined;
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

const genericMessages: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  403: 'the server does not allow access to the requested resource',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

function genericMessage({ status, text }: { status: number; text: string }): string {
  const known = genericMessages[status];
  if (known !== undefined) return known;
  const excerpt = JSON.stringify(text.trim().slice(0, 256));
  return status >= 500
    ? `an error on the server (${excerpt}) has prevented the request from succeeding`
    : `the server responded with the status code ${status} but did not return more information: ${excerpt}`;
}
