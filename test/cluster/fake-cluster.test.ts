import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { FakeCluster, refusal } from './fake-cluster.ts';

const configMap = (name: string, data: Record<string, string> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const deployment = (name: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { replicas: 2 },
});

test('what is seen is what was written, in order', async () => {
  const cluster = new FakeCluster();
  const seen = cluster.sees('b');
  await cluster.apply(configMap('a'));
  await cluster.apply(configMap('b'));
  await seen;
  expect(cluster.seen).toEqual(['a', 'b']);
});

test('a test decides when a deployment is ready', async () => {
  const cluster = new FakeCluster();
  await cluster.apply(deployment('app'));
  expect(cluster.find('app')?.['status']).toBeUndefined();
  cluster.makeReady('app');
  expect(cluster.find('app')?.['status']).toMatchObject({ availableReplicas: 2, observedGeneration: 1 });
});

test('calls fail as often as they are told to', async () => {
  const cluster = new FakeCluster();
  cluster.failOn('apply', 'a', refusal(403, 'Forbidden', configMap('a'), 'is forbidden'), 1);
  await expect(cluster.apply(configMap('a'))).rejects.toThrow('configmaps "a" is forbidden');
  await cluster.apply(configMap('a'));
  expect(cluster.names()).toEqual(['ConfigMap/a']);
});

test('deleting a namespace removes what is inside', async () => {
  const cluster = new FakeCluster();
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  await cluster.apply({ ...configMap('a'), metadata: { name: 'a', namespace: 'team' } });
  await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'team' });
  expect(cluster.names()).toEqual([]);
});
