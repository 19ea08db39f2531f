import { expect, test } from 'vitest';
import { diffValues, type ValueChange } from '../../src/actions/diff-values.ts';
import { chartFromFiles } from '../../src/chart/assemble.ts';
import type { Chart } from '../../src/chart/types.ts';
import { readValues } from '../../src/chart/values-file.ts';
import { valuesMarkdown, valuesText } from '../../src/show/changes/values-text.ts';

const chartOf = (version: string, values: string, template = '', more: Readonly<Record<string, string>> = {}): Chart =>
  chartFromFiles(
    Object.entries({
      'Chart.yaml': `apiVersion: v2\nname: app\nversion: ${version}\n`,
      'values.yaml': values,
      'templates/all.yaml': template,
      ...more,
    }).map(([name, text]) => ({ name, data: Buffer.from(text), modifiedAt: new Date(0) })),
    { origin: '', notify: () => undefined },
  );

interface Case {
  readonly old: string;
  readonly next: string;
  readonly oldTemplate?: string;
  readonly nextTemplate?: string;
  /** What the user sets. */
  readonly given?: string;
  readonly more?: Readonly<Record<string, string>>;
}

const compared = ({ old, next, oldTemplate = '', nextTemplate = oldTemplate, given = '', more }: Case) =>
  diffValues(
    chartOf('1.0.0', old, oldTemplate, more),
    chartOf('2.0.0', next, nextTemplate, more),
    readValues(Buffer.from(given)),
  );

const line = (change: ValueChange): string => {
  const path = change.keys.join('.');
  const set = change.isSet ? ', set' : '';
  const reason = change.kind === 'removed' && change.isWithoutEffect ? ', unread' : '';
  return `${change.kind} ${path}${change.kind === 'renamed' ? ` -> ${change.to.join('.')}` : ''}${set}${reason}`;
};

test.each<readonly [rule: string, given: Case, changes: readonly string[]]>([
  ['equal values are no change', { old: 'a: 1\nb: {c: x}\n', next: '# said\nb: {c: x}\na: 1\n' }, []],
  [
    'a default that changes',
    { old: 'a: 1\nb: 2\n', next: 'a: 2\nb: 3\n', given: 'b: 9' },
    ['changed a', 'changed b, set'],
  ],
  ['of a new map the outermost key', { old: 'a: 1\n', next: 'a: 1\nm: {x: {z: 1}}\n' }, ['added m']],
  ['a member of a map that is there', { old: 'm: {x: 1}\n', next: 'm: {x: 1, z: 2}\n' }, ['added m.z']],
  ['a map that becomes a text', { old: 'm: {x: 1}\n', next: 'm: x\n', given: 'm: {x: 2}' }, ['changed m, set']],
  ['a default of null is there', { old: 'a: null\n', next: '{}\n' }, ['removed a']],
  [
    'what the user sets and nothing reads any more',
    {
      old: 'a: 1\nb: 1\n',
      next: '{}\n',
      oldTemplate: '{{ .Values.a }}{{ .Values.b }}',
      nextTemplate: '{{ .Values.b }}',
      given: 'a: 2\nb: 2',
    },
    ['removed a, set, unread', 'removed b, set'],
  ],
  [
    'the same default and comment under another name',
    { old: '# Port of it\nport: 80\n', next: 'web:\n  # Port of it\n  port: 80\n' },
    ['renamed port -> web.port'],
  ],
  [
    'the same default alone is no evidence',
    { old: 'port: 80\n', next: 'web: {port: 80}\n' },
    ['added web', 'removed port'],
  ],
  [
    'a comment that several have is no evidence',
    { old: '# Port\nport: 80\n', next: '# Port\na: 80\n# Port\nb: 80\n' },
    ['added a', 'added b', 'removed port'],
  ],
  [
    'a line of a template that reads another name',
    {
      old: 'port: 80\n',
      next: 'web: {http: 8080}\n',
      oldTemplate: 'p: {{ .Values.port | quote }}\n',
      nextTemplate: '\n  p: {{ .Values.web.http | quote }}\n',
    },
    ['renamed port -> web.http'],
  ],
  [
    'a whole map that moves',
    {
      old: 'metrics: {on: true, port: 1}\n',
      next: 'stats: {on: true, port: 1}\n',
      oldTemplate: '{{ if .Values.metrics.on }}{{ end }}',
      nextTemplate: '{{ if .Values.stats.on }}{{ end }}',
    },
    ['renamed metrics -> stats'],
  ],
  [
    'what is still read under its old name has not moved',
    {
      old: 'port: 80\n',
      next: 'web: {http: 80}\n',
      oldTemplate: 'p: {{ .Values.port }}\n',
      nextTemplate: 'p: {{ .Values.web.http }}\nq: {{ .Values.port }}\n',
    },
    ['added web', 'removed port'],
  ],
])('%s', (_rule, given, changes) => expect(compared(given).changes.map(line)).toEqual(changes));

test('defaults of subcharts are told with the place in their values.yaml', () => {
  const subchart = (tag: string) => ({
    'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [{name: db, version: 1.0.0}]\n',
    'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
    'charts/db/values.yaml': `image:\n  tag: ${tag}\n`,
  });
  const old = chartOf('1.0.0', 'a: 1\n', '', subchart('old'));
  const recorded = { ...old, values: readValues(Buffer.from('a: 1\ndb: {image: {tag: old}, global: {}}')) };
  const { changes } = diffValues(recorded, chartOf('1.0.0', 'a: 1\n', '', subchart('new')), new Map());
  expect(changes).toMatchObject([
    { kind: 'changed', keys: ['db', 'image', 'tag'], newPlace: { file: 'app/charts/db/values.yaml', line: 2 } },
  ]);
});

test('as text and as tables: what the user sets comes first, his secrets are not told', () => {
  const diff = compared({
    old: '# How many\nreplicas: 1\npassword: a\nport: 80\n',
    next: '# How many\nreplicas: 2\nweb: {http: 8080}\n# -- Hosts of the Ingress\nhosts: []\n',
    oldTemplate: 'p: {{ .Values.port }}\n',
    nextTemplate: 'p: {{ .Values.web.http }}\n',
    given: 'port: 81\npassword: CANARY',
  });
  expect(valuesText(diff, { release: 'shop', namespace: 'prod' })).toBe(`\
values of shop in prod: app-1.0.0 -> app-2.0.0

Renamed, and set by you: set the new key instead (1):
  port -> web.http: 80 -> 8080  (values.yaml:3; templates/all.yaml:1 reads it instead; you set it to 81)

Gone, and set by you: nothing reads it any more (1):
  password: "a"  (values.yaml:3; you set it)

Changed defaults (1):
  replicas: 1 -> 2  (values.yaml:2)
      # How many

New (1):
  hosts: []  (values.yaml:5)
      # Hosts of the Ingress
`);
  expect(valuesMarkdown(diff)).toContain(
    `
**New**

| Value | Place | |
|---|---|---|
| <code>hosts&#58; []</code> | <code>values.yaml&#58;5</code> | <code>Hosts of the Ingress</code> |
`.replaceAll('[]', '&#91;&#93;'),
  );
  expect(valuesText({ ...diff, changes: [] })).toBe('values of app-1.0.0 -> app-2.0.0\n\nno changes\n');
});
