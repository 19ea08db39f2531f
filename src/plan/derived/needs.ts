import { secretMadeOf } from '../../manifest/brought.ts';
import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import { itemsOf } from '../../manifest/items.ts';
import { type Identified, type Reference, referencesOf } from '../../manifest/references.ts';
import { groupOf, idOf } from '../../manifest/resource-id.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';
import { addTo } from '../../support/group-by.ts';
import { isObject } from '../../support/json.ts';

/** That an object of the release cannot work without another one of it. */
export interface Need {
  readonly user: Manifest;
  readonly needed: Manifest;
  /** For people: `mounts ConfigMap web`. */
  readonly why: string;
}

/**
 * The needs that are certain (docs/ordering.md, 9). An object in no namespace lives in the release's, whichever that is:
 * it stands for one of the same name elsewhere only where no other does.
 */
export function certainNeeds(manifests: readonly Manifest[]): readonly Need[] {
  const objects = new ObjectIndex(manifests);
  return objects.all.flatMap((user) => [
    ...definitionNeeds(user, objects),
    ...referencesOf(user).flatMap((reference) => referenceNeeds(user, reference, objects)),
    ...selectionNeeds(user, objects),
  ]);
}

interface Item extends Identified {
  readonly manifest: Manifest;
}

class ObjectIndex {
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

  definitionsOf = ({ apiVersion, kind }: ResourceId): readonly Item[] =>
    this.#kinds.get(`${groupOf(apiVersion)}/${kind}`) ?? [];

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

const need = (user: Item, needed: Item, verb: string): readonly Need[] => {
  const { kind, name } = idOf(needed.object);
  return user.manifest === needed.manifest
    ? []
    : [{ user: user.manifest, needed: needed.manifest, why: `${verb} ${kind} ${name}` }];
};

/** The Namespace that an object lives in, and the definition of its kind. */
function definitionNeeds(user: Item, objects: ObjectIndex): readonly Need[] {
  const { namespace } = user.id;
  const spaces =
    namespace === '' ? [] : objects.named({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: namespace });
  return [
    ...spaces.flatMap((space) => need(user, space, 'lives in')),
    ...objects.definitionsOf(user.id).flatMap((definition) => need(user, definition, 'is defined by')),
  ];
}

function referenceNeeds(user: Item, { id, path }: Reference, objects: ObjectIndex): readonly Need[] {
  const named = objects.named(id).flatMap((needed) => need(user, needed, verbOf(path)));
  if (isOfPods(path, volumeAndEnv) && named.length === 0)
    return objects.makersOf(id).flatMap((maker) => need(user, maker, `${verbOf(path)} the Secret of`));
  if (isOfPods(path, accounts))
    return [...named, ...objects.bindingsOf(id).flatMap((binding) => need(user, binding, 'has the rights of'))];
  return isAnswered(user.id) ? [...named, ...answerNeeds(user, id, objects)] : named;
}

const volumeAndEnv = ['volumes', 'env', 'envFrom'];
const accounts = ['serviceAccountName', 'serviceAccount'];

const isOfPods = (path: FieldPath, fields: readonly string[]): boolean =>
  path.some((part) => typeof part === 'string' && fields.includes(part));

const verbs: Readonly<Record<string, string>> = {
  volumes: 'mounts',
  env: 'reads',
  envFrom: 'reads',
  serviceAccountName: 'runs as',
  serviceAccount: 'runs as',
  scaleTargetRef: 'scales',
};

const verbOf = (path: FieldPath): string =>
  path.map((part) => verbs[part]).find((verb) => verb !== undefined) ?? 'names';

/** What the API server asks about other requests: it fails them while nothing answers. */
const isAnswered = ({ kind }: ResourceId): boolean => kind === 'APIService' || kind.endsWith('WebhookConfiguration');

/** The workloads behind a Service. */
const answerNeeds = (user: Item, service: ResourceId, objects: ObjectIndex): readonly Need[] =>
  objects
    .named(service)
    .flatMap(({ object, id }) => objects.selected(valueAtPath(object, ['spec', 'selector']), id.namespace, podLabels))
    .flatMap((workload) => need(user, workload, 'is answered by'));

/** The labels of the pods that an object makes; undefined where it makes none. */
const podLabels = ({ id, object }: Item): unknown =>
  valueAtPath(object, [...(id.kind === 'Pod' ? [] : ['spec', 'template']), 'metadata', 'labels']);

const ownLabels = ({ id, object }: Item): unknown => (id.kind === 'Service' ? object.metadata.labels : undefined);

/** What selects others by labels, and whose labels these are. */
const selecting: Readonly<Record<string, (item: Item) => unknown>> = {
  'PodDisruptionBudget.policy': podLabels,
  'PodMonitor.monitoring.coreos.com': podLabels,
  'ServiceMonitor.monitoring.coreos.com': ownLabels,
};

function selectionNeeds(user: Item, objects: ObjectIndex): readonly Need[] {
  const labelsOf = selecting[`${user.id.kind}.${groupOf(user.id.apiVersion)}`];
  const selector = valueAtPath(user.object, ['spec', 'selector']);
  // With expressions or namespaces of its own it may select something else.
  const isPlain = isObject(selector) && Object.keys(selector).every((key) => key === 'matchLabels');
  if (labelsOf === undefined || !isPlain) return [];
  return objects
    .selected(selector['matchLabels'], user.id.namespace, labelsOf)
    .flatMap((chosen) => need(user, chosen, 'selects'));
}
