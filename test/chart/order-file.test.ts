import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { needForms } from '../../src/chart/need.ts';
import { readOrderFile } from '../../src/chart/order-file.ts';
import { readJsonDocument } from '../../src/chart/schema/json-document.ts';
import { validateAgainstSchema } from '../../src/chart/schema/validate.ts';
import type { GoMap } from '../../src/go/value.ts';
import { isTshelmError } from '../../src/index.ts';
import { fitsPattern } from '../../src/support/pattern.ts';
import { readPlainYaml } from '../../src/yaml/index.ts';

const whole = `resources:
  - select: {kind: StatefulSet, name: '*-postgresql', chart: [postgresql, backend/*], labels: {tier: db}}
    group: database
    readiness: {success: ['{.phase} == "Ready"'], failure: []}
  - select: {kind: Deployment}
    dependsOn: {groups: [database], charts: [redis]}
  - select: {kind: Job}
    dependsOn: [database]
    readiness: {current: status.succeeded == 1, failed: status.failed > 3}
  - select: {kind: ConfigMap}
    weight: -5
    needs: [Deployment/postgres.db, crd/certificates.cert-manager.io, release/db@shop]
  - select: {name: migrate}
    timeout: 90
  - select: {name: warm-*}
    timeout: 5m
needs: [Secret/tls, 'https://db.example.com/healthz']
charts:
  - chart: backend/.
    dependsOn: [redis]
  - chart: .
    runHooksInParallel: true
`;

test('an order file is read with the line of each rule', () => {
  const file = readOrderFile(whole, 'order.yaml');
  expect(file.resources.map(({ place }) => place.line)).toEqual([2, 5, 7, 10, 13, 15]);
  expect(file.resources[0]).toMatchObject({
    select: {
      kind: ['StatefulSet'],
      name: ['*-postgresql'],
      chart: ['postgresql', 'backend/*'],
      labels: { tier: 'db' },
    },
    group: 'database',
    readiness: { success: ['{.phase} == "Ready"'], failure: [] },
  });
  expect(file.resources[2]?.dependsOn).toEqual({ groups: ['database'], charts: [] });
  expect(file.resources[2]?.readiness).toEqual({ current: 'status.succeeded == 1', failed: 'status.failed > 3' });
  expect(file.resources[3]?.needs).toEqual([
    'Deployment/postgres.db',
    'crd/certificates.cert-manager.io',
    'release/db@shop',
  ]);
  expect(file.needs).toEqual({
    place: { file: 'order.yaml', line: 17 },
    needs: ['Secret/tls', 'https://db.example.com/healthz'],
  });
  expect(file.resources.slice(4).map(({ timeout }) => timeout)).toEqual([90, 300]);
  expect(file.charts).toMatchObject([
    { chart: 'backend/.', dependsOn: ['redis'] },
    { chart: '.', runHooksInParallel: 'true' },
  ]);
});

test.each<readonly [text: string, mistakes: readonly string[]]>([
  ['', ['order.yaml: an order file needs resources or charts that it orders, needs, or derive: true']],
  ['- a', ['order.yaml: an order file must be a mapping']],
  ['resource: []', ['order.yaml:1: there is no key resource here; did you mean resources?']],
  ['resources: {}', ['order.yaml:1: resources must be a list']],
  ['resources:\n- group: a', ['order.yaml:2: a rule selects by kind, name, chart or labels']],
  [
    'resources:\n- select: {kind: A}',
    [
      'order.yaml:2: this rule says nothing of what it selects: add group, dependsOn, weight, readiness, needs or timeout',
    ],
  ],
  [
    'resources:\n- select: {kind: A}\n  group: a\n  weight: 1',
    ['order.yaml:4: a resource has either a weight, or a group and what that depends on'],
  ],
  ['resources:\n- select: {kind: A}\n  weight: heavy', ['order.yaml:3: weight must be a whole number']],
  ['resources:\n- select: {kind: A}\n  group: "a, b"', ['order.yaml:3: "a, b" is not a name']],
  // Each of these would otherwise select whatever the rest of the rule does.
  ...['kind: []', 'name: []', 'name:', 'chart: []', 'labels: {}', 'labels:'].map(
    (part) =>
      [
        `resources:\n- group: a\n  select:\n    kind: A\n    ${part}`.replace('kind: A\n    kind', 'kind'),
        [`order.yaml:${part.startsWith('kind') ? 4 : 5}: ${part.split(':')[0]} is empty; leave it out to select any`],
      ] as const,
  ),
  ['resources:\n- select: {kind: A, name: [null]}\n  group: a', ['order.yaml:2: null is not a name']],
  [
    'resources:\n- select: {labels: {app: }}\n  group: a',
    ['order.yaml:2: the label app is selected by a text, and this is null'],
  ],
  [
    'charts:\n- chart: a\n  dependsOn:',
    ['order.yaml:2: this rule says nothing of its chart: add dependsOn or runHooksInParallel'],
  ],
  [
    'resources:\n- select: {kind: A}\n  readiness: {failed: x, success: [y]}',
    [
      'order.yaml:3: readiness needs current, an expression in CEL that is true when it is ready',
      'order.yaml:3: readiness has either success and failure, or current, inProgress and failed',
    ],
  ],
  [
    'resources:\n- select: {kind: Job}\n  timeout: 1.5\n- select: {kind: Job}\n  timeout: soon\n- select: {kind: Job}\n  timeout: 1500ms',
    [3, 5, 7].map(
      (line) => `order.yaml:${line}: timeout must be a whole number of seconds, such as 90, or a duration such as 5m`,
    ),
  ],
  [
    'resources:\n- select: {kind: Job}\n  timeout: 90\n  weight: 1',
    ['order.yaml:3: timeout is for hooks, which have no other key; give it a rule of its own'],
  ],
  ['resources:\n- select: {kind: [A, 5]}\n  group: a', ['order.yaml:2: 5 is not a name']],
  ...[
    'postgres',
    'deployment/web',
    'release/',
    'ConfigMap/A_B',
    'Deployment/-web',
    'Secret/a..b',
    'ftp://db/',
    'https://',
    'https://user:word@db/',
  ].map(
    (need) =>
      [
        `needs:\n- ${need}`,
        [`order.yaml:2: ${JSON.stringify(need)} is not a valid dependency; write ${needForms}`],
      ] as const,
  ),
  ['charts:\n- chart: a', ['order.yaml:2: this rule says nothing of its chart: add dependsOn or runHooksInParallel']],
  [
    'charts:\n- dependsOn: [a]',
    ['order.yaml:2: chart is the path of a subchart, or "." for the resources of the chart itself'],
  ],
  [
    'charts:\n- chart: a\n  runHooksInParallel: yes please',
    ['order.yaml:3: runHooksInParallel is one of false, otherChartsOnly or true'],
  ],
  ['a: [', ['order.yaml: error converting YAML to JSON: yaml: line 1: did not find expected node content']],
])('%j is refused with every mistake and its line', (text, mistakes) => {
  const refused = (() => {
    try {
      return readOrderFile(text, 'order.yaml');
    } catch (error) {
      return error;
    }
  })();
  expect(isTshelmError(refused, 'order-file-invalid') && refused.details.mistakes).toEqual(mistakes);
});

test('what docs/order.schema.json allows is what is read', async () => {
  const schema = readFileSync('docs/order.schema.json');
  const mistakeOf = (content: unknown) =>
    validateAgainstSchema(schema, readJsonDocument(JSON.stringify(content)) as GoMap, {
      notify: () => {},
      download: undefined,
    });
  expect(await mistakeOf(readPlainYaml(whole))).toBe('');
  expect(await mistakeOf({ resources: [{ select: { kind: 'A' }, grup: 'a' }] })).not.toBe('');
  expect(await mistakeOf({ charts: [{ chart: 'a' }] })).not.toBe('');
  expect(await mistakeOf({ resources: [{ select: { kind: 'A' }, readiness: { failed: 'x' } }] })).not.toBe('');
  expect(await mistakeOf({ needs: ['postgres'] })).not.toBe('');
  for (const select of [{ kind: [] }, { kind: 'A', name: [] }, { kind: 'A', name: null }, { labels: {} }])
    expect(await mistakeOf({ resources: [{ select, group: 'a' }] })).not.toBe('');
  for (const need of ['ConfigMap/A_B', 'Deployment/-web']) expect(await mistakeOf({ needs: [need] })).not.toBe('');
  for (const need of ['Deployment/postgres', 'ClusterRole/system:Node_1'])
    expect(await mistakeOf({ needs: [need] })).toBe('');
});

test.each([
  ['web', 'web', true],
  ['web', 'we', false],
  ['shop-web-1', '*web*', true],
  ['shop-web', 'shop-*', true],
  ['ab', 'a*b*b', false],
  ['aba', 'ab*ba', false],
  ['', '*', true],
])('%j fits %j: %s', (text, pattern, fits) => {
  expect(fitsPattern(text, pattern)).toBe(fits);
});

test('a pattern of many stars takes linear time', () => {
  expect(fitsPattern('a'.repeat(20_000), `${'a*'.repeat(2_000)}b`)).toBe(false);
});

test('a second document is refused, and not passed over', () => {
  const second = 'needs: [Secret/tls]\n---\nneeds: [Secret/other]\n';
  expect(() => readOrderFile(second, 'order.yaml')).toThrow(
    'order.yaml: line 3: the file is one document, and another one begins here',
  );
});
