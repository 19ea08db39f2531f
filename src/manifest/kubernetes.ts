import type {
  CoreV1Event,
  V1Condition,
  V1Container,
  V1ContainerStatus,
  V1CustomResourceDefinition,
  V1DaemonSet,
  V1Deployment,
  V1Job,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodSpec,
  V1ReplicaSet,
  V1Service,
  V1StatefulSet,
  V1Volume,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import type { KubernetesObject } from './types.ts';

/**
 * A type of Kubernetes as it really comes, from a chart or over the wire: any field may be missing or null, and times
 * are texts. A value may still be of another type than it should be, so what is calculated or shown goes through
 * `numberOr`, `textOr` and `listOf` (fields.ts); to read on from it with `?.` is safe whatever it is.
 */
export type Seen<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Seen<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Seen<T[Key]> | null | undefined }
      : T;

/** An object of a kind. That it is of this kind has been looked at. */
type Kind<T> = KubernetesObject & Omit<Seen<T>, 'apiVersion' | 'kind' | 'metadata'>;

export type CustomResourceDefinition = Kind<V1CustomResourceDefinition>;
export type DaemonSet = Kind<V1DaemonSet>;
export type Deployment = Kind<V1Deployment>;
export type HorizontalPodAutoscaler = Kind<V2HorizontalPodAutoscaler>;
export type Job = Kind<V1Job>;
export type KubernetesEvent = Kind<CoreV1Event>;
export type PersistentVolumeClaim = Kind<V1PersistentVolumeClaim>;
export type Pod = Kind<V1Pod>;
export type ReplicaSet = Kind<V1ReplicaSet>;
export type Service = Kind<V1Service>;
export type StatefulSet = Kind<V1StatefulSet>;

/** What tells of itself by conditions. */
export type WithConditions = KubernetesObject & {
  readonly status?: Seen<{ conditions?: V1Condition[]; observedGeneration?: number }> | null | undefined;
};

export type Container = Seen<V1Container>;
export type ContainerStatus = Seen<V1ContainerStatus>;
export type PodSpec = Seen<V1PodSpec>;
export type Volume = Seen<V1Volume>;
