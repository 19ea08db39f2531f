import { listOf } from '../../manifest/fields.ts';
import type { Container, Deployment, Job, Pod, PodSpec, Volume } from '../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../manifest/types.ts';

const referableKinds = ['ConfigMap', 'Secret', 'ServiceAccount', 'PersistentVolumeClaim'] as const;
type ReferableKind = (typeof referableKinds)[number];

/** Kinds that a pod can need before it starts. */
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
export function podSpecOf(object: KubernetesObject): PodSpec | undefined {
  if (object.kind === 'Pod') return ownSpec(object);
  return kindsWithTemplate.includes(object.kind) ? templateSpec(object) : undefined;
}

const ownSpec = ({ spec }: Pod): PodSpec | undefined => spec ?? undefined;

/** Charts say of one kind what only another has, too. */
type WithTemplate = KubernetesObject & { readonly spec?: (Deployment['spec'] & Job['spec']) | null | undefined };

function templateSpec({ spec }: WithTemplate): PodSpec | undefined {
  if (spec?.replicas === 0 || spec?.suspend === true) return undefined;
  return spec?.template?.spec ?? undefined;
}

/** What pods of this spec wait for before their containers start: all that is not `optional`. Each once. */
export function podReferences(spec: PodSpec | undefined): readonly Reference[] {
  if (spec === undefined) return [];
  const found: Reference[] = [];
  const add: Add = (kind, name, optional) => {
    if (typeof name !== 'string' || name === '' || optional === true) return;
    if (!found.some((known) => known.kind === kind && known.name === name)) found.push({ kind, name });
  };
  add('ServiceAccount', spec.serviceAccountName || spec.serviceAccount);
  for (const volume of listOf(spec.volumes)) addVolume(volume, add);
  for (const container of listOf(spec.initContainers)) addContainer(container, add);
  for (const container of listOf(spec.containers)) addContainer(container, add);
  return found;
}

type Add = (kind: ReferableKind, name: unknown, optional?: unknown) => void;

function addVolume({ persistentVolumeClaim: claim, configMap, secret, projected }: Volume, add: Add): void {
  add('PersistentVolumeClaim', claim?.claimName);
  add('ConfigMap', configMap?.name, configMap?.optional);
  add('Secret', secret?.secretName, secret?.optional);
  for (const source of listOf(projected?.sources)) {
    add('ConfigMap', source.configMap?.name, source.configMap?.optional);
    add('Secret', source.secret?.name, source.secret?.optional);
  }
}

function addContainer({ envFrom, env }: Container, add: Add): void {
  for (const { configMapRef, secretRef } of listOf(envFrom)) {
    add('ConfigMap', configMapRef?.name, configMapRef?.optional);
    add('Secret', secretRef?.name, secretRef?.optional);
  }
  for (const { valueFrom } of listOf(env)) {
    add('ConfigMap', valueFrom?.configMapKeyRef?.name, valueFrom?.configMapKeyRef?.optional);
    add('Secret', valueFrom?.secretKeyRef?.name, valueFrom?.secretKeyRef?.optional);
  }
}
