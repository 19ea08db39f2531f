import { expect, test } from 'vitest';
import { type ApiStatus, refusalFacts, withoutDump } from '../../../src/problem/foreign/api-status.ts';
import { recordedRefusals } from '../recorded-refusals.ts';

test('each recorded refusal of an API server gives its facts', async () => {
  const facts = recordedRefusals().map(({ name, status }) => `${name}: ${JSON.stringify(refusalFacts(status))}`);
  await expect(`${facts.join('\n')}\n`).toMatchFileSnapshot('./api-status.golden.txt');
});

const invalid = (message: string, field = 'metadata.name', reason = 'FieldValueInvalid'): ApiStatus => ({
  status: 422,
  reason: 'Invalid',
  message: `ConfigMap "a" is invalid: ${field}: ${message}`,
  causes: [{ field, reason, message }],
});

test.each([
  [
    'a field of another manager',
    {
      reason: 'Conflict',
      status: 409,
      causes: [{ field: '.data.k', message: 'conflict with "kubectl-edit" using v1' }],
    },
    [{ code: 'conflict', fields: ['data.k'], managers: ['kubectl-edit'] }],
  ],
  [
    'an account without a right',
    { reason: 'Forbidden', status: 403, message: 'pods is forbidden: User "a" cannot create resource "pods"' },
    [{ code: 'forbidden' }],
  ],
  [
    'a quota',
    {
      reason: 'Forbidden',
      status: 403,
      message: 'pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=4, limited: pods=4',
    },
    [{ code: 'quota-exceeded' }],
  ],
  [
    'a webhook',
    {
      reason: 'Forbidden',
      status: 403,
      message: 'admission webhook "p.example.com" denied the request: cpu is immutable',
    },
    [{ code: 'admission-denied', webhook: 'p.example.com' }],
  ],
  [
    'a key that is there twice',
    {
      status: 500,
      message:
        'failed to create typed patch object (a/b; apps/v1, Kind=Deployment): .spec.template.spec.containers[name="a"].env: duplicate entries for key [name="A"]',
    },
    [{ code: 'field-duplicate', field: 'spec.template.spec.containers[name="a"].env', key: 'A' }],
  ],
  [
    'a list that is a number',
    { status: 500, message: '.rules[8].verbs: expected list, got &{5}' },
    [{ code: 'field-type', field: 'rules[8].verbs', wanted: 'list', value: '5' }],
  ],
  [
    'a number that is a list',
    { status: 500, message: '.spec.replicas: expected numeric (int or float), got []interface {}' },
    [{ code: 'field-type', field: 'spec.replicas', wanted: 'number', type: '[]interface {}' }],
  ],
  [
    'a number or a text that is a map',
    { status: 500, message: '.spec.targetPort: expected untyped scalar, got &value.valueUnstructured{Value:{}}' },
    [{ code: 'field-type', field: 'spec.targetPort', wanted: 'scalar' }],
  ],
  [
    'an item of a list with keys that is no map',
    { status: 500, message: '.spec.env: element 1: associative list with keys may not have non-map elements' },
    [{ code: 'field-type', field: 'spec.env[1]', wanted: 'map' }],
  ],
  [
    'an item without its key',
    {
      status: 500,
      message: `.spec.env: element 1: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
    },
    [{ code: 'field-required', field: 'spec.env[1].name' }],
  ],
  [
    'an unknown field in strict decoding',
    {
      status: 400,
      reason: 'BadRequest',
      message: 'strict decoding error: unknown field "spec.foo", unknown field "dta"',
    },
    [
      { code: 'field-unknown', field: 'spec.foo' },
      { code: 'field-unknown', field: 'dta' },
    ],
  ],
  [
    'anything else',
    { status: 500, reason: 'InternalError', message: 'etcdserver: leader changed' },
    [{ code: 'refused', status: 500, reason: 'InternalError' }],
  ],
])('%s', (_what, answer, facts) =>
  expect(refusalFacts({ reason: 'Unknown', message: '', causes: [], ...answer })).toMatchObject(facts),
);

test.each([
  ['"Sometimes"', 'spec.policy', 'Sometimes'],
  ['{"Type":"Sometimes","RollingUpdate":null}', 'spec.policy.type', 'Sometimes'],
  ['{"Type":"Some\\"s","RollingUpdate":{"MaxUnavailable":1,"MaxSurge":0}}', 'spec.policy.type', 'Some"s'],
  ['{"rollingUpdate":{"maxUnavailable":1},"type":"Sometimes"}', 'spec.policy.type', 'Sometimes'],
])('of %s the value that is none of the allowed ones is a fact', (shown, field, value) => {
  const message = `Unsupported value: ${shown}: supported values: "Always", "Never"`;
  expect(refusalFacts(invalid(message, 'spec.policy', 'FieldValueNotSupported'))).toEqual([
    { code: 'field-choice', field, value, allowed: ['Always', 'Never'] },
  ]);
});

test.each([
  ['"Sometimes"', 'spec.policy'],
  ['{"Type":"Sometimes","RollingUpdate":{"Partition":1,"MaxUnavailable":null}}', 'spec.policy.type'],
])('of %s the value that is not one of two words is a fact', (shown, field) => {
  const message = `Invalid value: ${shown}: must be 'Always' or 'Never'`;
  expect(refusalFacts(invalid(message, 'spec.policy'))).toEqual([
    { code: 'field-choice', field, value: 'Sometimes', allowed: ['Always', 'Never'] },
  ]);
});

test.each([
  `Invalid value: "Sometimes": must be 'Never' when pod \`restartPolicy\` is 'Never'`,
  `Invalid value: {"Kind":"Sometimes"}: must be 'Always' or 'Never'`,
  `Invalid value: 5: must be 'Always' or 'Never'`,
])('%s is no choice of words', (message) =>
  expect(refusalFacts(invalid(message, 'spec.policy'))).toMatchObject([{ code: 'field-value', field: 'spec.policy' }]),
);

test('of one name all rules that it breaks are one fact', () => {
  const rule = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start";
  const one = invalid('Invalid value: "A.b": must be no more than 63 characters');
  const causes = [...one.causes, ...invalid(`Invalid value: "A.b": ${rule}`).causes];
  expect(refusalFacts({ ...one, causes })).toEqual([
    { code: 'name-invalid', field: 'metadata.name', value: 'A.b', rules: ['length', 'label'], longest: 63 },
  ]);
});

test('fields that cannot be changed are one fact', () => {
  const one = invalid('Invalid value: {}: field is immutable', 'spec.selector');
  const causes = [
    ...one.causes,
    ...invalid('Forbidden: may not change once set', 'spec.x', 'FieldValueForbidden').causes,
  ];
  expect(refusalFacts({ ...one, causes })).toEqual([{ code: 'field-immutable', fields: ['spec.selector', 'spec.x'] }]);
});

test('the difference that the API server prints of a claim is left out, and what follows it is not', () => {
  const difference =
    '\n@@ -6,7 +6,7 @@\n  "Resources": {\n   "Requests": {\n-   "storage": "1Gi"\n+   "storage": "3Gi"\n   }\n  },\n  "VolumeName": "",\n';
  const sentence = 'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims';
  expect(withoutDump(`${sentence}${difference}`)).toBe(sentence);
  expect(withoutDump(`[${sentence}${difference}, metadata.name: Required value]`)).toBe(
    `[${sentence}, metadata.name: Required value]`,
  );
});
