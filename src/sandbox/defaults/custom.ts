import { cloneJson, isJsonObject, type Json, type JsonObject, objectAt } from '../../support/json.ts';
import type { Resource } from '../resource.ts';

/** The defaults that a CustomResourceDefinition's schema names. */
export function customDefaults(version: JsonObject, object: Resource): Resource {
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  return schema === undefined ? object : (fill(schema, object) as Resource);
}

/** Without the nulls that the schema does not allow (PruneNonNullableNullsWithoutDefaults), which is done to whole objects. */
export function withoutNulls(schema: JsonObject | undefined, value: Json): Json {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(objectAt(schema, 'items'), item));
  if (!isJsonObject(value)) return value;
  const schemaOf = (name: string): JsonObject | undefined =>
    objectAt(schema, 'properties', name) ?? objectAt(schema, 'additionalProperties');
  const kept = Object.entries(value).filter(([name, item]) => {
    const below = schemaOf(name);
    return item !== null || below === undefined || below.nullable === true;
  });
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutNulls(schemaOf(name), item ?? null)]));
}

function fill(schema: JsonObject, value: Json): Json {
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items');
    return items === undefined ? value : value.map((item) => fill(items, item));
  }
  if (!isJsonObject(value)) return value;
  const result: JsonObject = { ...value };
  for (const [name, property] of Object.entries(objectAt(schema, 'properties') ?? {})) {
    if (!isJsonObject(property)) continue;
    const given = result[name] ?? (property.default === undefined ? undefined : cloneJson(property.default));
    if (given !== undefined) result[name] = fill(property, given);
  }
  const others = schema.additionalProperties;
  if (isJsonObject(others)) {
    for (const [name, item] of Object.entries(result)) if (item !== undefined) result[name] = fill(others, item);
  }
  return result;
}
