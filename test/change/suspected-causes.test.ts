import { describe, expect, test } from 'vitest';
import { suspectedCauses, withSuspectedCauses } from '../../src/change/suspected-causes.ts';
import type { Chart } from '../../src/chart/types.ts';
import { addedDetail, messageOf, TshelmError } from '../../src/support/errors.ts';
import { readYamlMap } from '../../src/yaml/index.ts';
import { fieldAt, madeProblem, shown } from '../problem/shown.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Files {
  readonly metadata?: string;
  readonly values?: string;
  readonly template?: string;
  readonly subcharts?: readonly Chart[];
}

function chart({ metadata = '', values = '', template = '', subcharts = [] }: Files, name = 'shop', version = '1.0.0') {
  const own = `apiVersion: v2\nname: ${name}\nversion: ${version}\n${metadata}`;
  return {
    metadata: { apiVersion: 'v2', name, version },
    templates: [{ name: 'templates/web.yaml', data: bytes(template) }],
    values: readYamlMap(values),
    raw: [
      { name: 'Chart.yaml', data: bytes(own) },
      { name: 'values.yaml', data: bytes(values) },
    ],
    files: [],
    dependencies: subcharts,
    origin: '',
  } satisfies Chart;
}

const notesOf = (...given: Parameters<typeof suspectedCauses>) => suspectedCauses(...given).map(({ note }) => note);
const listed = (lines: string): string => `dependencies:\n  - name: redis\n    version: ~19.6.0\n${lines}`;
const redis = (version = '19.6.2'): Chart => chart({ template: '{{ .Values.image }}' }, 'redis', version);

test.each<[string, Files, string]>([
  [
    'a key that no template reads',
    {
      values: 'oidc:\n  realm: staff\n  issuerURL: https://login.example.com\n',
      template: '{{ with .Values.oidc }}{{ .issuerUrl }}{{ .realm }}{{ end }}',
    },
    'oidc.issuerURL is set in values.yaml:3, but no template reads issuerURL; they read issuerUrl, which is not set: did you mean it?',
  ],
  [
    'values under the name of an aliased dependency',
    { metadata: listed('    alias: cache\n'), values: 'redis:\n  image: redis:7\n', subcharts: [redis()] },
    'redis is set in values.yaml:1, but it reaches no chart: redis has the alias cache, so its values belong under cache',
  ],
  [
    'a chart of another version',
    {
      metadata: listed('    alias: cache\n    condition: cache.enabled\n'),
      values: 'cache:\n  enabled: false\n',
      subcharts: [redis('20.0.0')],
    },
    'Chart.yaml asks for redis ~19.6.0, but charts/ has 20.0.0, so it is installed without its alias cache and although cache.enabled is false: "dependency update" fetches the right one',
  ],
])('%s', (_name, files, expected) => expect(notesOf(chart(files), new Map())).toEqual([expected]));

test('values under the name of a chart whose alias does not apply reach it', () => {
  const files = {
    metadata: listed('    alias: cache\n'),
    values: 'redis:\n  image: a\n',
    subcharts: [redis('20.0.0')],
  };
  expect(notesOf(chart(files), new Map())).toEqual([expect.stringMatching(/^Chart\.yaml asks for redis /)]);
});

test('what only a subchart sets is not taken for the values of the chart', () => {
  const loaded = chart({ metadata: listed('    alias: cache\n'), subcharts: [redis()] });
  expect(notesOf({ ...loaded, values: readYamlMap('redis: {image: a}') }, new Map())).toEqual([]);
});

test('a value that the user gave is told as such', () => {
  const template = '{{ .Values.web.replicas }}{{ .Values.web.image }}';
  const config = new Map([['web', new Map<string, unknown>([['replica', 2]])]]);
  expect(notesOf(chart({ template, values: 'web:\n  image: nginx\n' }), config)).toEqual([
    'web.replica is set with -f or --set, but no template reads replica; they read replicas, which is not set: did you mean it?',
  ]);
});

test.each<[string, Files]>([
  [
    'keys of a map that is written out whole',
    { values: 'labels:\n  teem: a\n', template: '{{ toYaml .Values.labels }}{{ .Values.team }}' },
  ],
  [
    'a key that is read by its name in quotes',
    { values: 'colour: a\n', template: '{{ index .Values "colour" }}{{ .Values.color }}' },
  ],
  ['a key near one that is set', { values: 'host: a\nhosts: b\n', template: '{{ .Values.hosts }}' }],
  [
    "fields of Helm's own objects",
    { values: 'version: 2\nname: a\n', template: '{{ .Chart.Version }}{{ .Values.name }}' },
  ],
  [
    'the alias itself',
    { metadata: listed('    alias: cache\n'), values: 'cache:\n  image: a\n', subcharts: [redis()] },
  ],
  [
    'the name of an alias that the chart reads itself',
    {
      metadata: listed('    alias: cache\n'),
      values: 'redis: a\n',
      template: '{{ .Values.redis }}',
      subcharts: [redis()],
    },
  ],
])('nothing is said of %s', (_name, files) => expect(notesOf(chart(files), new Map())).toEqual([]));

test('a failure of objects keeps its notes and gets these, another one stays as it is', () => {
  const release = { chart: chart({ values: 'hots: a\n', template: '{{ .Values.host }}' }), config: new Map() };
  const fault = madeProblem({ apiVersion: 'v1', kind: 'Pod', name: 'a', namespace: '' });
  const failure = new TshelmError('wait-failed', {
    message: 'x',
    details: { unready: [], problems: [fault], notes: ['before'] },
  });
  const told = withSuspectedCauses(failure, release) as TshelmError;
  expect([messageOf(told), told.details]).toEqual([
    'x',
    { unready: [], problems: [fault], notes: ['before', expect.stringContaining('they read host')] },
  ]);
  const other = new TshelmError('invalid-arguments', { message: 'x' });
  expect(withSuspectedCauses(other, release)).toBe(other);
});

describe('a fault that follows from one gets its cause', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', name: 'a', namespace: '' };
  const faultOf = (file: string, words: string) =>
    madeProblem(pod, { file, problem: words, places: [fieldAt(pod, file, ['spec'])], fixes: ['something else'] });
  const told = (files: Files, file: string, words: string) => {
    const details = { unready: [], problems: [faultOf(file, words)] };
    const failure = new TshelmError('wait-failed', { message: 'x', details });
    const found = withSuspectedCauses(failure, { chart: chart(files) });
    return { ...shown(addedDetail(found, 'problems')?.[0]), notes: addedDetail(found, 'notes') };
  };

  test('an object of the subchart whose values stand under its name', () => {
    const files = {
      metadata: listed('    alias: cache\n'),
      values: '\nredis:\n  image: redis:7\n',
      subcharts: [redis()],
    };
    expect(told(files, 'shop/charts/cache/templates/a.yaml', 'no such tag')).toMatchObject({
      problem: 'the values under redis reach no chart, because redis has the alias cache',
      symptom: 'no such tag',
      fixes: ['use cache instead of redis'],
      values: [{ keys: ['redis'], file: 'shop/values.yaml', line: 2 }],
      notes: [],
    });
    expect(told(files, 'shop/templates/a.yaml', 'no such tag')).toMatchObject({
      problem: 'no such tag',
      notes: [expect.stringContaining('belong under cache')],
    });
  });

  test.each<[string, Files, string, RegExp]>([
    [
      'a misspelt value',
      {
        values: 'oidc:\n  realm: a\n  issuerURL: b\n',
        template: '{{ .Values.oidc.issuerUrl }}{{ .Values.oidc.realm }}',
      },
      'missing env OIDC_ISSUER_URL',
      /issuerUrl, which is not set/,
    ],
    [
      'an alias that does not apply',
      { metadata: listed('    alias: cache\n'), subcharts: [redis('20.0.0')] },
      'lookup r-cache: no such host',
      /^Chart\.yaml asks for redis ~19\.6\.0/,
    ],
  ])('what a program writes proves nothing: %s stays a note', (_what, files, words, note) => {
    const notes = [expect.stringMatching(note)];
    expect(told(files, 'shop/templates/a.yaml', words)).toMatchObject({ problem: words, notes });
  });
});
