import { expect, test } from 'vitest';
import { fieldDifferences } from '../../src/manifest/field-differences.ts';
import { writersOf } from '../../src/manifest/field-writers.ts';

// As kube-apiserver v1.36 wrote them for an object that helm applied and kubectl changed.
const managedFields = [
  {
    manager: 'helm',
    operation: 'Apply',
    time: '2026-01-01T00:00:00Z',
    fieldsV1: {
      'f:spec': {
        'f:template': {
          'f:spec': { 'f:containers': { 'k:{"name":"main"}': { '.': {}, 'f:args': {}, 'f:name': {} } } },
        },
      },
    },
  },
  {
    manager: 'kubectl-edit',
    operation: 'Update',
    time: '2026-01-02T00:00:00Z',
    fieldsV1: {
      'f:metadata': { 'f:labels': { 'f:app.kubernetes.io/name': {} }, 'f:finalizers': { '.': {}, 'v:"mine"': {} } },
      'f:spec': {
        'f:template': {
          'f:spec': {
            'f:containers': {
              'k:{"name":"main"}': {
                'f:args': {},
                'f:image': {},
                'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { 'f:name': {} } },
              },
            },
          },
        },
      },
    },
  },
  { manager: 'scaler', operation: 'Update', subresource: 'scale', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
];
const container = (image: string, port: string, args: string[]) => [
  { name: 'main', image, args, ports: [{ containerPort: 80, protocol: 'TCP', name: port }] },
];
const object = (replicas: number, label: string, containers: object[]) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { 'app.kubernetes.io/name': label }, managedFields },
  spec: { replicas, template: { spec: { containers } } },
});

test('names whoever wrote a field, the latest first', () => {
  const live = object(3, 'new', container('b', 'http', ['x']));
  const recorded = object(1, 'old', container('a', 'web', ['y']));
  const writers = fieldDifferences(live, recorded).map(({ path, parts }) => [
    path,
    writersOf(live, parts).map(({ manager, subresource }) => `${manager} ${subresource ?? ''}`.trim()),
  ]);
  expect(Object.fromEntries(writers)).toEqual({
    'metadata.labels["app.kubernetes.io/name"]': ['kubectl-edit'],
    'spec.replicas': ['scaler scale'],
    'spec.template.spec.containers[name=main].args': ['kubectl-edit', 'helm'],
    'spec.template.spec.containers[name=main].image': ['kubectl-edit'],
    'spec.template.spec.containers[name=main].ports[name=http]': ['kubectl-edit'],
    // The same port (80, TCP) by its old name.
    'spec.template.spec.containers[name=main].ports[name=web]': ['kubectl-edit'],
  });
});

test('who owns a list as a whole wrote what is in it, unless somebody else owns that', () => {
  const withOwner = (fieldsV1: object) => ({
    ...object(1, '', []),
    metadata: { name: 'web', managedFields: [{ manager: 'a', fieldsV1 }, ...managedFields] },
  });
  expect(
    writersOf(withOwner({ 'f:spec': { 'f:rules': {} } }), ['spec', 'rules', { label: '0', item: {} }, 'verbs']),
  ).toMatchObject([{ manager: 'a' }]);
  expect(
    writersOf(withOwner({ 'f:metadata': { 'f:labels': {} } }), ['metadata', 'labels', 'app.kubernetes.io/name']),
  ).toMatchObject([{ manager: 'kubectl-edit' }]);
});

test('an item of a list of plain values is owned by its value', () => {
  const live = object(1, '', []);
  expect(writersOf(live, ['metadata', 'finalizers', { label: '0', item: 'mine' }])).toHaveLength(1);
  expect(writersOf(live, ['metadata', 'finalizers', { label: '0', item: 'other' }])).toHaveLength(0);
});
