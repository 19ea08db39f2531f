import { isJsonObject, type Json, type JsonObject } from '../../support/json.ts';
import { isReadablePattern } from './patterns.ts';

/**
 * Whether a schema of a CustomResourceDefinition, and each schema below it, is written in the forms that nearly all have:
 * nothing of it is unknown, of a wrong type, dropped when it is read, or refused. Large CRDs consist of ten thousands of
 * such schemas, which decoding and the rules then need not visit one by one. False says nothing: whoever asks looks closer.
 */
export const isPlainSchema = (value: Json | undefined): boolean => {
  if (!isJsonObject(value)) return false;
  if (plain.has(value)) return true;
  if (!marked.has(value) && isMarkedPlain(value)) plain.add(value);
  marked.add(value);
  return plain.has(value);
};

/** The schemas that are plain while the one above them is not; those below them are not listed. */
const plain = new WeakSet<JsonObject>();
/** Those that were looked at. */
const marked = new WeakSet<JsonObject>();

/** Whether the schema is plain. Of one that is not, the plain ones below it are marked. */
function isMarkedPlain(schema: JsonObject): boolean {
  const below: JsonObject[] = [];
  let isPlain = hasPlainType(schema);
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    const inner = schemasIn(keyword, value);
    if (inner === undefined) isPlain &&= keywords.get(keyword)?.(value, schema) === true;
    else for (const one of inner) isPlain = isMarkedBelow(one, below) && isPlain;
  }
  if (!isPlain) for (const one of below) plain.add(one);
  return isPlain;
}

function isMarkedBelow(value: Json | undefined, below: JsonObject[]): boolean {
  if (!isJsonObject(value)) return false;
  const isPlain = plain.has(value) || isMarkedPlain(value);
  if (isPlain) below.push(value);
  else marked.add(value);
  return isPlain;
}

/** The schemas that a keyword holds; undefined for other keywords. An empty one is no plain schema. */
function schemasIn(keyword: string, value: Json | undefined): readonly (Json | undefined)[] | undefined {
  if (keyword === 'items' || keyword === 'additionalProperties') return [value];
  if (keyword !== 'properties') return undefined;
  const all = isJsonObject(value) ? Object.values(value) : [];
  return all.length === 0 ? [undefined] : all;
}

function hasPlainType(schema: JsonObject): boolean {
  switch (schema.type) {
    case 'array':
      return schema.items !== undefined;
    case 'object':
      return schema.properties === undefined || schema.additionalProperties === undefined;
    case 'string':
    case 'integer':
    case 'boolean':
    case 'number':
      return true;
    case undefined:
      return schema['x-kubernetes-int-or-string'] === true;
    default:
      return false;
  }
}

type IsPlain = (value: Json | undefined, schema: JsonObject) => boolean;

const isText: IsPlain = (value) => typeof value === 'string';
const isCount: IsPlain = (value) => Number.isSafeInteger(value);
const isNumber: IsPlain = (value) => typeof value === 'number';
const isBoolean: IsPlain = (value) => typeof value === 'boolean';
const isTexts: IsPlain = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

const isPlainListType: IsPlain = (value, { type, items, 'x-kubernetes-list-map-keys': keys }) => {
  if (type !== 'array') return false;
  return value === 'map' ? keys !== undefined && isJsonObject(items) && items.type === 'object' : isAtomicOrSet(value);
};
const isAtomicOrSet = (value: Json | undefined): boolean => value === 'atomic' || value === 'set';

/** A default of the right type, where the type is all that is asked of it. */
const isPlainDefault: IsPlain = (value, schema) => {
  if (schema.type === 'string' && typeof value === 'string')
    return Array.isArray(schema.enum)
      ? schema.enum.includes(value)
      : !['pattern', 'format', 'minLength', 'maxLength'].some((keyword) => keyword in schema);
  return schema.type === 'boolean' && typeof value === 'boolean';
};

/** What is plain of each keyword but those that hold schemas; any other keyword is not. */
const keywords: ReadonlyMap<string, IsPlain> = new Map(
  Object.entries<IsPlain>({
    type: isText,
    description: isText,
    format: isText,
    title: isText,
    nullable: isBoolean,
    enum: isTexts,
    default: isPlainDefault,
    required: isTexts,
    minimum: isNumber,
    maximum: isNumber,
    minLength: isCount,
    maxLength: isCount,
    minItems: isCount,
    maxItems: isCount,
    pattern: (value) => typeof value === 'string' && isReadablePattern(value),
    'x-kubernetes-int-or-string': (value) => value === true,
    'x-kubernetes-preserve-unknown-fields': (value) => value === true,
    'x-kubernetes-list-type': isPlainListType,
    'x-kubernetes-list-map-keys': (value, schema) =>
      isTexts(value, schema) && schema['x-kubernetes-list-type'] === 'map',
    'x-kubernetes-map-type': (value, { type }) => type === 'object' && (value === 'atomic' || value === 'granular'),
    anyOf: (value, schema) =>
      schema['x-kubernetes-int-or-string'] === true &&
      Array.isArray(value) &&
      value.length === 2 &&
      isOnlyType(value[0], 'integer') &&
      isOnlyType(value[1], 'string'),
  }),
);

const isOnlyType = (value: Json | undefined, type: string): boolean =>
  isJsonObject(value) && value.type === type && Object.keys(value).length === 1;
