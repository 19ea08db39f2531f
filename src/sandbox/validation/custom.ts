import {
  canonicalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  numberOf,
  objectAt,
  plain,
  textOf,
  valueAt,
} from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { patternOf } from '../schema/patterns.ts';
import { duplicate, type FieldProblem, unsupportedValue } from '../status.ts';
import { invalidIf, requiredIf } from './checks.ts';

/** A custom resource against its openAPIV3Schema: types, required, enum, pattern, and the bounds of numbers and lengths. */
export function customProblems(version: JsonObject, object: Resource): FieldProblem[] {
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  if (schema === undefined) return [];
  return [...problemsAt(schema, object, ''), ...scaleProblems(version, object)];
}

/** The replicas that the scale subresource reads. */
function scaleProblems(version: JsonObject, object: Resource): FieldProblem[] {
  const path = textOf(objectAt(version, 'subresources', 'scale')?.specReplicasPath);
  const replicas = path === undefined ? undefined : valueAt(object, ...path.slice(1).split('.'));
  const isNegative = typeof replicas === 'number' && replicas < 0;
  return invalidIf(isNegative, path ?? '', replicas, 'should be a non-negative integer');
}

/** What a schema says against its default, whose own path is '': Kubernetes' extensions say nothing there. */
export const defaultProblems = (schema: JsonObject, value: Json): FieldProblem[] =>
  schema['x-kubernetes-int-or-string'] === true
    ? []
    : problemsAt(schema, value, '').filter(({ reason }) => reason !== 'FieldValueDuplicate');

function problemsAt(schema: JsonObject, value: Json, path: string): FieldProblem[] {
  if (value === null && schema.nullable === true) return [];
  const type = typeof schema.type === 'string' ? schema.type : undefined;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  if (isIntOrString && typeof value !== 'string' && !Number.isInteger(value)) {
    return [wrongType(path, value, 'integer,string')];
  }
  // kube-openapi takes texts and lists for right where a format is to say what they must be.
  const isFormatted = typeof schema.format === 'string' && (typeof value === 'string' || Array.isArray(value));
  const isOther = type !== undefined && !isOfType(value, type) && !(isFormatted && !isNumeric(type));
  if (!isIntOrString && isOther) return [wrongType(path, value, type)];
  if (Array.isArray(value)) return [...lengthProblems(schema, value, path), ...itemProblems(schema, value, path)];
  if (isJsonObject(value)) return propertyProblems(schema, value, path);
  return scalarProblems(schema, value, path);
}

const isNumeric = (type: string): boolean => type === 'number' || type === 'integer';

const isOfType = (value: Json, type: string): boolean =>
  typeOf(value) === type || (type === 'number' && typeof value === 'number');

function typeOf(value: Json): string {
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

const wrongType = (field: string, value: Json, type: string): FieldProblem => ({
  reason: 'FieldValueTypeInvalid',
  field,
  message: `Invalid value: "${typeOf(value)}": ${field} in body must be of type ${type}: "${typeOf(value)}"`,
});

function itemProblems(schema: JsonObject, value: readonly Json[], path: string): FieldProblem[] {
  const items = objectAt(schema, 'items');
  const own = items === undefined ? [] : value.flatMap((item, index) => problemsAt(items, item, `${path}[${index}]`));
  return [...own, ...repeatedItems(schema, value, path)];
}

/** Items of a set, or of a list with keys, that an earlier one equals. */
function repeatedItems(schema: JsonObject, value: readonly Json[], path: string): FieldProblem[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return [];
  const names = listType === 'map' ? (schema['x-kubernetes-list-map-keys'] as string[]) : undefined;
  const seen = new Set<string>();
  return value.flatMap((item, index) => {
    const isKeyed = names !== undefined && isJsonObject(item);
    const key = isKeyed ? Object.fromEntries(names.map((name) => [name, item[name]])) : item;
    const text = canonicalJson(key);
    const isTwice = seen.has(text);
    seen.add(text);
    return isTwice ? [duplicate(`${path}[${index}]`, key)] : [];
  });
}

function propertyProblems(schema: JsonObject, value: JsonObject, path: string): FieldProblem[] {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const wanted = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  const problems = wanted.flatMap((name) => requiredIf(value[name] === undefined, at(name)));
  const properties = objectAt(schema, 'properties') ?? {};
  const others = isJsonObject(schema.additionalProperties) ? schema.additionalProperties : undefined;
  for (const [name, item] of Object.entries(value)) {
    const property = isJsonObject(properties[name]) ? properties[name] : others;
    if (property === undefined || item === undefined || (path === '' && name === 'metadata')) continue;
    problems.push(...problemsAt(property, item, at(name)));
  }
  return problems;
}

function scalarProblems(schema: JsonObject, value: Json, path: string): FieldProblem[] {
  const { enum: known, pattern, minimum, maximum } = schema;
  const problems =
    Array.isArray(known) && !known.includes(value) ? [unsupportedValue(path, value, known.map(String))] : [];
  if (typeof value === 'string') {
    const isUnfit = typeof pattern === 'string' && patternOf(pattern)?.matches(value) === false;
    problems.push(...lengthProblems(schema, value, path));
    problems.push(...invalidIf(isUnfit, path, value, `${path} in body should match '${plain(pattern)}'`));
  }
  if (typeof value === 'number') problems.push(...boundProblems(value, [minimum, maximum, ...boundWords], path, value));
  return problems;
}

const boundWords = ['be greater than or equal to', 'be less than or equal to', ''] as const;

/** The bounds of a list's items, or of a text's length. */
const lengthProblems = (schema: JsonObject, value: Json[] | string, path: string): FieldProblem[] =>
  typeof value === 'string'
    ? boundProblems(value.length, [schema.minLength, schema.maxLength, ...textWords], path, value)
    : boundProblems(value.length, [schema.minItems, schema.maxItems, ...listWords], path, value);

const textWords = ['be at least', 'be at most', ' chars long'] as const;
const listWords = ['have at least', 'have at most', ' items'] as const;

function boundProblems(
  size: number,
  [least, most, below, above, unit]: readonly [Json | undefined, Json | undefined, string, string, string],
  path: string,
  value: Json,
): FieldProblem[] {
  const isBelow = size < (numberOf(least) ?? size);
  const isAbove = size > (numberOf(most) ?? size);
  return [
    ...invalidIf(isBelow, path, value, `${path} in body should ${below} ${plain(least)}${unit}`),
    ...invalidIf(isAbove, path, value, `${path} in body should ${above} ${plain(most)}${unit}`),
  ];
}
