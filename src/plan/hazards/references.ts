import type { Deployment, Job, Pod, PodSpec } from '../../manifest/kubernetes.ts';
import { referencesOf } from '../../manifest/references.ts';
import { idOf, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';

const referableKinds = ['ConfigMap', 'Secret', 'ServiceAccount', 'PersistentVolumeClaim'];

/** Kinds that a pod can need before it starts. */
export const isReferable = (kind: string): boolean => referableKinds.includes(kind);

const kindsWithTemplate: readonly string[] = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Job',
];

/** The spec of the pods that an object starts at once; undefined where it starts none, as one scaled to nothing. */
function podSpecOf(object: KubernetesObject): PodSpec | undefined {
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

/**
 * What the pods that an object starts wait for before their containers start, each once: all that is not `optional`.
 * `namespace` is that of an object that names none.
 */
export function podReferences(object: KubernetesObject, namespace: string): readonly ResourceId[] {
  if (podSpecOf(object) === undefined) return [];
  const found = referencesOf({ id: idOf(object, namespace), object });
  // A pod starts without the Secrets of its image pulls.
  const needed = found.filter(({ id, path }) => isReferable(id.kind) && !path.includes('imagePullSecrets'));
  return [...new Map(needed.map(({ id }) => [objectKey(id), id])).values()];
}
