import { canonicalJson, compact, type Json, type JsonObject } from '../support/json.ts';

/** What names a kind in the API server's sentences. */
export interface KindName {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

/** One field that is wrong (field.Error of apimachinery). */
export interface FieldProblem {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

/** A refusal: the Status object that the client gets. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: JsonObject | undefined;

  constructor(code: number, reason: string, message: string, details?: JsonObject) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  toStatus(): JsonObject {
    return compact({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      reason: this.reason === '' ? undefined : this.reason,
      details: this.details,
      code: this.code,
    });
  }
}

/** `deployments.apps`, or `pods` in the core group. */
export const qualified = (kind: KindName): string => (kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`);

const qualifiedKind = (kind: KindName): string => (kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`);

const detailsOf = (kind: KindName, name: string): JsonObject =>
  compact({
    name: name === '' ? undefined : name,
    group: kind.group === '' ? undefined : kind.group,
    kind: kind.plural,
  });

export const notFound = (kind: KindName, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${qualified(kind)} "${name}" not found`, detailsOf(kind, name));

/** The answer where no kind is served at the path. */
export const resourceNotServed = (): StatusError =>
  new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});

export const alreadyExists = (kind: KindName, name: string): StatusError =>
  new StatusError(409, 'AlreadyExists', `${qualified(kind)} "${name}" already exists`, detailsOf(kind, name));

export const conflict = (kind: KindName, name: string, why: string): StatusError =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(kind)} "${name}": ${why}`,
    detailsOf(kind, name),
  );

export const staleVersion = (kind: KindName, name: string): StatusError =>
  conflict(kind, name, 'the object has been modified; please apply your changes to the latest version and try again');

export const badRequest = (message: string): StatusError => new StatusError(400, 'BadRequest', message);

export const methodNotAllowed = (): StatusError =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** A request body in a form that is not read here: protobuf, CBOR. */
export const unsupportedMediaType = (allowed: readonly string[]): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${allowed.join(', ')}`,
  );

export const notAcceptable = (allowed: readonly string[]): StatusError =>
  new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${allowed.join(', ')}`);

export const expired = (message: string): StatusError => new StatusError(410, 'Expired', message);

export const forbidden = (kind: KindName, name: string, why: string): StatusError =>
  new StatusError(
    403,
    'Forbidden',
    name === '' ? `${qualified(kind)} is forbidden: ${why}` : `${qualified(kind)} "${name}" is forbidden: ${why}`,
    detailsOf(kind, name),
  );

/** 422 with one cause for each field. */
export function invalid(kind: KindName, name: string, problems: readonly FieldProblem[]): StatusError {
  const sentences = [...new Set(problems.map((problem) => `${problem.field}: ${problem.message}`))];
  const list = sentences.length === 1 ? sentences[0] : `[${sentences.join(', ')}]`;
  const causes: Json[] = problems.map(({ reason, message, field }) => ({ reason, message, field }));
  return new StatusError(422, 'Invalid', `${qualifiedKind(kind)} "${name}" is invalid: ${list}`, {
    ...compact({ name: name === '' ? undefined : name, group: kind.group === '' ? undefined : kind.group }),
    kind: kind.kind,
    causes,
  });
}

export const required = (field: string, detail = ''): FieldProblem => ({
  reason: 'FieldValueRequired',
  field,
  message: detail === '' ? 'Required value' : `Required value: ${detail}`,
});

export const invalidValue = (field: string, value: Json | undefined, detail: string): FieldProblem => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${shown(value)}: ${detail}`,
});

export const unsupportedValue = (
  field: string,
  value: Json | undefined,
  supported: readonly string[],
): FieldProblem => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${shown(value)}: supported values: ${supported.map((text) => JSON.stringify(text)).join(', ')}`,
});

export const duplicate = (field: string, value: Json | undefined): FieldProblem => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${shown(value)}`,
});

export const missingReference = (field: string, value: Json | undefined): FieldProblem => ({
  reason: 'FieldValueNotFound',
  field,
  message: `Not found: ${shown(value)}`,
});

export const forbiddenField = (field: string, detail: string): FieldProblem => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${detail}`,
});

export const tooLong = (field: string, maxBytes: number): FieldProblem => ({
  reason: 'FieldValueTooLong',
  field,
  message: `Too long: may not be more than ${maxBytes} bytes`,
});

const shown = (value: Json | undefined): string => (value === undefined ? 'null' : canonicalJson(value));
