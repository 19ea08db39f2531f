import { expect, test } from 'vitest';
import { findAdoptable, withOwner } from '../../../src/execute/apply/ownership.ts';
import type { Target } from '../../../src/execute/apply/targets.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { createLimiter } from '../../../src/support/concurrency.ts';
import { FakeCluster } from '../../cluster/fake-cluster.ts';

test('labels and annotations that are null are empty, as in Helm', () => {
  const metadata = { name: 'a', labels: { team: null }, annotations: { note: null } };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata } as unknown as KubernetesObject;
  expect(withOwner(object, { release: 'web', namespace: 'shop' }).metadata).toEqual({
    name: 'a',
    labels: { team: '', 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { note: '', 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'shop' },
  });
});

test('an empty "labels:" or "annotations:" is none', () => {
  const metadata = { name: 'a', labels: null, annotations: null };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata } as unknown as KubernetesObject;
  expect(withOwner(object, { release: 'web', namespace: 'shop' }).metadata).toEqual({
    name: 'a',
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'shop' },
  });
});

test('of many objects of a kind, lists tell the metadata alone', async () => {
  const cluster = new FakeCluster();
  const { list } = cluster;
  const asked: unknown[] = [];
  cluster.list = (apiVersion, kind, options) => {
    asked.push(options?.metadataOnly);
    return list.call(cluster, apiVersion, kind, options);
  };
  const names = Array.from({ length: 8 }, (_, index) => `map-${index}`);
  const targets = names.map((name) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' } };
    return { id: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name }, object };
  });
  const owner = { release: 'web', namespace: 'shop' };
  await cluster.apply(withOwner((targets[0] as Target).object, owner));
  const found = await findAdoptable(targets, owner, { cluster, limit: createLimiter(4) });
  expect([...found]).toHaveLength(1);
  expect(asked).toEqual([true]);
});
