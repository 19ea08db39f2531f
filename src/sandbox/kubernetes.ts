import type {
  V1Container,
  V1CustomResourceDefinition,
  V1DaemonSet,
  V1Deployment,
  V1Job,
  V1LimitRange,
  V1MatchResources,
  V1NamedRuleWithOperations,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1ReplicaSet,
  V1ResourceQuota,
  V1Service,
  V1StatefulSet,
  V1StorageClass,
  V1ValidatingAdmissionPolicy,
  V1ValidatingAdmissionPolicyBinding,
} from '@kubernetes/client-node';
import type { Resource } from './resource.ts';

/**
 * A type of Kubernetes as the sandbox stores it: objects were read by their Go types, so a field that is there has its
 * type, but any may be missing. Times are texts.
 */
type Stored<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Stored<T[Key]> | undefined }
      : T;

/** An object of a kind. */
type Kind<T> = Resource & Omit<Stored<T>, 'apiVersion' | 'kind' | 'metadata'>;

export type CustomResourceDefinition = Kind<V1CustomResourceDefinition>;
export type DaemonSet = Kind<V1DaemonSet>;
export type Deployment = Kind<V1Deployment>;
export type Job = Kind<V1Job>;
export type LimitRange = Kind<V1LimitRange>;
export type Node = Kind<V1Node>;
export type PersistentVolume = Kind<V1PersistentVolume>;
export type PersistentVolumeClaim = Kind<V1PersistentVolumeClaim>;
export type Pod = Kind<V1Pod>;
export type PodDisruptionBudget = Kind<V1PodDisruptionBudget>;
export type ReplicaSet = Kind<V1ReplicaSet>;
export type ResourceQuota = Kind<V1ResourceQuota>;
export type Service = Kind<V1Service>;
export type StatefulSet = Kind<V1StatefulSet>;
export type StorageClass = Kind<V1StorageClass>;
export type ValidatingAdmissionPolicy = Kind<V1ValidatingAdmissionPolicy>;
export type ValidatingAdmissionPolicyBinding = Kind<V1ValidatingAdmissionPolicyBinding>;

export type Container = Stored<V1Container>;
export type MatchResources = Stored<V1MatchResources>;
export type ResourceRule = Stored<V1NamedRuleWithOperations>;

/** Whether none of its containers will run again. */
export const isFinished = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Whether a container must not run as root, and is told to (kuberuntime/security_context.go, verifyRunAsNonRoot). */
export function isRoot({ spec }: Pod, { securityContext: own }: Container): boolean {
  const shared = spec?.securityContext;
  const mustNot = own?.runAsNonRoot ?? shared?.runAsNonRoot ?? false;
  return mustNot && (own?.runAsUser ?? shared?.runAsUser) === 0;
}
