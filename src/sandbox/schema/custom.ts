import { anyType, type MapType, metadataType, resolveType, type Type } from '../../kinds/field-types.ts';
import { isJsonObject, type Json, type JsonObject, objectAt, textOf } from '../../support/json.ts';

/** The type of a custom resource from its openAPIV3Schema (apiextensions' structural schema to structured-merge-diff). */
export function customType(schema: JsonObject | undefined): Type {
  const root = schema === undefined ? anyType : typeFromOpenApi(schema);
  const fields = root.kind === 'map' ? root.fields : undefined;
  return {
    kind: 'map',
    relation: 'granular',
    name: '',
    fields: { ...fields, apiVersion: resolveType('s'), kind: resolveType('s'), metadata: metadataType() },
    element: root.kind === 'map' ? root.element : anyType,
  } satisfies MapType;
}

function typeFromOpenApi(schema: JsonObject): Type {
  if (schema['x-kubernetes-int-or-string'] === true) return resolveType('q');
  switch (textOf(schema.type)) {
    case 'string':
      return resolveType('s');
    case 'integer':
      return resolveType('l');
    case 'number':
      return resolveType('n');
    case 'boolean':
      return resolveType('b');
    case 'array':
      return listFromOpenApi(schema);
    case 'object':
      return mapFromOpenApi(schema);
    default:
      return anyType;
  }
}

function listFromOpenApi(schema: JsonObject): Type {
  const relation = textOf(schema['x-kubernetes-list-type']);
  const keys = schema['x-kubernetes-list-map-keys'];
  const items = objectAt(schema, 'items');
  return {
    kind: 'list',
    relation: relation === 'map' || relation === 'set' ? relation : 'atomic',
    keys: Array.isArray(keys) ? keys.filter((key): key is string => typeof key === 'string') : [],
    element: items === undefined ? anyType : typeFromOpenApi(items),
    mergeKey: undefined,
    retainKeys: false,
  };
}

function mapFromOpenApi(schema: JsonObject): Type {
  if (schema['x-kubernetes-embedded-resource'] === true) return anyType;
  const properties = objectAt(schema, 'properties');
  const others = schema.additionalProperties;
  if (properties === undefined && others === undefined) return anyType;
  return {
    kind: 'map',
    relation: schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular',
    name: '',
    fields: properties === undefined ? undefined : fieldsFromOpenApi(properties),
    element: elementFromOpenApi(schema, others),
  };
}

function fieldsFromOpenApi(properties: JsonObject): Record<string, Type> {
  const fields: Record<string, Type> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (isJsonObject(property)) fields[name] = typeFromOpenApi(property);
  }
  return fields;
}

function elementFromOpenApi(schema: JsonObject, others: Json | undefined): Type | undefined {
  if (isJsonObject(others)) return typeFromOpenApi(others);
  if (others === true || schema['x-kubernetes-preserve-unknown-fields'] === true) return anyType;
  return undefined;
}
