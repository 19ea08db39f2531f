import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import { itemsOf } from '../../manifest/items.ts';
import { secretMadeOf } from '../../manifest/made-secrets.ts';
import { type Identified, referencesOf } from '../../manifest/references.ts';
import { groupOf, idOf, kindInGroup } from '../../manifest/resource-id.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';
import { addTo } from '../../support/group-by.ts';
import { isObject } from '../../support/json.ts';

/** An object, and the document that holds it. */
export interface Item extends Identified {
  readonly manifest: Manifest;
}

/** The objects of a release by what others say of them. */
export class ObjectIndex {
  readonly all: readonly Item[];
  readonly #byName = new Map<string, Item[]>();
  readonly #makers = new Map<string, Item[]>();
  readonly #bindings = new Map<string, Item[]>();
  readonly #kinds = new Map<string, Item[]>();

  constructor(manifests: readonly Manifest[]) {
    this.all = manifests.flatMap((manifest) =>
      itemsOf(manifest.object)
        .filter(({ metadata }) => typeof metadata?.name === 'string')
        .map((object) => ({ manifest, object, id: idOf(object) })),
    );
    for (const item of this.all) this.#add(item);
  }

  #add(item: Item): void {
    addTo(this.#byName, nameKey(item.id), item);
    const secret = secretMadeOf(item);
    if (secret !== undefined) addTo(this.#makers, nameKey(secret), item);
    const kind = definedKind(item);
    if (kind !== undefined) addTo(this.#kinds, kind, item);
    if (item.id.kind.endsWith('RoleBinding'))
      for (const { id } of referencesOf(item))
        if (id.kind === 'ServiceAccount') addTo(this.#bindings, nameKey(id), { ...item, id });
  }

  named = (id: ResourceId): readonly Item[] => inNamespace(this.#byName.get(nameKey(id)), id.namespace);

  /** What controllers make this Secret of. */
  makersOf = (id: ResourceId): readonly Item[] => inNamespace(this.#makers.get(nameKey(id)), id.namespace);

  /** The bindings that name an account as their subject. */
  bindingsOf = (id: ResourceId): readonly Item[] =>
    (this.#bindings.get(nameKey(id)) ?? []).filter((binding) => mayBeSame(binding.id.namespace, id.namespace));

  definitionsOf = (id: ResourceId): readonly Item[] => this.#kinds.get(kindInGroup(id)) ?? [];

  /** Those of which `labelsOf` tells these labels. */
  selected(selector: unknown, namespace: string, labelsOf: (item: Item) => unknown): readonly Item[] {
    if (!isObject(selector) || Object.keys(selector).length === 0) return [];
    return this.all.filter((item) => {
      const labels = labelsOf(item);
      const isChosen =
        isObject(labels) && Object.entries(selector).every(([label, value]) => String(labels[label]) === String(value));
      return isChosen && mayBeSame(item.id.namespace, namespace);
    });
  }

  /** The workloads whose pods a Service selects. */
  workloadsBehind = ({ object, id }: Item): readonly Item[] =>
    this.selected(valueAtPath(object, ['spec', 'selector']), id.namespace, podLabels);
}

const nameKey = ({ apiVersion, kind, name }: ResourceId): string => `${groupOf(apiVersion)} ${kind} ${name}`;

const mayBeSame = (a: string, b: string): boolean => a === b || a === '' || b === '';

/** Those of the same namespace; without any the one that may be in it. */
function inNamespace(candidates: readonly Item[] = [], namespace: string): readonly Item[] {
  const exact = candidates.filter(({ id }) => id.namespace === namespace);
  const possible = candidates.filter(({ id }) => mayBeSame(id.namespace, namespace));
  return exact.length > 0 || possible.length > 1 ? exact : possible;
}

function definedKind({ id, object }: Identified): string | undefined {
  const [group, kind] = [
    ['spec', 'group'],
    ['spec', 'names', 'kind'],
  ].map((path) => valueAtPath(object, path));
  return id.kind === 'CustomResourceDefinition' ? `${String(group)}/${String(kind)}` : undefined;
}

/** The labels of the pods that an object makes; undefined where it makes none. */
export const podLabels = ({ id, object }: Item): unknown =>
  valueAtPath(object, [...(id.kind === 'Pod' ? [] : ['spec', 'template']), 'metadata', 'labels']);

/** Where an object has the spec of its pods. */
export const podPathOf = ({ id }: Item): FieldPath => (id.kind === 'Pod' ? ['spec'] : ['spec', 'template', 'spec']);
