import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import { type Reference, referencesOf } from '../../manifest/references.ts';
import { groupOf, idOf } from '../../manifest/resource-id.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';
import { isObject } from '../../support/json.ts';
import { type Item, ObjectIndex, podLabels } from './object-index.ts';

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
    .flatMap((named) => objects.workloadsBehind(named))
    .flatMap((workload) => need(user, workload, 'is answered by'));

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
