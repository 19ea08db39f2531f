import type { Target } from '../../execute/apply/targets.ts';
import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';

/** Custom resources of which controllers make Secrets, and where they say the name; without it the Secret has their own. */
const makers: Readonly<Record<string, FieldPath>> = {
  'Certificate.cert-manager.io': ['spec', 'secretName'],
  'ExternalSecret.external-secrets.io': ['spec', 'target', 'name'],
  'SealedSecret.bitnami.com': ['spec', 'template', 'metadata', 'name'],
};

/** Secrets that controllers make of objects of the release. */
export const broughtByControllers = (objects: readonly Target[]): readonly ResourceId[] =>
  objects.flatMap(({ id, object }) => {
    const path = makers[`${id.kind}.${groupOf(id.apiVersion)}`];
    if (path === undefined) return [];
    const name = valueAtPath(object, path);
    return [
      { apiVersion: 'v1', kind: 'Secret', namespace: id.namespace, name: typeof name === 'string' ? name : id.name },
    ];
  });
