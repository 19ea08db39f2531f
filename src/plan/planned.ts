import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { Manifest } from '../manifest/types.ts';
import type { Plan, PlannedObject } from './types.ts';

/** Finds what becomes of an object of a plan; undefined where that is not known, as for one that is gone already. */
export function plannedObjects({ changes, namespace }: Plan): (manifest: Manifest) => PlannedObject | undefined {
  const byKey = new Map(changes?.objects.map((one) => [objectKey(one.id), one]));
  return ({ object }) => {
    const id = idOf(object, namespace);
    return byKey.get(objectKey(id)) ?? byKey.get(objectKey({ ...id, namespace: '' }));
  };
}
