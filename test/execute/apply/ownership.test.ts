import { expect, test } from 'vitest';
import { withOwner } from '../../../src/execute/apply/ownership.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

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
