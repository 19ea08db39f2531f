import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { problemCodes } from '../../scripts/problem-codes.mjs';
import type { ChartFact } from '../../src/problem/chart-fact.ts';
import type { OrderFact } from '../../src/problem/order-fact.ts';
import { Quote } from '../../src/problem/quote.ts';
import type { RefusalFact } from '../../src/problem/refusal-fact.ts';
import type { ReleaseFact } from '../../src/problem/release-fact.ts';
import type { Remedy } from '../../src/problem/remedy.ts';
import type { VersionFact } from '../../src/problem/version-fact.ts';
import { factText } from '../../src/words/fact.ts';
import { remedyForPrograms, remedyText } from '../../src/words/remedy.ts';

const words = new Quote('words of another program');
const keys = ['image', 'tag'];
const field = 'spec.ports[0].port';

/** Every fact of a chart once. */
const chart: readonly ChartFact[] = [
  { code: 'value-missing', keys },
  { code: 'value-missing', keys, field: 'name' },
  { code: 'value-unread', keys },
  { code: 'value-unread', keys: ['replicaCont'], meant: ['replicaCount'] },
  { code: 'value-unread', keys: ['replicaCont'], meant: ['replicaCount'], isDefault: true },
  { code: 'value-not-a-map', keys, field: 'name' },
  { code: 'value-not-a-list', keys },
  { code: 'value-misfit', keys, words },
  { code: 'value-encrypted', path: ['data', 'a'] },
  { code: 'schema-not-json', mistake: 'empty', words },
  { code: 'schema-not-json', mistake: 'trailing-comma', words },
  { code: 'schema-not-json', mistake: 'comment', words },
  { code: 'schema-not-json', mistake: 'single-quote', words },
  { code: 'schema-not-json', mistake: 'comma-missing', words },
  { code: 'schema-not-json', mistake: 'colon-missing', words },
  { code: 'schema-not-json', mistake: 'key-not-quoted', words },
  { code: 'schema-not-json', mistake: 'text-open', words },
  { code: 'schema-not-json', mistake: 'text-after-end', words },
  { code: 'schema-not-json', mistake: 'bracket-open', words },
  { code: 'schema-not-json', words },
  { code: 'schema-keyword', path: ['properties', 'port', 'type'], value: '"int"', words },
  { code: 'schema-keyword', path: [], words },
  { code: 'schema-reference', path: ['$ref'], value: '"#/$defs/a"', why: 'not-found' },
  { code: 'schema-reference', path: ['$ref'], value: '"a.json"', why: 'other-file' },
  { code: 'schema-reference', path: ['$ref'], value: '"https://x/y"', why: 'not-fetched' },
  { code: 'schema-invalid', words },
  { code: 'chart-not-rendered', words },
  { code: 'chart-refuses', words },
  { code: 'template-failed', words },
  { code: 'owner-null', owner: '$pod.a', field: 'port' },
  { code: 'owner-not-a-map', owner: '$pod.a', field: 'port' },
  { code: 'range-over-scalar', text: '$a' },
  { code: 'template-unknown', name: 'web.name' },
  { code: 'function-unknown', name: 'trimm' },
  { code: 'argument-type', wanted: 'string', got: 'int' },
  { code: 'argument-type', wanted: 'int', got: 'map[string]interface {}' },
  { code: 'argument-type', wanted: 'string', got: '[]interface {}', keys },
  { code: 'argument-count', name: 'nindent', wanted: 2, given: 1, isLeast: false },
  { code: 'argument-count', name: 'lower', wanted: 1, given: 2, isLeast: false },
  { code: 'argument-count', name: 'printf', wanted: 1, given: 0, isLeast: true },
  { code: 'action-not-closed' },
  { code: 'action-not-closed', word: 'if', line: 14 },
  { code: 'end-without-block', word: 'end' },
  { code: 'end-without-block', word: 'else' },
  { code: 'brace-missing' },
  { code: 'brace-missing', isWhole: true },
  { code: 'include-endless', name: 'web.labels' },
  { code: 'block-left', key: 'conf' },
  { code: 'yaml-invalid', words },
  { code: 'yaml-character' },
  { code: 'yaml-tab' },
  { code: 'yaml-indent' },
  { code: 'yaml-list-item' },
  { code: 'yaml-colon-missing' },
  { code: 'yaml-nested-mapping' },
  { code: 'yaml-list-in-line' },
  { code: 'yaml-quote-open' },
  { code: 'yaml-quote-open-at-document' },
  { code: 'yaml-escape' },
  { code: 'yaml-bracket-open' },
  { code: 'yaml-anchor-unknown' },
  { code: 'yaml-key-twice' },
  { code: 'yaml-no-map' },
];

const resource = 'Deployment/web';
const afterGroup = 'helm.sh/depends-on/resource-groups';
const subcharts = 'helm.sh/depends-on/subcharts';
const wait = { from: 'a', to: 'b', through: [], key: afterGroup, resource, file: 'a/b.yaml', line: 3 };

/** Every fact of an order once. */
const order: readonly OrderFact[] = [
  { code: 'order-cycle', of: 'resource groups', chart: 'shop', cycle: ['a', 'b'], waits: [wait] },
  { code: 'order-subchart-unknown', key: subcharts, name: 'a', chart: 'shop', known: ['b', 'c'], meant: [] },
  { code: 'order-subchart-unknown', key: 'depends-on', subchart: 'a', name: 'c', chart: 'shop', known: [], meant: [] },
  {
    code: 'order-subchart-unknown',
    key: 'depends-on',
    subchart: 'a',
    name: 'c',
    chart: 'shop',
    known: ['b'],
    meant: [],
  },
  {
    code: 'order-subchart-unknown',
    key: 'helm.sh/dependson/chart',
    resource,
    name: 'a',
    chart: 'shop',
    known: ['aa', 'c'],
    meant: ['aa'],
  },
  ...(
    [
      { what: 'layer', isIgnored: false, meant: 'b' },
      { what: 'resource group', isIgnored: true },
    ] as const
  ).map(
    (one): OrderFact => ({
      code: 'order-group-unknown',
      name: 'a',
      waiting: 'web',
      key: afterGroup,
      resource,
      chart: 'shop',
      ...one,
    }),
  ),
  { code: 'order-group-isolated', name: 'a', chart: 'shop' },
  { code: 'order-edge-dropped', resource: 'Deployment/web', needed: 'ConfigMap/web', why: 'mounts ConfigMap web' },
  { code: 'order-need-invalid', resource, need: 'postgres', isUrl: false, forms: 'Kind/name' },
  { code: 'order-need-invalid', resource, need: 'https://db/ready', isUrl: true, forms: 'Kind/name' },
  { code: 'order-need-own', need: 'Deployment/db' },
  { code: 'order-file-left-out', release: 'shop', revision: 3, file: 'order.yaml' },
  { code: 'order-group-twice', resource, groups: ['a', 'b'] },
  { code: 'order-weight-invalid', resource, weight: '1.5', isTooLarge: false },
  { code: 'order-weight-invalid', resource, weight: '9007199254740993', isTooLarge: true },
  { code: 'order-weight-in-group', resource },
  ...(['map', 'not-json', 'not-a-list', 'not-a-name'] as const).map(
    (why): OrderFact => ({ code: 'order-names-malformed', key: subcharts, mistake: { text: 'TEXT', why } }),
  ),
  {
    code: 'order-names-malformed',
    key: 'depends-on',
    subchart: 'a',
    mistake: { text: 'TEXT', why: 'not-a-name', item: '{' },
  },
  { code: 'order-names-malformed', key: afterGroup, resource, mistake: { text: 'TEXT', why: 'not-json' } },
  { code: 'order-in-list', list: 'List/all', item: resource, key: 'helm.sh/layer' },
  { code: 'order-readiness-invalid', resource, key: 'helm.sh/readiness-success' },
  { code: 'order-readiness-invalid', resource, key: 'helm.sh/readiness-success', words },
  { code: 'order-key-misplaced', holder: resource, key: subcharts, instead: 'KEY', belongsTo: 'Chart.yaml' },
  { code: 'order-key-misplaced', holder: 'Chart.yaml', key: afterGroup, instead: subcharts, belongsTo: 'resources' },
  { code: 'order-key-unknown', holder: 'Chart.yaml', key: 'helm.sh/depends-on/subchart', meant: subcharts },
  { code: 'order-key-unknown', holder: resource, key: 'helm.sh/a', meant: subcharts, belongsTo: 'Chart.yaml' },
  ...(['annotation', 'resource', 'subchart', 'chart'] as const).map(
    (kind): OrderFact => ({
      code: 'order-lost',
      chart: 'shop',
      key: subcharts,
      sign: { kind, name: 'NAME' },
      none: '{}',
      ...(kind === 'annotation' && { late: ['b'], after: ['a'] }),
    }),
  ),
  { code: 'order-undeclared', chart: 'shop', key: subcharts, packaged: [] },
  { code: 'order-undeclared', chart: 'shop', key: subcharts, packaged: ['a', 'b'] },
  { code: 'order-field-dropped', field: 'depends-on', key: subcharts, value: '{"a":["b"]}' },
  { code: 'order-annotation-list', key: subcharts, value: '["a"]' },
  { code: 'hook-mode-unknown', key: 'helm.sh/run-hooks-in-parallel', value: 'sometimes' },
  { code: 'hook-key-ignored', resource, key: 'helm.sh/weight', instead: 'helm.sh/hook-weight' },
  { code: 'hook-word-unknown', resource, key: 'helm.sh/hook', word: 'x', known: ['a', 'b'], isEvent: true },
  { code: 'hook-word-unknown', resource, key: 'KEY', word: 'x', known: ['a'], meant: 'a', isEvent: false },
  ...(['not-whole', 'too-large', 'not-seconds', 'zero'] as const).map(
    (why): OrderFact => ({ code: 'hook-number-invalid', resource, key: 'KEY', value: '1.5', why, countsAs: 0 }),
  ),
];

/** Every fact of a refusal once. */
const refusals: readonly RefusalFact[] = [
  { code: 'refused', status: 500, reason: 'InternalError', words },
  { code: 'field-unknown', field },
  { code: 'field-type', field, wanted: 'number', type: 'string', value: 'http' },
  { code: 'field-type', field, wanted: 'map', type: 'list' },
  { code: 'field-value', field, words },
  { code: 'field-choice', field, value: 'Alway', allowed: ['Always', 'Never'] },
  { code: 'field-required', field },
  { code: 'field-required', field, words },
  { code: 'field-forbidden', field, words },
  { code: 'field-duplicate', field },
  { code: 'field-duplicate', field, key: 'name="a"' },
  { code: 'field-immutable', fields: ['spec.selector', 'spec.template'] },
  { code: 'name-invalid', field, value: 'A_b.c', rules: ['subdomain'] },
  { code: 'name-invalid', field, value: 'A_b.c', rules: ['label', 'length'], longest: 63 },
  { code: 'name-invalid', field, value: '1', rules: ['dns-1035-label'] },
  { code: 'name-invalid', field, value: 'a.b', rules: ['without-dots'] },
  { code: 'name-invalid', field, value: 'A.b/c', rules: ['label-key'] },
  { code: 'name-invalid', field, value: 'a b', rules: ['label-value'] },
  { code: 'name-invalid', field, value: 'a b', rules: ['config-key'] },
  { code: 'name-invalid', field, value: 'A', rules: ['letters-and-hyphens'] },
  { code: 'quantity-invalid', field, value: '64MB' },
  { code: 'quantity-invalid' },
  { code: 'encoding-invalid', field },
  { code: 'encoding-invalid' },
  { code: 'node-port-outside', field: 'spec.ports[0].nodePort', port: 80, from: 30_000, to: 32_767 },
  { code: 'memory-too-small', field: 'spec.containers[0].resources.limits.memory', value: '128' },
  { code: 'selector-mismatch', field },
  { code: 'conflict', fields: [field], managers: ['kubectl'] },
  { code: 'conflict', fields: ['a', 'b'], managers: ['kubectl', 'argo'] },
  { code: 'namespace-missing', name: 'shop' },
  { code: 'namespace-missing' },
  { code: 'forbidden', words },
  { code: 'quota-exceeded', words },
  { code: 'policy-denied', policy: 'a', binding: 'b', words },
  { code: 'policy-denied', policy: 'a', isOfPods: true, words },
  { code: 'policy-warned', policy: 'a', binding: 'b', words },
  { code: 'policy-warned', policy: 'a', isOfPods: true, words },
  { code: 'policy-not-judged', policy: 'a', why: 'mutating' },
  { code: 'policy-not-judged', policy: 'a', why: 'mutating', isOfPods: true },
  { code: 'policy-not-judged', policy: 'a', why: 'expression' },
  { code: 'policy-not-judged', policy: 'a', binding: 'b', why: 'expression', words },
  { code: 'admission-denied', words },
  { code: 'not-sent' },
  { code: 'left-over', fields: [field] },
  { code: 'left-over', fields: [], words },
  { code: 'kind-unknown', apiVersion: 'a/v1', kind: 'B' },
  { code: 'object-malformed', parts: [{ path: ['metadata', 'labels'], reason: 'is the number 1 but must be a map' }] },
  { code: 'owned-elsewhere' },
  { code: 'owned-elsewhere', owner: { release: 'shop', namespace: 'web' } },
  { code: 'name-missing', path: ['metadata', 'name'], isEmpty: true },
  { code: 'name-missing', path: ['metadata', 'name'], isEmpty: false },
];

const old = { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', versions: ['1.34', '1.37'] };
const replacement = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', since: '1.21' };
const gone = { field: 'spec.volumes[0].gitRepo', versions: ['1.34', '1.37'] };

/** Every fact of versions of Kubernetes once. */
const versions: readonly VersionFact[] = [
  { code: 'kind-removed', since: '1.25', ...old, replacement },
  { code: 'kind-removed', since: '1.25', ...old },
  { code: 'kind-deprecated', since: '1.21', removed: '1.25', ...old, replacement: { ...replacement, kind: 'Budget' } },
  { code: 'kind-deprecated', since: '1.21', ...old },
  { code: 'kind-not-yet', since: '1.38', ...old },
  { code: 'kind-not-enabled', ...old, replacement },
  { code: 'field-removed', since: '1.34', ...gone },
  { code: 'field-not-yet', since: '1.38', ...gone },
  { code: 'field-deprecated', since: '1.11', ...gone },
  { code: 'field-deprecated', driver: 'ebs.csi.aws.com', ...gone },
  { code: 'field-inactive', since: '1.33', ...gone },
];

const id = { apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'web' };
const path = ['spec', 'ports', 0, 'port'];
const remedies: readonly Remedy[] = [
  { kind: 'set-option', option: 'forceConflicts' },
  { kind: 'set-option', option: 'takeFields', value: 'Deployment/web:spec.replicas' },
  { kind: 'drop-rule', rule: 'Deployment/web:spec.replicas=fail' },
  { kind: 'set-option', option: 'takeFields', value: 'Deployment/web:spec.containers[name=web].image' },
  { kind: 'set-option', option: 'takeFields', value: 'Deployment/web:spec.replicas', alsoValues: ['Job/a:spec.b'] },
  { kind: 'set-option', option: 'forceReplace', alsoSet: { serverSide: 'false' } },
  { kind: 'set-option', option: 'createNamespace' },
  { kind: 'set-option', option: 'skipSchemaValidation' },
  { kind: 'set-option', option: 'serverSide', value: 'true' },
  { kind: 'set-value', keys },
  { kind: 'set-value', keys, ownFile: 'ci.yaml' },
  { kind: 'set-value', keys: ['stores', '0', 'provider'] },
  { kind: 'set-value', keys, value: 'a', makes: 'a-web' },
  { kind: 'set-value', keys, value: 'false' },
  { kind: 'set-value', keys, allowed: { types: ['string'], pattern: '^a', minLength: 2, example: '"ab"' } },
  { kind: 'set-value', keys, allowed: { types: ['integer', 'null'], minimum: 1, maximum: 9 } },
  { kind: 'set-value', keys, allowed: { choice: ['"a"', '"b"'] } },
  { kind: 'change-field', object: id, path, instead: '0', value: '80', or: '8080' },
  { kind: 'change-field', object: id, path, how: 'rename' },
  { kind: 'change-type', object: id, path, type: 'number', value: '80' },
  { kind: 'change-type', object: id, path, keys, type: 'string', value: '80' },
  { kind: 'indent', object: id, path, below: [['spec'], ['metadata']] },
  { kind: 'indent', object: id, path, below: [['spec']], from: 'nindent 2', to: 'nindent 4' },
  { kind: 'delete-object', object: id },
  { kind: 'change-text', file: 'a.yaml', line: 1, from: 'a', to: 'b' },
  { kind: 'change-text', file: 'a.yaml', line: 1, from: '   a:', to: '  a:' },
  { kind: 'change-text', file: 'a.yaml', line: 3, from: 'a: 1', to: 'a: 1{{- end }}' },
  { kind: 'change-text', file: 'a.yaml', line: 3, from: 'a: "b', to: 'a: "b"' },
  { kind: 'change-text', file: 'a.yaml', line: 3, from: '{{- end }}', to: '' },
  { kind: 'use-name', name: 'a', instead: 'b', isGuess: true },
  { kind: 'use-name', name: 'a', instead: 'b', isGuess: true, isEither: true },
  { kind: 'run', verb: 'dependency', arguments: ['update', '.'] },
];

/** Every fact of what does not fit together in a release. */
const release: readonly ReleaseFact[] = [
  { code: 'kind-not-checked', apiVersion: 'monitoring.coreos.com/v1', kind: 'ServiceMonitor' },
  { code: 'cluster-silent', request: 'read', kinds: ['Namespace'], words: new Quote('namespaces is forbidden') },
  { code: 'cluster-silent', request: 'dry-run', kinds: ['ConfigMap', 'Deployment'], words: new Quote('no rights') },
  { code: 'object-duplicate', count: 2 },
  { code: 'key-twice', field: 'spec.selector' },
  { code: 'reference-outside', kind: 'Secret', name: 'db' },
  { code: 'reference-misspelt', kind: 'ConfigMap', name: 'confg', meant: 'config' },
  {
    code: 'reference-misspelt',
    kind: 'ServiceAccount',
    name: 'a',
    meant: 'a',
    namespaces: { written: 'othr', meant: 'other' },
  },
  { code: 'object-missing', kind: 'Secret', name: 'db' },
  { code: 'key-missing', kind: 'Secret', name: 'db', key: 'pass', keys: ['password', 'user'] },
  { code: 'service-port-missing', service: 'web', port: 'htp', ports: ['http'] },
  { code: 'service-port-missing', service: 'web', port: '81', ports: [] },
  { code: 'probe-port-missing', port: 'http', names: ['web'] },
  { code: 'order-hazard', hazard: 'later-batch', words },
  { code: 'ignore-invalid', line: 'field-unknown' },
];

test('every fact of charts, orders, refusals, versions and releases, and every remedy, as they are printed', async () => {
  const lines = [
    ...chart.map((fact) => `${fact.code}: ${factText(fact)}`),
    '',
    '# orders and hooks',
    ...order.map((fact) => `${fact.code}: ${factText(fact)}`),
    '',
    '# refusals',
    ...refusals.map((fact) => `${fact.code}: ${factText(fact)}`),
    '',
    '# versions of Kubernetes',
    ...versions.map((fact) => `${fact.code}: ${factText(fact)}`),
    '',
    '# releases',
    ...release.map((fact) => `${fact.code}: ${factText(fact)}`),
    '',
    '# remedies, on a terminal and for programs',
    ...remedies.map((remedy) => `${remedy.kind}: ${remedyText(remedy)} | ${remedyForPrograms(remedy)}`),
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('facts.txt');
});

test('every code of docs/problems.md is in a golden file', () => {
  const golden = ['facts.txt', 'workload.txt'].map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'));
  const printed = new Set(golden.flatMap((text) => [...text.matchAll(/^([a-z0-9-]+): /gm)].map(([, code]) => code)));
  expect(problemCodes().filter(({ code }) => !printed.has(code))).toEqual([]);
});
