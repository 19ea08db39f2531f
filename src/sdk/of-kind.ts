import type { KubernetesObject } from '../manifest/types.ts';

/**
 * Tells objects of one kind from others, and types them, for example as `V1Deployment` of `@kubernetes/client-node`:
 * `objects.filter(ofKind<V1Deployment>('apps/v1', 'Deployment'))`. Times are strings, as in JSON, whatever their type says.
 */
export const ofKind =
  <T extends object = KubernetesObject>(apiVersion: string, kind: string) =>
  (object: KubernetesObject): object is KubernetesObject & T =>
    object.apiVersion === apiVersion && object.kind === kind;
