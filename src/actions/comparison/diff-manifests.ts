import { itemsOf } from '../../manifest/items.ts';
import { hasObject, parseManifest } from '../../manifest/parse.ts';
import { idOf, objectKey } from '../../manifest/resource-id.ts';
import type { Hook, HookEvent, KubernetesObject } from '../../manifest/types.ts';
import { changeOf, type ObjectDiff, type ShownOptions, sortChanges } from './object-diff.ts';

/** Hooks of two records, by what they declare. */
export const diffHooks = (
  before: readonly Hook[],
  after: readonly Hook[],
  namespace: string,
  options: ShownOptions,
): readonly ObjectDiff[] => diffObjects(before.flatMap(hookObjects), after.flatMap(hookObjects), namespace, options);

const hookObjects = ({ manifest, path, events }: Hook): readonly Recorded[] => {
  const parsed = parseManifest(manifest, path);
  return hasObject(parsed) ? itemsOf(parsed.object).map((object) => ({ object, events })) : [];
};

interface Recorded {
  readonly object: KubernetesObject;
  readonly events?: readonly HookEvent[];
}

function diffObjects(
  before: readonly Recorded[],
  after: readonly Recorded[],
  namespace: string,
  options: ShownOptions,
): readonly ObjectDiff[] {
  const keyOf = ({ object }: Recorded): string => objectKey(idOf(object, namespace));
  const [old, next] = [before, after].map((list) => new Map(list.map((recorded) => [keyOf(recorded), recorded])));
  const keys = [...new Set([...(old?.keys() ?? []), ...(next?.keys() ?? [])])];
  return sortChanges(
    keys.map((key) => {
      const [was, is] = [old?.get(key), next?.get(key)];
      const { object, events } = (is ?? was) as Recorded;
      return changeOf({ id: idOf(object, namespace), before: was?.object, after: is?.object, events }, options);
    }),
  );
}
