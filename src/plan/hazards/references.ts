import type { KubernetesObject } from '../../manifest/types.ts';
import { listAt, textAt, valueAt } from '../../support/fields.ts';

/** What a pod cannot start without, in the pod's namespace. */
export interface Reference {
  readonly kind: 'ConfigMap' | 'Secret' | 'ServiceAccount' | 'PersistentVolumeClaim';
  readonly name: string;
}

const kindsWithTemplate: readonly string[] = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Job',
];

/** The spec of the pods that an object starts at once; undefined where it starts none, as one scaled to nothing. */
export function podSpecOf({ kind, ...object }: KubernetesObject): unknown {
  if (kind === 'Pod') return valueAt(object, 'spec');
  const startsNone = valueAt(object, 'spec', 'replicas') === 0 || valueAt(object, 'spec', 'suspend') === true;
  return kindsWithTemplate.includes(kind) && !startsNone ? valueAt(object, 'spec', 'template', 'spec') : undefined;
}

/** What pods of this spec wait for before their containers start: all that is not `optional`. Each once. */
export function podReferences(podSpec: unknown): readonly Reference[] {
  const account = textAt(podSpec, textAt(podSpec, '', 'serviceAccount'), 'serviceAccountName');
  const containers = [...listAt(podSpec, 'initContainers'), ...listAt(podSpec, 'containers')];
  const found = [
    reference('ServiceAccount', account),
    ...listAt(podSpec, 'volumes').flatMap(volumeReferences),
    ...containers.flatMap(containerReferences),
  ].flat();
  return [...new Map(found.map((one) => [`${one.kind}/${one.name}`, one])).values()];
}

function volumeReferences(volume: unknown): readonly Reference[] {
  return [
    ...reference('PersistentVolumeClaim', textAt(volume, '', 'persistentVolumeClaim', 'claimName')),
    ...unlessOptional('ConfigMap', valueAt(volume, 'configMap'), 'name'),
    ...unlessOptional('Secret', valueAt(volume, 'secret'), 'secretName'),
    ...listAt(volume, 'projected', 'sources').flatMap((source) => [
      ...unlessOptional('ConfigMap', valueAt(source, 'configMap'), 'name'),
      ...unlessOptional('Secret', valueAt(source, 'secret'), 'name'),
    ]),
  ];
}

function containerReferences(container: unknown): readonly Reference[] {
  return [
    ...listAt(container, 'envFrom').flatMap((from) => [
      ...unlessOptional('ConfigMap', valueAt(from, 'configMapRef'), 'name'),
      ...unlessOptional('Secret', valueAt(from, 'secretRef'), 'name'),
    ]),
    ...listAt(container, 'env').flatMap((variable) => [
      ...unlessOptional('ConfigMap', valueAt(variable, 'valueFrom', 'configMapKeyRef'), 'name'),
      ...unlessOptional('Secret', valueAt(variable, 'valueFrom', 'secretKeyRef'), 'name'),
    ]),
  ];
}

const unlessOptional = (kind: Reference['kind'], source: unknown, key: string): readonly Reference[] =>
  valueAt(source, 'optional') === true ? [] : reference(kind, textAt(source, '', key));

const reference = (kind: Reference['kind'], name: string): readonly Reference[] =>
  name === '' ? [] : [{ kind, name }];
