import { expect, test } from 'vitest';
import { check } from '../../../src/actions/check.ts';
import { chartFromFiles } from '../../../src/chart/assemble.ts';
import { ignoreNotices } from '../../../src/chart/notice.ts';
import { placeToChange } from '../../../src/problem/problem.ts';

const meta = 'metadata:\n  name: a\n';
const role = `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n${meta}rules:\n- apiGroups: [""]\n  resources: [pods]\n  verbs: [get]\n`;
const secret = `apiVersion: v1\nkind: Secret\n${meta}data:\n  right: YQ==\n  wrong: YQ==\n`;
const probe = '{periodSeconds: 1, httpGet: {path: /, port: 80}}';
const pod = `apiVersion: v1\nkind: Pod\n${meta}spec:\n  containers:\n  - {name: a, image: b}\n  - name: b\n    image: c\n    readinessProbe: ${probe}\n`;
const deployment = `apiVersion: apps/v1\nkind: Deployment\n${meta}spec:\n  strategy:\n    type: Recreate\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: a, image: b, resources: {requests: {cpu: 100m}, limits: {cpu: 500m}}}]}\n`;
const rolling = (kind: string, field: string): string => {
  const numbers = kind === 'StatefulSet' ? 'partition: 1' : 'maxUnavailable: 1';
  const update = `  ${field}:\n    rollingUpdate: {${numbers}}\n    type: RollingUpdate\n`;
  return deployment.replace('Deployment', kind).replace('  strategy:\n    type: Recreate\n', update);
};
const account = `apiVersion: v1\nkind: ServiceAccount\n${meta}`;

const service = `apiVersion: v1\nkind: Service\n${meta}spec:\n  ports:\n  - {port: 80}\n  - {port: 8080}\n`;
const labelled = `apiVersion: v1\nkind: ConfigMap\n${meta}  labels:\n    e: f\n    {{- include "l" . | nindent 4 }}\n  annotations: {a: b}\n`;

test.each<[what: string, text: string, before: string, after: string, code: string, line: number]>([
  ['an unknown field of an item of a list without keys', role, '  resources', '  resourcess', 'field-unknown', 7],
  ['a text where an item of such a list has a list', role, 'verbs: [get]', 'verbs: get', 'field-type', 8],
  ['a number that is not whole', pod, 'periodSeconds: 1', 'periodSeconds: 1.5', 'field-type', 10],
  ['a type that a strategy cannot have', deployment, 'type: Recreate', 'type: Sometimes', 'field-choice', 7],
  ['such a type beside its numbers', rolling('Deployment', 'strategy'), 'RollingUp', 'RolingUp', 'field-choice', 8],
  ['such a type of a DaemonSet', rolling('DaemonSet', 'updateStrategy'), 'RollingUp', 'RolingUp', 'field-choice', 8],
  [
    'such a type of a StatefulSet',
    rolling('StatefulSet', 'updateStrategy'),
    'RollingUp',
    'RolingUp',
    'field-choice',
    8,
  ],
  ['a text of a Secret that is not base64', secret, 'wrong: YQ==', 'wrong: Not_Valid!', 'encoding-invalid', 7],
  ['a label with a wrong key', account, '  name: a', '  name: a\n  labels:\n    A.b/c: d', 'name-invalid', 6],
  ['a kind that is misspelt', deployment, 'kind: Deployment', 'kind: Deploymant', 'kind-unknown', 2],
  [
    'a version that a known kind does not have',
    `${account}---\n${account.replace('v1', 'v2').replace('name: a', 'name: b')}`,
    '',
    '',
    'kind-unknown',
    6,
  ],
  ['a port that stands twice, by two keys', service, '8080', '80', 'field-duplicate', 8],
  ['a name beside it', service.replace('8080', '80'), 'name: a', 'name: A_b', 'name-invalid', 4],
  [
    'a line that is indented too far, above the one that is no YAML then',
    deployment,
    '  strategy',
    '     strategy',
    'yaml-indent',
    6,
  ],
  [
    'what an action indents too far',
    `{{ define "l" }}a: b\nc: d{{ end }}${labelled}`,
    'nindent 4',
    'nindent 5',
    'yaml-indent',
    8,
  ],
  ['an address of which the server makes a list', service, '  ports', '  clusterIP: none\n  ports', 'field-value', 6],
  ['a quote that stays open above', deployment, 'type: Recreate', 'type: "Recreate', 'yaml-quote-open', 7],
  ['a kind that is no text', account, 'kind: ServiceAccount', 'kind: {a: b}', 'yaml-invalid', 2],
  ['a name that is no text', account, 'name: a', 'name: [x]', 'yaml-invalid', 4],
])('%s is told at its line', async (_what, text, before, after, code, line) => {
  expect(await found(text.replace(before, after))).toContainEqual(
    expect.objectContaining({ code, file: 'web/templates/a.yaml', line }),
  );
});

test.each([
  ['a sign is the quantity 0', 'cpu: 100m', 'cpu: "-"', []],
  [
    'a wrong request alone is told, not that another one would be above its limit',
    'cpu: 100m',
    'cpu: 1x',
    ['quantity-invalid'],
  ],
])('%s', async (_what, before, after, codes) =>
  expect((await found(deployment.replace(before, after))).map(({ code }) => code)).toEqual(codes),
);

test('a field whose value a template before it has set is told at its line', async () => {
  const profile = '{{ $_ := set $.Values "verbs" "get" }}\n';
  const template = role.replace('[get]', '{{ .Values.verbs }}');
  expect(await found(template, { 'templates/zzz_profile.yaml': profile })).toMatchObject([
    { code: 'field-type', file: 'web/templates/a.yaml', line: 8 },
  ]);
});

test.each([
  ['the template names it', 'spec: {replica: {{ .Values.replicas }}}', []],
  ['the values name it', '{{- toYaml .Values.more | nindent 0 }}', [['more', 'replica']]],
])('of a field that nobody knows, values are told only if they name it: %s', async (_what, text, keys) => {
  const chart = chartOf({
    'values.yaml': 'replicas: 1\nmore:\n  replica: 1\n',
    'templates/a.yaml': `apiVersion: apps/v1\nkind: Deployment\n${meta}${text}\n`,
  });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  const places = findings
    .filter(({ problem }) => problem.code === 'field-unknown')
    .map(({ problem }) => problem.places);
  expect(
    places.flat().flatMap((place) => (place.kind === 'field' ? place.values?.map((one) => one.keys) : [])),
  ).toEqual(keys);
});

test('a value that the schema requires is told where values.yaml sets it to null', async () => {
  const chart = chartOf({
    'values.yaml': 'a: 1\npolicy:\n',
    'values.schema.json': '{"required": ["policy"], "properties": {"policy": {"enum": ["sync"]}}}',
  });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  expect(findings.map(({ problem }) => [problem.code, problem.places])).toEqual([
    ['value-missing', [{ kind: 'value', keys: ['policy'], text: 'null', file: 'web/values.yaml', line: 2 }]],
  ]);
});

async function found(template: string, more: Readonly<Record<string, string>> = {}) {
  const chart = chartOf({ ...more, 'templates/a.yaml': template });
  const { findings } = await check(chart, new Map(), { name: 'rel', namespace: 'default' });
  return findings.map(({ problem }) => ({ code: problem.code, ...placeToChange(problem) }));
}

function chartOf(files: Readonly<Record<string, string>>) {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', ...files };
  const modifiedAt = new Date(0);
  return chartFromFiles(
    Object.entries(all).map(([name, data]) => ({ name, modifiedAt, data: new TextEncoder().encode(data) })),
    { origin: '', notify: ignoreNotices },
  );
}
