import { isJsonObject, type Json, type JsonObject, objectAt } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { type FieldProblem, invalidValue, required, unsupportedValue } from '../status.ts';

/** A custom resource against its openAPIV3Schema: types, required, enum, pattern, and the bounds of numbers and lengths. */
export function customProblems(version: JsonObject, object: Resource): FieldProblem[] {
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  return schema === undefined ? [] : problemsAt(schema, object, '');
}

function problemsAt(schema: JsonObject, value: Json, path: string): FieldProblem[] {
  if (value === null && schema.nullable === true) return [];
  const type = typeof schema.type === 'string' ? schema.type : undefined;
  if (schema['x-kubernetes-int-or-string'] !== true && type !== undefined && !isOfType(value, type)) {
    return [wrongType(path, value, type)];
  }
  if (Array.isArray(value)) return [...lengthProblems(schema, value, path), ...itemProblems(schema, value, path)];
  if (isJsonObject(value)) return propertyProblems(schema, value, path);
  return scalarProblems(schema, value, path);
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}

const wrongType = (field: string, value: Json, type: string): FieldProblem => {
  const name =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'array'
        : typeof value === 'number'
          ? Number.isInteger(value)
            ? 'integer'
            : 'number'
          : typeof value;
  return {
    reason: 'FieldValueTypeInvalid',
    field,
    message: `Invalid value: "${name}": ${field} in body must be of type ${type}: "${name}"`,
  };
};

function itemProblems(schema: JsonObject, value: readonly Json[], path: string): FieldProblem[] {
  const items = objectAt(schema, 'items');
  return items === undefined ? [] : value.flatMap((item, index) => problemsAt(items, item, `${path}[${index}]`));
}

function propertyProblems(schema: JsonObject, value: JsonObject, path: string): FieldProblem[] {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const problems: FieldProblem[] = [];
  for (const name of Array.isArray(schema.required) ? (schema.required as string[]) : []) {
    if (value[name] === undefined) problems.push(required(at(name)));
  }
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
  const problems: FieldProblem[] = [];
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) {
    problems.push(unsupportedValue(path, value, schema.enum.map(String)));
  }
  if (typeof value === 'string') {
    problems.push(...lengthProblems(schema, value, path));
    if (typeof schema.pattern === 'string' && !fits(schema.pattern, value)) {
      problems.push(invalidValue(path, value, `${path} in body should match '${schema.pattern}'`));
    }
  }
  if (typeof value === 'number') {
    const { minimum, maximum } = schema;
    if (typeof minimum === 'number' && value < minimum) {
      problems.push(invalidValue(path, value, `${path} in body should be greater than or equal to ${minimum}`));
    }
    if (typeof maximum === 'number' && value > maximum) {
      problems.push(invalidValue(path, value, `${path} in body should be less than or equal to ${maximum}`));
    }
  }
  return problems;
}

/** The bounds of a list's items, or of a text's length. */
function lengthProblems(schema: JsonObject, value: Json[] | string, path: string): FieldProblem[] {
  const isText = typeof value === 'string';
  const { length } = value;
  const [least, most] = isText ? [schema.minLength, schema.maxLength] : [schema.minItems, schema.maxItems];
  const what = isText ? 'be' : 'have';
  const suffix = isText ? ' chars long' : ' items';
  const problems: FieldProblem[] = [];
  if (typeof least === 'number' && length < least) {
    problems.push(invalidValue(path, value, `${path} in body should ${what} at least ${least}${suffix}`));
  }
  if (typeof most === 'number' && length > most) {
    problems.push(invalidValue(path, value, `${path} in body should ${what} at most ${most}${suffix}`));
  }
  return problems;
}

/** Patterns are Go's; one that JavaScript cannot read is not checked. */
function fits(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    // A Go pattern that JavaScript cannot read.
    return true;
  }
}
