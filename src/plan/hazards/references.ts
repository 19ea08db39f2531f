import type { KubernetesObject } from '../../manifest/types.ts';
import { listAt, valueAt } from '../../support/fields.ts';

const referableKinds = ['ConfigMap', 'Secret', 'ServiceAccount', 'PersistentVolumeClaim'] as const;
type ReferableKind = (typeof referableKinds)[number];

export const isReferable = (kind: string): boolean => (referableKinds as readonly string[]).includes(kind);

/** What a pod cannot start without, in the pod's namespace. */
export interface Reference {
  readonly kind: ReferableKind;
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
  if (podSpec === undefined) return [];
  const found: Reference[] = [];
  const add = (kind: ReferableKind, source: unknown, key: string): void => {
    const name = valueAt(source, key);
    if (typeof name !== 'string' || name === '' || valueAt(source, 'optional') === true) return;
    if (!found.some((known) => known.kind === kind && known.name === name)) found.push({ kind, name });
  };
  add('ServiceAccount', podSpec, valueAt(podSpec, 'serviceAccountName') ? 'serviceAccountName' : 'serviceAccount');
  for (const volume of listAt(podSpec, 'volumes')) addVolume(volume, add);
  for (const container of listAt(podSpec, 'initContainers')) addContainer(container, add);
  for (const container of listAt(podSpec, 'containers')) addContainer(container, add);
  return found;
}

type Add = (kind: ReferableKind, source: unknown, key: string) => void;

function addVolume(volume: unknown, add: Add): void {
  add('PersistentVolumeClaim', valueAt(volume, 'persistentVolumeClaim'), 'claimName');
  add('ConfigMap', valueAt(volume, 'configMap'), 'name');
  add('Secret', valueAt(volume, 'secret'), 'secretName');
  for (const source of listAt(volume, 'projected', 'sources')) {
    add('ConfigMap', valueAt(source, 'configMap'), 'name');
    add('Secret', valueAt(source, 'secret'), 'name');
  }
}

function addContainer(container: unknown, add: Add): void {
  for (const from of listAt(container, 'envFrom')) {
    add('ConfigMap', valueAt(from, 'configMapRef'), 'name');
    add('Secret', valueAt(from, 'secretRef'), 'name');
  }
  for (const variable of listAt(container, 'env')) {
    add('ConfigMap', valueAt(variable, 'valueFrom', 'configMapKeyRef'), 'name');
    add('Secret', valueAt(variable, 'valueFrom', 'secretKeyRef'), 'name');
  }
}
