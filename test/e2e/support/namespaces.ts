import { afterAll, beforeAll } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import type { Cluster } from '../../../src/cluster/types.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

/** The control plane as its administrator, with a namespace of the test file's own. */
export interface Admin {
  readonly namespace: string;
  readonly cluster: () => Cluster;
  /** Names of a kind's objects, in order; all those of the namespace, or those that the label selector names. */
  names(apiVersion: string, kind: string, labelSelector?: string): Promise<string[]>;
  object(apiVersion: string, kind: string, name: string): Promise<KubernetesObject | undefined>;
  /** Deletes all of a kind in the namespace, and what they own. */
  clear(apiVersion: string, kind: string): Promise<void>;
  /** The record Secrets of a release. */
  records(release: string): Promise<string[]>;
  /** Gives a user (--kube-as-user) a Role of that name in the namespace. */
  grant(user: string, rules: readonly Rule[]): Promise<void>;
}

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export function adminOf(name: string): Admin {
  const namespace = `${name}-${process.pid}-${Math.floor(Math.random() * 1e6)}`;
  let cluster: Cluster | undefined;
  const opened = (): Cluster => {
    if (cluster === undefined) throw new Error('internal: the cluster is opened before the tests');
    return cluster;
  };
  beforeAll(async () => {
    cluster = await connect({ namespace });
    await cluster.apply(namespaceObject(namespace));
  });
  afterAll(async () => {
    await opened().delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: namespace });
    opened().close();
  });
  const names: Admin['names'] = async (apiVersion, kind, labelSelector) =>
    (await opened().list(apiVersion, kind, { namespace, labelSelector })).map(({ metadata }) => metadata.name).sort();
  return {
    namespace,
    cluster: opened,
    names,
    object: (apiVersion, kind, objectName) => opened().get({ apiVersion, kind, namespace, name: objectName }),
    clear: async (apiVersion, kind) => {
      for (const name of await names(apiVersion, kind))
        await opened().delete({ apiVersion, kind, namespace, name }, { propagation: 'Foreground' });
    },
    records: (release) => names('v1', 'Secret', `owner=helm,name=${release}`),
    async grant(user, rules) {
      const apiGroup = 'rbac.authorization.k8s.io';
      const role = { apiVersion: `${apiGroup}/v1`, kind: 'Role', metadata: { namespace, name: user } };
      await opened().apply({ ...role, rules });
      await opened().apply({
        ...role,
        kind: 'RoleBinding',
        roleRef: { apiGroup, kind: 'Role', name: user },
        subjects: [{ kind: 'User', name: user, apiGroup }],
      });
    },
  };
}

export const namespaceObject = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});
