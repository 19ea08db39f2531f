import { cloneJson, isJsonObject, type Json, type JsonObject, objectAt } from '../../support/json.ts';
import type { Resource } from '../resource.ts';

/** The defaults that a CustomResourceDefinition's schema names. */
export function customDefaults(version: JsonObject, object: Resource): Resource {
  const schema = objectAt(version, 'schema', 'openAPIV3Schema');
  return schema === undefined ? object : (fill(schema, object) as Resource);
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
    // A null where the schema allows none is as good as nothing.
    if (result[name] === null && property.nullable !== true) delete result[name];
    const given = result[name] ?? (property.default === undefined ? undefined : cloneJson(property.default));
    if (given !== undefined) result[name] = fill(property, given);
  }
  const others = schema.additionalProperties;
  if (isJsonObject(others)) {
    for (const [name, item] of Object.entries(result)) if (item !== undefined) result[name] = fill(others, item);
  }
  return result;
}
