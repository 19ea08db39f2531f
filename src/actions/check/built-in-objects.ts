import type { ResourceId } from '../../manifest/types.ts';

/** Objects that every cluster has, or that Kubernetes itself makes. */
export function isBuiltIn({ kind, namespace, name }: ResourceId): boolean {
  if (name.startsWith('system:') || name.startsWith('system-')) return true;
  return names[kind]?.includes(name) === true || (kind === 'Role' && namespace === 'kube-system');
}

const names: Readonly<Record<string, readonly string[]>> = {
  ClusterRole: ['admin', 'cluster-admin', 'edit', 'view'],
  ConfigMap: ['kube-root-ca.crt'],
  Service: ['kubernetes'],
  ServiceAccount: ['default'],
};
