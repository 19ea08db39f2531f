import { expect, test } from 'vitest';
import { tshelm } from '../cli/harness.ts';
import { writeFiles } from './files.ts';

const workload = (name: string, more = ''): string =>
  [
    'apiVersion: apps/v1',
    'kind: Deployment',
    `metadata: {name: ${name}${more}}`,
    'spec:',
    '  replicas: {{ .Values.replicas }}',
    `  selector: {matchLabels: {app: ${name}}}`,
    '  template:',
    `    metadata: {labels: {app: ${name}}}`,
    `    spec: {containers: [{name: main, image: "${name}:1"}]}`,
    '',
  ].join('\n');

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'values.yaml': 'replicas: 1\n',
  'templates/db.yaml': workload('db', ', annotations: {helm.sh/resource-group: db}'),
  'templates/settings.yaml': [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata: {name: settings, annotations: {helm.sh/resource-group: db}}',
    '',
  ].join('\n'),
  'templates/web.yaml': workload(
    'web',
    ', annotations: {helm.sh/resource-group: web, helm.sh/depends-on/resource-groups: \'["db"]\'}',
  ),
};

const tests = [
  ['a clean chart', 'passesCheck: {}', true],
  ['a type that the server refuses', 'passesCheck: {}', false, 'replicas: two'],
  ['… and is meant to', 'passesCheck: {}\n        not: true', true, 'replicas: two'],
  ['an order that holds', 'readyBefore: {first: Deployment/db, then: deployment/web}', true],
  ['an object that nothing waits for', 'readyBefore: {first: ConfigMap/settings, then: Deployment/web}', true],
  ['… and not the other way round', 'readyBefore: {first: Deployment/web, then: ConfigMap/settings}', false],
  ['an order that does not', 'readyBefore: {first: Deployment/web, then: Deployment/db}', false],
  ['an object that is not there', 'readyBefore: {first: Job/migrate, then: Deployment/db}', false],
  ['a chart that becomes ready', 'becomesReady: {}', true],
  ['… in time', 'becomesReady: {within: 10m}', true],
  ['… too late', 'becomesReady: {within: 1ms}', false],
  ['an install that fails', 'becomesReady: {}', false, 'replicas: two'],
] as const;

const suite = [
  'tests:',
  ...tests.map(([it, assertion, , set]) =>
    [`  - it: ${JSON.stringify(it)}`, ...(set ? [`    set: {${set}}`] : []), `    asserts:\n      - ${assertion}`].join(
      '\n',
    ),
  ),
].join('\n');

test('the whole chart is checked and rehearsed with the values of a test', async () => {
  const folder = writeFiles({ ...files, 'tests/whole_test.yaml': suite });
  const { stdout, stderr } = await tshelm(['unittest', 'shop'], { cwd: folder });
  const failures = stdout.split('\n').filter((line) => line.startsWith('\t- '));
  const expected = tests.flatMap(([it, , isPassed]) => (isPassed ? [] : [`\t- ${it}`]));
  expect({ failures, stderr }).toEqual({ failures: expected, stderr: '' });
  for (const words of [
    'error: Deployment/db: spec.replicas must be a number',
    'Deployment/web is ready after',
    'the chart deploys no Job/migrate',
    'it is ready after',
  ])
    expect(stdout).toContain(words);
});

test('a level that there is not is an error of the suite', async () => {
  const folder = writeFiles({
    ...files,
    'tests/whole_test.yaml': 'tests: [{asserts: [{passesCheck: {failOn: fatal}}]}]\n',
  });
  const { code, stdout } = await tshelm(['unittest', 'shop'], { cwd: folder });
  expect(code).toBe(1);
  expect(stdout).toContain("passesCheck: failOn is one of error, warning, note, got 'fatal'");
});
