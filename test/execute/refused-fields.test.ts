import { expect, test } from 'vitest';
import { pathInto, refusedParts } from '../../src/execute/refused-fields.ts';
import { parseManifest } from '../../src/manifest/parse.ts';

const quantities =
  'Deployment in version "v1" cannot be handled as a Deployment: quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'';

test('of quantities that are none the API server does not say which', () => {
  const { object } = parseManifest(
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      volumes: [{name: tmp, emptyDir: {sizeLimit: 1GB}}]
      containers:
        - name: web
          env: [{name: LIMIT, value: 64MB}]
          resources:
            limits: {cpu: 500m, memory: 64MB}
            requests: {cpu: "1", memory: 1.5Gi}
`,
    'shop/templates/web.yaml',
  );
  const failure = { method: 'PATCH', path: '', status: 400, reason: 'BadRequest', message: quantities, causes: [] };
  expect(refusedParts(object, failure).map(({ fact }) => fact)).toEqual([
    { code: 'quantity-invalid', field: 'spec.template.spec.volumes[0].emptyDir.sizeLimit', value: '1GB' },
    { code: 'quantity-invalid', field: 'spec.template.spec.containers[0].resources.limits.memory', value: '64MB' },
  ]);
});

test('a field that the server has made of a wrong one is not told beside it', () => {
  const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'b' }, spec: { ports: [{ port: 99999 }] } };
  const message = 'Invalid value: 99999: must be between 1 and 65535, inclusive';
  const causes = ['port', 'targetPort'].map((name) => ({
    field: `spec.ports[0].${name}`,
    reason: 'FieldValueInvalid',
    message,
  }));
  const answer = { status: 422, reason: 'Invalid', message, causes };
  expect(refusedParts(object, answer).map(({ paths }) => paths)).toEqual([[['spec', 'ports', 0, 'port']]]);
});

test('a key with dots in it is one part of the way', () => {
  const metadata = { 'app.kubernetes.io/name': 'web', app: { kubernetes: 'x' }, list: [{ 'a.b': 1 }] };
  const ways = ['metadata.app.kubernetes.io/name', 'metadata.app.kubernetes', 'metadata.list[0].a.b', 'metadata.ap'];
  expect(ways.map((text) => pathInto({ metadata }, text))).toEqual([
    ['metadata', 'app.kubernetes.io/name'],
    ['metadata', 'app', 'kubernetes'],
    ['metadata', 'list', 0, 'a.b'],
    ['metadata'],
  ]);
});
