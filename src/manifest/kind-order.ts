import { compareText } from '../support/order.ts';

/** Kinds in the order in which Helm installs them (releaseutil.InstallOrder). */
export const installOrder: readonly string[] = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

/** Kinds in the order in which Helm removes them (releaseutil.UninstallOrder): not quite the reverse. */
export const uninstallOrder: readonly string[] = [
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'APIService',
  'Ingress',
  'IngressClass',
  'Service',
  'CronJob',
  'Job',
  'StatefulSet',
  'HorizontalPodAutoscaler',
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'Pod',
  'DaemonSet',
  'RoleBindingList',
  'RoleBinding',
  'RoleList',
  'Role',
  'ClusterRoleBindingList',
  'ClusterRoleBinding',
  'ClusterRoleList',
  'ClusterRole',
  'CustomResourceDefinition',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'ConfigMap',
  'SecretList',
  'Secret',
  'ServiceAccount',
  'PodDisruptionBudget',
  'PodSecurityPolicy',
  'LimitRange',
  'ResourceQuota',
  'NetworkPolicy',
  'Namespace',
  'PriorityClass',
];

/** Items sorted by kind; items of one kind keep their order. Kinds that `order` does not name come last, by name. */
export function sortByKind<T>(items: readonly T[], kindOf: (item: T) => string, order = installOrder): T[] {
  const ranks = new Map(order.map((kind, rank) => [kind, rank]));
  return [...items].sort((a, b) => compareKinds(kindOf(a), kindOf(b), ranks));
}

function compareKinds(a: string, b: string, ranks: ReadonlyMap<string, number>): number {
  const rankA = ranks.get(a);
  const rankB = ranks.get(b);
  if (rankA === undefined && rankB === undefined) return compareText(a, b);
  return (rankA ?? ranks.size) - (rankB ?? ranks.size);
}
