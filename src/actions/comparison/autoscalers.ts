import { isApiError } from '../../cluster/api-error.ts';
import type { Cluster } from '../../cluster/types.ts';
import type { KubernetesObject } from '../../manifest/types.ts';

/** A HorizontalPodAutoscaler: whatever it scales has the replicas that it says. */
export interface Autoscaler {
  readonly namespace: string;
  readonly name: string;
  /** What it scales. */
  readonly kind: string;
  readonly target: string;
  readonly min: number;
  readonly max: number;
}

/** The autoscalers of these namespaces; none where they may not be read or are not served. */
export async function findAutoscalers(
  cluster: Cluster,
  namespaces: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Autoscaler[]> {
  const lists = [...new Set(namespaces)].map((namespace) => autoscalersOf(cluster, namespace, signal));
  return (await Promise.all(lists)).flat();
}

async function autoscalersOf(
  cluster: Cluster,
  namespace: string,
  signal?: AbortSignal,
): Promise<readonly Autoscaler[]> {
  try {
    const found = await cluster.list('autoscaling/v2', 'HorizontalPodAutoscaler', { namespace, signal });
    return found.map(autoscalerOf);
  } catch (error) {
    if (isApiError(error)) return [];
    throw error;
  }
}

interface Spec {
  readonly scaleTargetRef?: { readonly kind?: string; readonly name?: string };
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
}

function autoscalerOf(object: KubernetesObject): Autoscaler {
  const { namespace = '', name } = object.metadata;
  const { scaleTargetRef, minReplicas = 1, maxReplicas = minReplicas } = (object['spec'] ?? {}) as Spec;
  return {
    namespace,
    name,
    kind: scaleTargetRef?.kind ?? '',
    target: scaleTargetRef?.name ?? '',
    min: minReplicas,
    max: maxReplicas,
  };
}
