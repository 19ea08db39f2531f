import { describe, expect, test } from 'vitest';
import { withTemplateLines } from '../../src/change/template-lines.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { addedDetail, TshelmError } from '../../src/support/errors.ts';

const chartOf = (name: string, text: string, dependencies: readonly object[] = []) =>
  ({
    metadata: { name },
    templates: [{ name: 'templates/web.yaml', data: new TextEncoder().encode(text) }],
    dependencies,
  }) as unknown as ReturnType<Parameters<typeof withTemplateLines>[1]>['chart'];

test('an object’s line is looked for in the template of the chart that it comes from', () => {
  const web = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n';
  const chart = chartOf('shop', web, [chartOf('db', `# of the database\n${web}`)]);
  const id = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };
  const files = ['shop/templates/web.yaml', 'shop/charts/db/templates/web.yaml', 'shop/charts/no/templates/web.yaml'];
  const details = { unready: [], objectFaults: files.map((file) => ({ id, file, path: file.slice('shop/'.length) })) };
  const located = withTemplateLines(new TshelmError('wait-failed', { message: 'x', details }), () => ({ chart }));
  expect(addedDetail(located, 'objectFaults')?.map(({ line }) => line)).toEqual([1, 2, undefined]);
});

describe('where the values of a line are set', () => {
  const values =
    'image:\n  name: web\n  tag: "1"\nhost: other\nparts:\n  api:\n    memory: 1Gi\n  web:\n    memory: 2Gi\n';
  const template = `apiVersion: v1
kind: Pod
metadata: {name: r-web}
spec:
  host: {{ .Release.Name }}-db/{{ .Values.host }}
  image: {{ .Values.image.name }}:{{ $.Values.image.tag }}
  {{- range $key, $part := .Values.parts }}
  memory: {{ $part.memory }}
  {{- end }}
  tag: {{ .Values.global.tag }}
  probe:
    {{- toYaml .Values.probe | nindent 4 }}
`;
  const rendered = `apiVersion: v1
kind: Pod
metadata: {name: r-web}
spec:
  host: r-db/other
  image: web:1
  memory: 2Gi
  tag: 7
  probe:
    http: {path: /}
    seconds: 3
`;
  const located = (path: readonly (string | number)[], given: readonly [string, unknown][] = [], word?: string) => {
    const file = 'shop/templates/web.yaml';
    const chart = {
      ...chartOf('shop', template),
      raw: [{ name: 'values.yaml', data: new TextEncoder().encode(`${values}probe:\n  seconds: 3\n`) }],
      values: new Map<string, unknown>([
        ['host', 'other'],
        ['parts', new Map(['api', 'web'].map((key, at) => [key, new Map([['memory', `${at + 1}Gi`]])]))],
      ]),
    } as unknown as ReturnType<typeof chartOf>;
    const id = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'r-web' };
    const fault = { id, file, path: 'templates/web.yaml', fields: [{ path, word }] };
    const failure = withTemplateLines(
      new TshelmError('wait-failed', { message: 'x', details: { unready: [], objectFaults: [fault] } }),
      () => ({ chart, manifests: [parseManifest(rendered, file)], config: new Map(given) }),
    );
    const [field] = addedDetail(failure, 'objectFaults')?.[0]?.fields ?? [];
    return [
      field?.line,
      ...(field?.values ?? []).map((value) => `${value.name} ${'isGiven' in value ? 'given' : value.line}`),
    ];
  };

  test.each([
    ['each of several', ['spec', 'image'], [6, 'image.name 2', 'image.tag 3']],
    ['that of an item of a loop', ['spec', 'memory'], [8, 'parts.web.memory 9']],
    ['that of a field of a map', ['spec', 'probe', 'seconds'], [12, 'probe.seconds 11']],
  ])('%s', (_what, path, expected) => expect(located(path)).toEqual(expected));

  test('what the user gives goes before', () =>
    expect([
      located(['spec', 'host'], [['host', 'x']]),
      located(['spec', 'tag'], [['global', new Map([['tag', 7]])]]),
    ]).toEqual([
      [5, 'host given'],
      [10, 'global.tag given'],
    ]));

  test('a value that has nothing to do with the wrong word is left out', () => {
    expect(located(['spec', 'host'], [], 'r-db')).toEqual([5]);
    expect(located(['spec', 'host'], [], 'other')).toEqual([5, 'host 4']);
  });
});

test('a failure is told even where its place cannot be found', () => {
  const objectFaults = [{ id: { apiVersion: 'v1', kind: 'Pod', namespace: '', name: 'a' }, file: 'a', path: 'a' }];
  const failure = new TshelmError('wait-failed', { message: 'x', details: { unready: [], objectFaults } });
  expect(
    withTemplateLines(failure, () => {
      throw new Error('unreadable');
    }),
  ).toBe(failure);
});
