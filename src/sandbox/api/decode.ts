import { isJsonObject, type Json, type JsonObject, objectAt, plain } from '../../support/json.ts';
import { withoutNulls } from '../defaults/custom.ts';
import { apiVersionOf, type Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { type Decoded, DecodeError, decodeTyped, pruneCustom } from '../schema/decode.ts';
import { badRequest, StatusError } from '../status.ts';
import type { WriteOptions } from './environment.ts';

/** An applied object in the types of its kind; what does not fit is a failure of the server's conversion. */
export function convertObject(kind: Kind, object: Resource): Resource {
  const version = `${apiVersionOf(kind)}, Kind=${kind.kind}`;
  const { name, namespace = '' } = object.metadata;
  try {
    return withMetadata(decodeValues(kind, object, true).value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const what = `failed to convert new object (${namespace}/${name}; ${version}) to proper version`;
    throw new StatusError(500, '', `${what}: unable to convert unstructured object to ${version}: ${error.message}`);
  }
}

const withMetadata = (value: Json): Resource => {
  const decoded = value as Resource;
  return { ...decoded, metadata: decoded.metadata ?? ({} as Resource['metadata']) };
};

/**
 * A body as an object of the kind: version and kind must fit, unknown fields are dropped and, as fieldValidation asks,
 * refused or told.
 */
export function decodeObject(kind: Kind, body: Json, options: WriteOptions): Resource {
  if (!isJsonObject(body)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(body) ? 'array' : typeof body} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (${JSON.stringify(body).slice(0, 60)})`,
    );
  }
  const given = (value: Json | undefined): Json | undefined => (kind.custom === undefined ? value || undefined : value);
  const object = {
    ...body,
    apiVersion: given(body.apiVersion) ?? apiVersionOf(kind),
    kind: given(body.kind) ?? kind.kind,
  };
  checkType(kind, object);
  const { value, unknown } = decode(kind, object);
  reportUnknown(kind, unknown, options);
  const schema = objectAt(kind.custom, 'schema', 'openAPIV3Schema');
  return withMetadata(withoutNulls(schema, value));
}

function checkType(kind: Kind, object: JsonObject): void {
  const expected = apiVersionOf(kind);
  if (object.apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${plain(object.apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
  if (object.kind !== kind.kind) {
    const given = plain(object.kind);
    throw badRequest(
      `${given} in version "${kind.version}" cannot be handled as a ${kind.kind}: converting (${kind.version}.${given}) to (${kind.group === '' ? 'core' : kind.group.split('.')[0]}.${kind.kind}): unknown conversion`,
    );
  }
}

function decode(kind: Kind, object: JsonObject): Decoded {
  try {
    return decodeValues(kind, object);
  } catch (error) {
    if (error instanceof DecodeError) throw cannotBeHandled(kind, error.message);
    throw error;
  }
}

function decodeValues(kind: Kind, object: JsonObject, isConversion = false): Decoded {
  if (kind.custom === undefined) return decodeTyped(kind.type(), object, isConversion);
  const pruned = pruneCustom(kind.type(), object);
  const meta = decodeTyped(kind.type(), { metadata: object.metadata ?? {} });
  return {
    value: { ...(pruned.value as JsonObject), metadata: (meta.value as JsonObject).metadata ?? {} },
    unknown: [...new Set([...meta.unknown, ...pruned.unknown])],
  };
}

const cannotBeHandled = (kind: Kind, why: string): Error =>
  badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`);

function reportUnknown(kind: Kind, unknown: readonly string[], { fieldValidation = 'Warn', warn }: WriteOptions): void {
  if (unknown.length === 0) return;
  if (fieldValidation === 'Strict') {
    const fields = unknown.map((path) => `unknown field "${path}"`).join(', ');
    throw cannotBeHandled(kind, `strict decoding error: ${fields}`);
  }
  if (fieldValidation === 'Warn') for (const path of unknown) warn?.(`unknown field "${path}"`);
}
