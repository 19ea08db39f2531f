import type { KubernetesObject } from '../../src/manifest/types.ts';

/** The status that the real controllers give an object of this kind when all is well. */
export function readyStatus(object: KubernetesObject): Record<string, unknown> {
  const observedGeneration = object.metadata.generation;
  const replicas = (object['spec'] as { replicas?: number } | undefined)?.replicas ?? 1;
  switch (object.kind) {
    case 'Deployment':
      return {
        observedGeneration,
        replicas,
        updatedReplicas: replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
        conditions: [
          condition('Available', 'True', 'MinimumReplicasAvailable'),
          condition('Progressing', 'True', 'NewReplicaSetAvailable'),
        ],
      };
    case 'StatefulSet':
      return {
        observedGeneration,
        replicas,
        currentReplicas: replicas,
        updatedReplicas: replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
        currentRevision: 'r1',
        updateRevision: 'r1',
      };
    case 'ReplicaSet':
    case 'ReplicationController':
      return {
        observedGeneration,
        replicas,
        fullyLabeledReplicas: replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
      };
    case 'DaemonSet':
      return {
        observedGeneration,
        desiredNumberScheduled: 1,
        currentNumberScheduled: 1,
        updatedNumberScheduled: 1,
        numberAvailable: 1,
        numberReady: 1,
      };
    case 'Job':
      return {
        startTime: '2026-01-01T00:00:00Z',
        succeeded: 1,
        conditions: [condition('Complete', 'True', 'CompletionsReached')],
      };
    case 'Pod':
      return (object['spec'] as { restartPolicy?: string } | undefined)?.restartPolicy === 'Never'
        ? { phase: 'Succeeded', conditions: [] }
        : { phase: 'Running', conditions: [condition('Ready', 'True', '')] };
    case 'PersistentVolumeClaim':
      return { phase: 'Bound' };
    case 'CustomResourceDefinition':
      return {
        conditions: [
          condition('NamesAccepted', 'True', 'NoConflicts'),
          condition('Established', 'True', 'InitialNamesAccepted'),
        ],
      };
    case 'ConfigMap':
    case 'Secret':
    case 'Service':
    case 'ServiceAccount':
    case 'Namespace':
      return {};
    default:
      return { observedGeneration, conditions: [condition('Ready', 'True', 'Ready')] };
  }
}

/** The status of one that will not recover by itself. */
export function failedStatus(object: KubernetesObject, reason: string): Record<string, unknown> {
  switch (object.kind) {
    case 'Deployment':
      return {
        observedGeneration: object.metadata.generation,
        conditions: [{ ...condition('Progressing', 'False', 'ProgressDeadlineExceeded'), message: reason }],
      };
    case 'Job':
      return {
        startTime: '2026-01-01T00:00:00Z',
        failed: 1,
        conditions: [{ ...condition('Failed', 'True', 'BackoffLimitExceeded'), message: reason }],
      };
    case 'Pod':
      return { phase: 'Failed', message: reason };
    default:
      return {
        observedGeneration: object.metadata.generation,
        conditions: [{ ...condition('Stalled', 'True', 'Failed'), message: reason }],
      };
  }
}

const condition = (type: string, status: string, reason: string): Record<string, string> => ({ type, status, reason });
