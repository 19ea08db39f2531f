import { expect, test } from 'vitest';
import { conflictParts } from '../../src/manifest/conflict-parts.ts';
import { pathText } from '../../src/manifest/field-differences.ts';
import { isOfRule, isWithin, readFieldRule, rulePathText } from '../../src/manifest/field-rules.ts';

const place = '--take-fields';

test.each([
  ['Deployment/web:spec.replicas=leave', ['Deployment', 'web', 'spec.replicas', undefined, 'leave']],
  ['Deployment:spec.replicas', ['Deployment', '*', 'spec.replicas', undefined, 'take']],
  ['*:metadata.labels=fail', ['*', '*', 'metadata.labels', undefined, 'fail']],
  ['Deployment/web:spec.replicas@kube-*=leave', ['Deployment', 'web', 'spec.replicas', 'kube-*', 'leave']],
  [
    'Deployment/web:spec.template.spec.containers[name=web].image=take',
    ['Deployment', 'web', 'spec.template.spec.containers[name=web].image', undefined, 'take'],
  ],
  [
    'Service/a:spec.ports[port=80,protocol="TCP"]',
    ['Service', 'a', 'spec.ports[port=80,protocol=TCP]', undefined, 'take'],
  ],
  ['ClusterRole/system:node:rules=leave', ['ClusterRole', 'system:node', 'rules', undefined, 'leave']],
  ['ConfigMap/a:data["app.conf"]', ['ConfigMap', 'a', 'data.app.conf', undefined, 'take']],
  ['Deployment/a:.spec.x[*].y', ['Deployment', 'a', 'spec.x[*].y', undefined, 'take']],
])('%s', (text, parts) => {
  const { kind, name, path, manager, action } = readFieldRule(text, { place });
  expect([kind, name, rulePathText(path), manager, action]).toEqual(parts);
});

test.each([
  ['Deployment/web', 'it names no path'],
  ['Deployment/web:', 'it names no path'],
  ['Deployment/web:spec..replicas', 'spec..replicas is not a path'],
  ['Deployment/web:spec.x[name]', 'spec.x[name] is not a path'],
  ['Deployment/web:spec.x[', 'spec.x[ is not a path'],
  [':spec.replicas', 'it names no kind'],
  ['a/b/c/d:spec.replicas', 'a/b/c/d names no objects'],
  ['Deployment/web:spec.replicas=leav', 'the action is one of take, leave, fail, ignore; did you mean leave?'],
])('%s is no rule', (text, why) => {
  expect(() => readFieldRule(text, { place })).toThrow(
    `--take-fields: ${JSON.stringify(text)} is not a valid field rule: ${why}; write KIND/NAME:PATH=ACTION, for example Deployment/web:spec.replicas=leave`,
  );
});

const identity = 'covers what says which object it is (apiVersion, kind, its name and namespace)';

test.each([
  '*',
  'apiVersion',
  'kind',
  'meta*',
  'metadata',
  'metadata.name',
  'metadata.n*',
  '*@kube-controller-manager',
])('no rule leaves %s to others', (path) => {
  expect(() => readFieldRule(`*:${path}=leave`, { place })).toThrow(identity);
  expect(readFieldRule(`*:${path}=take`, { place }).action).toBe('take');
});

test('of the metadata, labels and annotations can be left to others', () => {
  for (const path of ['metadata.labels', 'metadata.annotations["metadata.name"]'])
    expect(readFieldRule(`*:${path}=leave`, { place }).action).toBe('leave');
});

test.each([
  ['shop/Deployment/web', true],
  ['deployment.apps/web', true],
  ['shop/Deployment.apps/*', true],
  ['Deployment', true],
  ['*/Deployment/web', true],
  ['other/Deployment/web', false],
  ['Deployment.batch/web', false],
  ['shop/Deployment/db', false],
])('%s is the deployment web in shop: %s', (objects, isMeant) => {
  const rule = readFieldRule(`${objects}:spec.replicas=leave`, { place });
  expect(isOfRule({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }, rule)).toBe(isMeant);
});

const object = {
  metadata: { annotations: { 'example.com/a.b': 'x' } },
  spec: { containers: [{ name: 'web', ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
};

test.each([
  ['.metadata.annotations.example.com/a.b', 'metadata.annotations["example.com/a.b"]'],
  ['.spec.containers[name="web"].image', 'spec.containers[name=web].image'],
  [
    '.spec.containers[name="web"].ports[containerPort=80,protocol="TCP"].hostPort',
    'spec.containers[name=web].ports[containerPort=80,protocol=TCP].hostPort',
  ],
  ['.spec.gone.field', 'spec.gone.field'],
])('the API server names %s', (field, path) => {
  expect(pathText(conflictParts(field, object))).toBe(path);
});

test.each([
  ['metadata.annotations.example.com/a.b', true],
  ['metadata.annotations["example.com/a.b"]', true],
  ['metadata.annotations.example.com/*', true],
  ['metadata.annotations.*', true],
  ['metadata.annotations', true],
  ['metadata', true],
  ['metadata.annotations.example.com', false],
  ['metadata.annotations.other', false],
  ['spec', false],
])('%s speaks of an annotation with dots: %s', (path, isMeant) => {
  const rule = readFieldRule(`Deployment:${path}`, { place });
  expect(isWithin(conflictParts('.metadata.annotations.example.com/a.b', object), rule.path)).toBe(isMeant);
});
