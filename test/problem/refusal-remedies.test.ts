import { expect, test } from 'vitest';
import type { FieldPath } from '../../src/manifest/field-path.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { Quote } from '../../src/problem/quote.ts';
import type { RefusalFact } from '../../src/problem/refusal-fact.ts';
import { refusalRemedies } from '../../src/problem/refusal-fact.ts';

const id = { apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'web' };
const object = (rest: object = {}): KubernetesObject =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, ...rest }) as KubernetesObject;
const remediesOf = (fact: RefusalFact, path: FieldPath = [], rest = {}) =>
  refusalRemedies(fact, { id, object: object(rest), path });

test.each([
  ['My_App-cfg', ['subdomain'], 'my-app-cfg'],
  ['-a.-b_.c', ['subdomain'], 'a.b.c'],
  ['https://web.example.com/', ['subdomain'], 'web.example.com'],
  ['web.example.com:8080', ['subdomain'], 'web.example.com'],
  ['My.App', ['label'], 'my-app'],
  ['a.b', ['without-dots'], 'a-b'],
  ['1_Web', ['dns-1035-label'], 'web'],
  ['the team!', ['label-value'], 'the-team'],
  ['App.example.com/the team!', ['label-key'], 'app.example.com/the-team'],
  ['x'.repeat(64), ['length'], 'x'.repeat(63)],
  [`${'x'.repeat(62)}-y`, ['length'], 'x'.repeat(62)],
  ['A'.repeat(64), ['length', 'label'], 'a'.repeat(63)],
] as const)('a text that is no name: %s', (value, rules, meant) => {
  const longest = (rules as readonly string[]).includes('length') ? 63 : undefined;
  const [remedy] = remediesOf({ code: 'name-invalid', field: 'metadata.name', value, rules, longest });
  expect(remedy).toMatchObject({ kind: 'change-field', instead: value, value: meant });
});

test('a word for no address is None', () => {
  const fact = {
    code: 'field-value',
    field: 'spec.clusterIPs[0]',
    words: new Quote('must be a valid IP address'),
  } as const;
  const of = (clusterIP: string) => remediesOf(fact, ['spec', 'clusterIP'], { spec: { clusterIP } });
  expect(of('none')).toMatchObject([{ kind: 'change-field', instead: 'none', value: 'None' }]);
  expect(of('10.0.0')).toEqual([]);
});

test('of a processor thousands are meant, or nothing', () => {
  const of = (value: string) => remediesOf({ code: 'quantity-invalid', field: 'cpu', value }, ['limits', 'cpu']);
  expect(of('500mi')).toMatchObject([{ value: '500m' }]);
  expect(of('2Gi')).toEqual([]);
});

test('of a text that no rule can mend, and of a Secret, nothing is said', () => {
  const fact = { code: 'name-invalid', field: 'metadata.name', value: '___', rules: ['label'] } as const;
  expect(remediesOf(fact)).toEqual([]);
  const secret = { id: { ...id, kind: 'Secret' }, object: object(), path: [] };
  expect(refusalRemedies({ ...fact, value: 'My_Pass' }, secret)).toEqual([]);
});

test.each([
  ['512MB', '512Mi', '512M'],
  ['1.5 GiB', '1.5Gi', '1.5G'],
  ['64kb', '64Ki', '64k'],
  ['128mi', '128Mi', '128M'],
  ['2g', '2Gi', '2G'],
])('what was meant by %s as a quantity', (value, meant, or) => {
  // Kubernetes has Ki, and k for a thousand.
  const [remedy] = remediesOf({ code: 'quantity-invalid', field: 'spec.memory', value });
  expect(remedy).toMatchObject({ instead: value, value: value === '64kb' ? '64Ki' : meant, or });
});

test.each([
  ['Loadbalancer', 'LoadBalancer'],
  ['Nodport', 'NodePort'],
  ['public', undefined],
])('one of a few texts is named for %s, where one is near', (value, meant) => {
  const allowed = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
  const [remedy] = remediesOf({ code: 'field-choice', field: 'spec.type', value, allowed });
  expect(remedy).toEqual(meant && expect.objectContaining({ instead: value, value: meant }));
});

test.each([
  ['below the empty one above it', { labels: null, app: 'web' }, 'app', [['metadata', 'labels']]],
  [
    'a label or an annotation',
    { labels: {}, 'a.io/b': 'web' },
    'a.io/b',
    [
      ['metadata', 'labels'],
      ['metadata', 'annotations'],
    ],
  ],
  ['any other mistake', { lables: {}, labels: null }, 'lables', undefined],
])('a field that is indented too little: %s', (_what, metadata, key, below) => {
  const [remedy] = remediesOf({ code: 'field-unknown', field: `metadata.${key}` }, ['metadata', key], {
    metadata: { name: 'web', ...metadata },
  });
  expect(remedy).toMatchObject(below ? { kind: 'indent', below } : { kind: 'change-field', how: 'rename' });
});

test.each([
  ['Ingress', 'spec.rules[0].pathType', ['spec', 'rules', 0], ['spec', 'rules', 0, 'pathType'], 'Prefix'],
  ['Ingress', 'spec.rules[0].pathType', ['spec', 'rules', 0, 'pathType'], ['spec', 'rules', 0, 'pathType'], 'Prefix'],
  ['RoleBinding', 'subjects[0].namespace', ['subjects', 0], ['subjects', 0, 'namespace'], '{{ .Release.Namespace }}'],
  ['APIService', 'spec.service.namespace', ['spec', 'service'], [], undefined],
  ['Service', 'spec.ports', ['spec'], [], undefined],
])('what is usual in a field that has no default: %s %s', (kind, name, path, at, value) => {
  const field = { id: { ...id, kind }, object: object(), path };
  const expected = value === undefined ? [] : [{ kind: 'change-field', object: field.id, path: at, value }];
  expect(refusalRemedies({ code: 'field-required', field: name }, field)).toEqual(expected);
});

test.each([
  ['128', '128Mi'],
  ['0.5m', '0.5Mi'],
])('memory of %s has lost its unit', (value, meant) => {
  const [remedy] = remediesOf({ code: 'memory-too-small', field: 'spec.memory', value });
  expect(remedy).toMatchObject({ kind: 'change-field', instead: value, value: meant });
});
