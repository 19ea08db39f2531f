import type { MeantField } from '../kinds/nearest-field.ts';
import { groupOf } from '../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { isJsonObject, type JsonObject, objectAt, objectsIn } from '../support/json.ts';
import { nearest } from '../support/near.ts';

/**
 * The first field on a way into a custom resource that its CRD does not have, and the field that was probably meant.
 * Undefined where all are known, none is near, or the CRD is none of `definitions`.
 */
export function nearestCustomField(
  { apiVersion, kind }: Pick<ResourceId, 'apiVersion' | 'kind'>,
  path: readonly (string | number)[],
  definitions: readonly KubernetesObject[],
): MeantField | undefined {
  let at = schemaOf(apiVersion, kind, definitions);
  for (const part of path) {
    const items = objectAt(at, 'items');
    if (items !== undefined) {
      at = items;
      continue;
    }
    const properties = objectAt(at, 'properties');
    const field = String(part);
    const known = objectAt(properties, field) ?? objectAt(at, 'additionalProperties');
    if (known === undefined) {
      const meant = properties && nearest(field, Object.keys(properties));
      return meant === undefined ? undefined : { field, meant };
    }
    at = known;
  }
  return undefined;
}

function schemaOf(apiVersion: string, kind: string, definitions: readonly KubernetesObject[]): JsonObject | undefined {
  const specs = definitions.flatMap(({ spec }) => (isJsonObject(spec) ? [spec] : []));
  const own = specs.find((spec) => spec['group'] === groupOf(apiVersion) && objectAt(spec, 'names')?.['kind'] === kind);
  const version = objectsIn(own?.['versions']).find(({ name }) => name === apiVersion.split('/')[1]);
  return objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
}
