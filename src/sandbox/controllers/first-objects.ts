import type { JsonObject } from '../../support/json.ts';
import type { Environment } from '../api/environment.ts';
import { uidFrom } from '../api/ids.ts';
import { newNode } from '../api/nodes.ts';
import { type Resource, timestamp } from '../resource.ts';
import { rootCertificate } from './namespace.ts';

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** What every cluster has from the start: its namespaces with what is in them, a storage class, and here one node. */
export function ensureFirstObjects(environment: Environment): void {
  const { store, clock } = environment;
  const now = timestamp(clock.now());
  // Whoever has described nodes of another kind may have deleted this one.
  if (store.list('/nodes').length === 0) store.put('/nodes', newNode(environment, 1));
  for (const { storageKey, object } of [...namespaces.flatMap(furnishedNamespace), ...classes]) {
    const { namespace, name } = object.metadata;
    if (store.get(storageKey, namespace, name) !== undefined) continue;
    const uid = uidFrom(`${storageKey}/${namespace ?? ''}/${name}`);
    store.put(storageKey, { ...object, metadata: { ...object.metadata, uid, creationTimestamp: now } });
  }
}

interface First {
  readonly storageKey: string;
  readonly object: Resource;
}

const first = (storageKey: string, apiVersion: string, kind: string, object: JsonObject): First => ({
  storageKey,
  object: { apiVersion, kind, ...object } as Resource,
});

const furnishedNamespace = (name: string): First[] => [
  first('/namespaces', 'v1', 'Namespace', {
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }),
  first('/serviceaccounts', 'v1', 'ServiceAccount', { metadata: { name: 'default', namespace: name } }),
  first('/configmaps', 'v1', 'ConfigMap', {
    metadata: { name: 'kube-root-ca.crt', namespace: name },
    data: rootCertificate,
  }),
];

const priorityClass = (name: string, value: number): First =>
  first('scheduling.k8s.io/priorityclasses', 'scheduling.k8s.io/v1', 'PriorityClass', {
    metadata: { name },
    value,
    preemptionPolicy: 'PreemptLowerPriority',
  });

const storageClass = first('storage.k8s.io/storageclasses', 'storage.k8s.io/v1', 'StorageClass', {
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'sandbox.tshelm.dev/volume',
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
});

const classes = [
  storageClass,
  priorityClass('system-cluster-critical', 2_000_000_000),
  priorityClass('system-node-critical', 2_000_001_000),
];
