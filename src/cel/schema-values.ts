import { isJsonObject, isObject, type Json, type JsonObject, objectAt } from '../support/json.ts';
import { CelCompiler } from './engine.ts';
import { CelError } from './error.ts';
import { celValue } from './values.ts';

/**
 * A value as the rules of a CRD see it (apiserver/pkg/cel/common, UnstructuredToVal): numbers, times and durations by the
 * schema's types, and of an object the fields that the schema names, in names that CEL can read.
 */
export function schemaValue(schema: JsonObject, value: Json): unknown {
  if (value === null || schema['x-kubernetes-int-or-string'] === true) return celValue(value);
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items');
    return items === undefined ? celValue(value) : value.map((item) => schemaValue(items, item));
  }
  if (isObject(value)) return objectValue(schema, value as JsonObject);
  if (schema.type === 'number') return value;
  return typeof value === 'string' ? textValue(value, schema.format) : celValue(value);
}

function objectValue(schema: JsonObject, value: JsonObject): unknown {
  const properties = objectAt(schema, 'properties');
  const others = objectAt(schema, 'additionalProperties');
  if (properties === undefined && others === undefined) return celValue(value);
  const entries = Object.entries(value).flatMap(([name, item]) => {
    const property = properties?.[name] ?? others;
    if (item === undefined || !isJsonObject(property)) return [];
    return [[properties === undefined ? name : escaped(name), schemaValue(property, item)]];
  });
  return Object.fromEntries(entries);
}

const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return'.split(' '),
);
const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** apiserver/pkg/cel/escaping.go, Escape */
const escaped = (name: string): string =>
  reserved.has(name) ? `__${name}__` : name.replace(/__|[./-]/g, (part) => escapes[part] as string);

const converter = new CelCompiler(['text']);
const conversions: Readonly<Record<string, string>> = {
  duration: 'duration(text)',
  'date-time': 'timestamp(text)',
  date: "timestamp(text + 'T00:00:00Z')",
};

/** By its format; a text that does not have the format stays one. */
function textValue(text: string, format: Json | undefined): unknown {
  const conversion = typeof format === 'string' && Object.hasOwn(conversions, format) ? conversions[format] : undefined;
  if (conversion === undefined) return text;
  try {
    return converter.compile(conversion).evaluate({ text });
  } catch (error) {
    if (error instanceof CelError) return text;
    throw error;
  }
}
