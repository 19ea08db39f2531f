import { expect, test } from 'vitest';
import { idleRuleWarnings } from '../../../src/change/deploy/idle-field-rules.ts';
import { parseManifests } from '../../../src/manifest/parse.ts';

const manifests = parseManifests(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app.kubernetes.io/name: web}}
spec: {template: {spec: {containers: [{name: main, image: web}]}}}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: round}
spec: {size: 1}
---
apiVersion: v1
kind: ConfigMapList
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: listed}, data: {a.b: c}}
`);

const noEffect = (rule: string, why: string) => [`the rule ${rule} for fields has no effect: ${why}`];

test.each([
  ['Deploymnt/web:spec.replicas=leave', 'the release has no Deploymnt/web; did you mean Deployment/web?'],
  ['Deploymnt:spec.replicas=leave', 'the release has no Deploymnt; did you mean Deployment?'],
  ['Deployment/wep:spec.replicas', 'the release has no Deployment/wep; did you mean Deployment/web?'],
  ['StatefulSet:spec.replicas@kube-*=fail', 'the release has no StatefulSet'],
  ['Deployment:spec.replica=leave', 'Deployment has no field spec.replica'],
  ['Deployment/*:spec.template.spec.containers.image', 'Deployment has no field spec.template.spec.containers.image'],
  [
    'Deployment:spec.template.spec.containers[name=main].imag',
    'Deployment has no field spec.template.spec.containers[name=main].imag',
  ],
  ['there/Deployment/web:spec.replicas=leave', 'the release has no there/Deployment/web'],
  ['D*:metadata.label.app', 'Deployment has no field metadata.label.app'],
])('%s has no effect', (rule, why) => {
  expect(idleRuleWarnings([rule], manifests, 'here')).toEqual(noEffect(rule, why));
});

test.each([
  'Deployment:spec.replicas=leave', // not in the chart, but a Deployment has it
  'deployment/w*:spec',
  'here/Deployment/web:spec.replicas=leave',
  'Deployment:spec.template.spec.containers[name=other].image',
  'Deployment:metadata.labels[app.kubernetes.io/name]=leave'.replace('[', '["').replace(']', '"]'),
  'Deployment:metadata.annotations.example.com/any=leave',
  '*:metadata.labels.team=take',
  'ConfigMap:data.a.b=leave',
  'Widget/round:spec.anything=leave', // nobody knows its fields
  'none',
])('%s rules something', (rule) => {
  expect(idleRuleWarnings([rule], manifests, 'here')).toEqual([]);
});

test('rules that the release remembers are not given', () => {
  expect(idleRuleWarnings(undefined, manifests, 'here')).toEqual([]);
});

test.each([
  ['shop/Deployment/web:spec.replicas=leave', 0],
  ['Deployment.apps/web:spec.replicas=leave', 0],
  ['other/Deployment/db:spec.replicas=leave', 1],
])('%s, of an object whose manifest may name no namespace: %i warnings', (rule, count) => {
  const spec = { replicas: 1 };
  const objectOf = (name: string, namespace?: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec,
  });
  const manifests = [objectOf('web'), objectOf('db', 'shop')].map((object) => ({ source: 'a.yaml', text: '', object }));
  expect(idleRuleWarnings([rule], manifests, 'shop')).toHaveLength(count);
});
