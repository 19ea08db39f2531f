import { idOf } from '../manifest/resource-id.ts';
import type { Remedy } from '../problem/remedy.ts';
import type { Reference, WorkloadFact } from '../problem/workload-fact.ts';
import { isAlike } from '../support/near.ts';
import type { PlanObject } from './plan-objects.ts';

const maxNamed = 3;

type UseName = Extract<Remedy, { kind: 'use-name' }>;

/** What a fact says that does not exist. */
interface Missing {
  readonly kind: string;
  readonly name: string;
  /** It is the key of that object that is missing. */
  readonly key?: string | undefined;
}

/** What the release has in place of what is missing: an object of that kind, or a key, with a name much like it. */
export const namesInstead = (fact: WorkloadFact, objects: readonly PlanObject[]): readonly UseName[] =>
  missingBy(fact).flatMap(({ kind, name, key }) =>
    key === undefined ? objectsInstead(kind, name, objects) : keysInstead({ kind, name, key }, objects),
  );

function missingBy(fact: WorkloadFact): readonly Missing[] {
  const named = (reference: Reference): readonly Missing[] => {
    const { kind, name, key } = reference;
    return name === undefined ? [] : [{ kind, name, key }];
  };
  const others = (fact.alsoMissing ?? []).flatMap(named);
  switch (fact.code) {
    case 'reference-missing':
      return [...named(fact.missing), ...others];
    case 'pull-secret-missing':
      return [{ kind: 'Secret', name: fact.secret }];
    case 'claim-missing':
      return [{ kind: 'PersistentVolumeClaim', name: fact.claim }];
    case 'storage-class-missing':
      return [{ kind: 'StorageClass', name: fact.storageClass }];
    case 'service-account-missing':
      return [{ kind: 'ServiceAccount', name: fact.name }];
    case 'priority-class-missing':
      return [{ kind: 'PriorityClass', name: fact.name }];
    default:
      return others;
  }
}

function objectsInstead(kind: string, name: string, objects: readonly PlanObject[]): readonly UseName[] {
  const same = objects.map(({ object }) => object).filter((object) => object.kind === kind);
  if (same.some(({ metadata }) => metadata.name === name)) return [];
  return same
    .filter(({ metadata }) => isAlike(metadata.name, name))
    .slice(0, maxNamed)
    .map((object) => ({ kind: 'use-name', name: object.metadata.name, instead: name, of: idOf(object) }));
}

function keysInstead(
  { kind, name, key }: Required<Pick<Missing, 'kind' | 'name' | 'key'>> & { readonly key: string },
  objects: readonly PlanObject[],
): readonly UseName[] {
  const holder = objects.find(({ object }) => object.kind === kind && object.metadata.name === name)?.object;
  if (holder === undefined) return [];
  const { data, binaryData, stringData } = holder as Readonly<Record<string, object | null | undefined>>;
  const keys = [data, binaryData, stringData].flatMap((map) => Object.keys(map ?? {}));
  if (keys.includes(key)) return [];
  return keys
    .filter((one) => isAlike(one, key))
    .slice(0, maxNamed)
    .map((one) => ({ kind: 'use-name', name: one, instead: key, of: idOf(holder) }));
}
