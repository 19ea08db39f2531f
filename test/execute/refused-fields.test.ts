import { expect, test } from 'vitest';
import { pathInto, refusedParts } from '../../src/execute/refused-fields.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';

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

const refusal = { status: 400, reason: 'BadRequest', causes: [] };
const pod = {
  initContainers: [{ probe: { seconds: 1 } }],
  containers: [{ probe: { seconds: 1 } }, { probe: { seconds: 1.5 } }],
};

test.each([
  [
    'a number of a list that Go names without its item',
    { spec: { template: { spec: pod } } },
    'json: cannot unmarshal number 1.5 into Go struct field Probe.spec.template.spec.containers.probe.seconds of type int32',
    [['spec', 'template', 'spec', 'containers', 1, 'probe', 'seconds']],
  ],
  [
    'a text of a map that Go names without its key',
    { spec: { properties: { a: { minLength: 1 }, b: { minLength: true } } } },
    'json: cannot unmarshal bool into Go struct field JSONSchemaProps.spec.properties.minLength of type int64',
    [['spec', 'properties', 'b', 'minLength']],
  ],
  [
    'a label that is a number',
    { metadata: { name: 'a', labels: { x: 'y', z: 5 } } },
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    [['metadata', 'labels', 'z']],
  ],
  [
    'the text of a Secret that is not base64',
    { data: { right: 'YQ==', wrong: 'Not_Valid!' } },
    'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 3',
    [['data', 'wrong']],
  ],
])('%s', (_what, parts, message, paths) => {
  const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, ...parts } as KubernetesObject;
  expect(refusedParts(object, { ...refusal, message }).flatMap((part) => part.paths)).toEqual(paths);
});

test('the API server names the labels of a pod template without its metadata', () => {
  const template = { metadata: { labels: { app: 'Not_Valid!' } }, spec: {} };
  expect(pathInto({ spec: { template } }, 'spec.template.labels')).toEqual(['spec', 'template', 'metadata', 'labels']);
});

test.each([
  [
    'spec.validation.openAPIV3Schema.properties[spec].type',
    ['schema', 'openAPIV3Schema', 'properties', 'spec', 'type'],
  ],
  ['spec.additionalPrinterColumns[0].type', ['additionalPrinterColumns', 0, 'type']],
])('a CRD is judged in a form that has parts of its version beside the versions: %s', (field, path) => {
  const schema = { openAPIV3Schema: { properties: { spec: { type: 'Sometimes' } } } };
  const additionalPrinterColumns = [{ name: 'Age', type: '10mm' }];
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'a' },
    spec: { versions: [{ name: 'v1', schema, additionalPrinterColumns }] },
  };
  const causes = [{ field, reason: 'FieldValueInvalid', message: 'Invalid value' }];
  const [part] = refusedParts(object, { status: 422, reason: 'Invalid', message: '', causes });
  expect(part?.paths).toEqual([['spec', 'versions', 0, ...path]]);
});

test.each([
  ['another text', { app: 'b' }, [['app'], ['app']]],
  ['a key of nearly the name', { apps: 'a' }, [['app'], ['apps']]],
  ['a key that the pods do not have', { tier: 'web' }, [[], ['tier']]],
] as const)('of a selector and labels that do not fit either may be wrong: %s', (_what, selector, [label, asked]) => {
  const labels = { app: 'a', release: 'r' };
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { selector: { matchLabels: { release: 'r', ...selector } }, template: { metadata: { labels } } },
  };
  const message = 'Invalid value: {"app":"a"}: `selector` does not match template `labels`';
  const causes = [{ field: 'spec.template.metadata.labels', reason: 'FieldValueInvalid', message }];
  const [part] = refusedParts(object, { status: 422, reason: 'Invalid', message: '', causes });
  expect(part?.paths).toEqual([
    ['spec', 'template', 'metadata', 'labels', ...label],
    ['spec', 'selector', 'matchLabels', ...asked],
  ]);
});

test.each([
  [
    'the limit of a request',
    'spec.containers[0].resources.requests',
    'Invalid value: "100Mi": must be less than or equal to memory limit of 5',
    ['resources', 'limits', 'memory'],
  ],
  [
    'the version of a field',
    'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath',
    'Invalid value: "status.podIP": error converting fieldPath: unsupported pod version: v2',
    ['env', 0, 'valueFrom', 'fieldRef', 'apiVersion'],
  ],
])('a field that does not agree with another one names both: %s', (_what, field, message, other) => {
  const env = [{ name: 'IP', valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'status.podIP' } } }];
  const resources = { requests: { memory: '100Mi' }, limits: { memory: '5' } };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ env, resources }] } };
  const [part] = refusedParts(object, {
    status: 422,
    reason: 'Invalid',
    message: '',
    causes: [{ field, reason: 'FieldValueInvalid', message }],
  });
  expect(part?.paths.at(-1)).toEqual(['spec', 'containers', 0, ...other]);
});

test.each([
  ['missing', {}, ['metadata']],
  ['empty', { name: '' }, ['metadata', 'name']],
])('beside what misses a field is what may be meant to be it: %s', (_what, given, own) => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap' };
  const metadata = { ...given, Name: 'a', labels: { name: 'a' } };
  const causes = [{ field: 'metadata.name', reason: 'FieldValueRequired', message: 'Required value' }];
  const [part] = refusedParts({ ...object, metadata } as never, {
    status: 422,
    reason: 'Invalid',
    message: '',
    causes,
  });
  expect(part?.paths).toEqual([['metadata', 'Name'], ['metadata', 'labels', 'name'], own]);
});

test('a member of a map may have the name of a field of its type', () => {
  const schema = {
    type: 'object',
    properties: { type: { properties: { a: { type: ['x'] } } }, b: { type: 'string' } },
  };
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'a' },
    spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
  };
  const field = 'JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.properties.type';
  const message = `json: cannot unmarshal array into Go struct field ${field} of type string`;
  const [part] = refusedParts(object, { status: 400, reason: 'BadRequest', message, causes: [] });
  expect(part?.paths.map((path) => path.slice(4).join('.'))).toEqual([
    'openAPIV3Schema.properties.type.properties.a.type',
  ]);
});
