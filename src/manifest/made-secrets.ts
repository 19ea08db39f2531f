import { type FieldPath, valueAtPath } from './field-path.ts';
import type { Identified } from './references.ts';
import { groupOf } from './resource-id.ts';
import type { ResourceId } from './types.ts';

/** Custom resources of which controllers make Secrets, and where they say the name; without it the Secret has their own. */
const makers: Readonly<Record<string, FieldPath>> = {
  'Certificate.cert-manager.io': ['spec', 'secretName'],
  'ExternalSecret.external-secrets.io': ['spec', 'target', 'name'],
  'SealedSecret.bitnami.com': ['spec', 'template', 'metadata', 'name'],
};

/** The Secret that a controller makes of an object of the release; undefined where it makes none. */
export function secretMadeOf({ id, object }: Identified): ResourceId | undefined {
  const path = makers[`${id.kind}.${groupOf(id.apiVersion)}`];
  if (path === undefined) return undefined;
  const name = valueAtPath(object, path);
  return { apiVersion: 'v1', kind: 'Secret', namespace: id.namespace, name: typeof name === 'string' ? name : id.name };
}
