import { describe, expect, test } from 'vitest';
import { withTemplateLines } from '../../src/change/template-lines.ts';
import type { FieldPath } from '../../src/manifest/field-path.ts';
import type { Fact } from '../../src/problem/fact.ts';
import type { FieldPlace } from '../../src/problem/place.ts';
import { problemOf } from '../../src/problem/problem.ts';
import { Quote } from '../../src/problem/quote.ts';
import { prepareChart, renderRelease } from '../../src/render/release.ts';
import { addedDetail, TshelmError } from '../../src/support/errors.ts';
import { keysText } from '../../src/words/value.ts';
import { readYamlMap } from '../../src/yaml/index.ts';
import { fieldAt, madeProblem, shown } from '../problem/shown.ts';
import { chartOf } from '../render/chart-text.ts';

const release = { name: 'r', namespace: 'ns', revision: 1, isInstall: true };

interface Field {
  readonly path: FieldPath;
  readonly word?: string | undefined;
}

/** What is found out about a field of the ConfigMap `a` that a chart renders. */
async function found(
  files: Readonly<Record<string, string>>,
  { path, word }: Field,
  given = '',
  file = 'web/templates/a.yaml',
  problem?: string | Fact,
) {
  const config = readYamlMap(given);
  const prepared = prepareChart(await chartOf(files), config);
  const { again } = await renderRelease(prepared, config, { release });
  const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ns', name: 'a' };
  const words = typeof problem === 'string' ? { problem } : {};
  const made = madeProblem(id, { file, ...words, places: [fieldAt(id, file, path, word)] });
  const problems = [typeof problem === 'object' ? { ...made, cause: problem } : made];
  const details = { unready: [], problems };
  const failure = new TshelmError('wait-failed', { message: 'x', details });
  const told = withTemplateLines(failure, () => ({ chart: prepared.chart, again, config }));
  return shown(addedDetail(told, 'problems')?.[0]);
}

async function place(files: Readonly<Record<string, string>>, field: Field, given?: string, file?: string) {
  const fault = await found(files, field, given, file);
  const [one] = fault?.fields ?? [];
  return {
    written: `${one === undefined ? '' : fileOf(one)} ${one?.lines?.[0]?.written}`.trim(),
    values: (one?.values ?? []).map((value) =>
      value.isGiven ? `${keysText(value.keys)} given` : `${keysText(value.keys)} ${value.file}:${value.line}`,
    ),
  };
}

/** The file of the line that wrote a field, where that is not the object's template. */
const fileOf = ({ lines = [], template }: FieldPlace): string => {
  const [first] = lines;
  return first === undefined || first.file === template ? '' : first.file;
};

const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
/** A chart whose one template has this text below its head. */
const chart = (template: string, values = '', more: Readonly<Record<string, string>> = {}) => ({
  'templates/a.yaml': `${head}${template}`,
  'values.yaml': values,
  ...more,
});
const helpers = (text: string) => ({ 'templates/_helpers.tpl': text });
const data = { path: ['data', 'x'] };

describe('the line of the helper that printed a part of a line', () => {
  const helpersOf = async (template: string, text: string): Promise<readonly string[]> => {
    const fault = await found(chart(template, 'v: 1\n', helpers(text)), data);
    return (fault?.fields[0]?.lines ?? []).slice(1).map(({ file, line, written }) => `${file}:${line} ${written}`);
  };
  const inner = '{{- define "inner" -}}\n\n{{ printf "b-%v" .Values.v }}\n{{- end }}\n';
  const outer = '{{- define "outer" -}}\n{{ include "inner" . }}\n{{- end }}\n';

  test.each([
    ['one include deep', 'data:\n  x: {{ include "inner" . }}\n', ['3']],
    ['several includes deep', 'data:\n  x: {{ include "outer" . }}\n', ['3']],
    ['through functions', 'data:\n  x: {{ include "outer" . | trunc 40 | quote }}\n', ['3']],
    ['through a variable', '{{- $x := include "outer" . }}\ndata:\n  x: {{ $x | quote }}\n', ['3']],
    ['with text around it', 'data:\n  x: a-{{ include "inner" . }}-c\n', ['3']],
    ['of none', 'data:\n  x: a-{{ .Values.v }}\n', []],
  ])('%s', async (_what, template, lines) =>
    expect(await helpersOf(template, inner + outer)).toEqual(
      lines.map((line) => `web/templates/_helpers.tpl:${line} {{ printf "b-%v" .Values.v }}`),
    ),
  );

  test('each of several', async () => {
    const other = '{{- define "other" }}c{{ .Values.v }}{{ end }}\n';
    expect(await helpersOf('data:\n  x: {{ include "inner" . }}/{{ include "other" . }}\n', inner + other)).toEqual([
      'web/templates/_helpers.tpl:3 {{ printf "b-%v" .Values.v }}',
      'web/templates/_helpers.tpl:5 {{- define "other" }}c{{ .Values.v }}{{ end }}',
    ]);
  });
});

describe('the line of the template and of the values', () => {
  test.each([
    ['a value', chart('data:\n  x: {{ .Values.v }}\n', 'u: 1\nv: 2\n'), 'x: {{ .Values.v }}', ['v web/values.yaml:2']],
    [
      'several values',
      chart('data:\n  x: {{ .Values.name }}:{{ $.Values.tag | quote }}\n', 'name: n\ntag: t\n'),
      'x: {{ .Values.name }}:{{ $.Values.tag | quote }}',
      ['name web/values.yaml:1', 'tag web/values.yaml:2'],
    ],
    [
      'range over a list',
      chart(
        'data:\n  {{- range $i, $e := .Values.list }}\n  {{ $e.key }}: {{ $e.text }}\n  {{- end }}\n',
        'list:\n- key: w\n  text: a\n- key: x\n  text: a\n',
      ),
      '{{ $e.key }}: {{ $e.text }}',
      ['list[1].text web/values.yaml:5'],
    ],
    [
      'range over a map, dot',
      chart(
        'data:\n  {{- range .Values.map }}\n  {{ .key }}: {{ .text }}\n  {{- end }}\n',
        'map:\n  one: {key: w, text: same}\n  two:\n    key: x\n    text: same\n',
      ),
      '{{ .key }}: {{ .text }}',
      ['map.two.text web/values.yaml:5'],
    ],
    [
      'a key of a map',
      chart(
        'data:\n  x: |\n    {{- range $k, $v := .Values.map }}\n    name={{ $k }}\n    {{- end }}\n',
        'map:\n  High_One: 1\n',
      ),
      'name={{ $k }}',
      ['map.High_One web/values.yaml:2'],
      'High_One',
    ],
    [
      'with in with, and else',
      chart(
        'data:\n  {{- with .Values.a }}\n  {{- with .b }}\n  x: {{ . }}\n  {{- else }}\n  x: {{ .c }}\n  {{- end }}\n  {{- end }}\n',
        'a:\n  b: ""\n  c: 7\n',
      ),
      'x: {{ .c }}',
      ['a.c web/values.yaml:3'],
    ],
    [
      'a variable that an if has set',
      chart(
        '{{- $v := "no" }}\n{{- if .Values.isOn }}{{- $v = .Values.v }}{{- end }}\ndata:\n  x: {{ $v }}\n',
        'isOn: true\nv: yes-it-is\n',
      ),
      'x: {{ $v }}',
      ['v web/values.yaml:2'],
    ],
    [
      'a helper that gets a map made for it',
      chart(
        'data:\n  {{- include "part" (dict "p" .Values.part "root" $) | nindent 2 }}\n',
        'part:\n  port: 8081\n',
        helpers('{{- define "part" }}\ny: 1\nx: {{ .p.port }}\n{{- end }}\n'),
      ),
      'web/templates/_helpers.tpl x: {{ .p.port }}',
      ['part.port web/values.yaml:2'],
    ],
    [
      'helpers in helpers, through a list',
      chart(
        'data:\n  {{- include "outer" (list . .Values.part) | trim | nindent 2 }}\n',
        'part: {port: 8081}\n',
        helpers(
          '{{- define "inner" -}}\nx: {{ index . 1 | get "port" | default 1 }}\n{{- end }}\n{{ define "outer" }}\n{{ include "inner" . }}\n{{ end }}'.replace(
            'index . 1 | get "port"',
            'get (index . 1) "port"',
          ),
        ),
      ),
      'web/templates/_helpers.tpl x: {{ get (index . 1) "port" | default 1 }}',
      ['part.port web/values.yaml:1'],
    ],
    [
      'the value of a helper in a line of the template',
      chart(
        'data:\n  x: {{ include "host" . }}\n',
        'db: {host: h}\n',
        helpers('{{ define "host" }}{{ .Values.db.host }}.svc{{ end }}'),
      ),
      'x: {{ include "host" . }}',
      ['db.host web/values.yaml:1'],
    ],
    [
      'a template in a value',
      chart('data:\n  x: {{ tpl .Values.v . }}\n', 'v: "{{ .Release.Name }}-db"\n'),
      'x: {{ tpl .Values.v . }}',
      ['v web/values.yaml:1'],
      'r-db',
    ],
    [
      'a part of toYaml',
      chart('data: {{- toYaml .Values.data | nindent 2 }}\n', 'data:\n  w: 1\n  x: 2\n'),
      'data: {{- toYaml .Values.data | nindent 2 }}',
      ['data.x web/values.yaml:3'],
    ],
    [
      'coalesce',
      chart('data:\n  x: {{ coalesce .Values.a .Values.b "c" }}\n', 'a: ""\nb: two\n'),
      'x: {{ coalesce .Values.a .Values.b "c" }}',
      ['b web/values.yaml:2'],
    ],
    [
      'merged defaults',
      chart(
        '{{- $all := merge (dict) .Values.web .Values.defaults }}\ndata:\n  x: {{ $all.port }}\n',
        'defaults:\n  port: 1\nweb:\n  name: w\n',
      ),
      'x: {{ $all.port }}',
      ['defaults.port web/values.yaml:2'],
    ],
    [
      'a number that is computed',
      chart('data:\n  x: {{ mul .Values.mb 1024 }}\n', 'mb: 3\n'),
      'x: {{ mul .Values.mb 1024 }}',
      ['mb web/values.yaml:1'],
    ],
    [
      'a switch that decides',
      chart('data:\n  x: {{ ternary "a" "b" .Values.isOn }}\n', 'isOn: true\n'),
      'x: {{ ternary "a" "b" .Values.isOn }}',
      ['isOn web/values.yaml:1'],
    ],
    ['no value', chart('data:\n  x: {{ .Release.Name }}-db\n', 'v: r-db\n'), 'x: {{ .Release.Name }}-db', []],
    [
      'only the one that has the wrong word',
      chart('data:\n  x: http://{{ .Values.host }}:{{ .Values.port }}\n', 'host: db\nport: 80\n'),
      'x: http://{{ .Values.host }}:{{ .Values.port }}',
      ['host web/values.yaml:1'],
      'db',
    ],
    [
      'a word in a text of many lines',
      chart(
        'data:\n  x: |\n    a = 1\n    {{- if true }}\n    host = {{ .Values.db.host }}\n    {{- end }}\n',
        'db: {host: nowhere}\n',
      ),
      'host = {{ .Values.db.host }}',
      ['db.host web/values.yaml:1'],
      'nowhere',
    ],
    [
      'a file of the chart',
      chart('data:\n  {{- (.Files.Glob "f/*").AsConfig | nindent 2 }}\n', '', { 'f/x': 'text' }),
      '{{- (.Files.Glob "f/*").AsConfig | nindent 2 }}',
      [],
    ],
  ] as const)('%s', async (_what, files, written, values, word?: string) =>
    expect(await place(files, { ...data, word })).toEqual({ written, values }),
  );
});

describe('in subcharts', () => {
  const yaml = (name: string, more = '') => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
  const withDb = (values: string, template = 'data:\n  x: {{ .Values.port }}{{ .Values.global.zone }}\n') => ({
    'Chart.yaml': yaml('web', 'dependencies:\n- {name: db, version: 1.0.0, alias: store}\n'),
    'values.yaml': values,
    'charts/db/Chart.yaml': yaml('db'),
    'charts/db/values.yaml': 'host: h\nport: 1\n',
    'charts/db/templates/a.yaml': `${head}${template}`,
  });
  const file = 'web/charts/store/templates/a.yaml';

  test.each([
    ['the subchart’s own', '', '', ['store.port web/charts/store/values.yaml:2']],
    ['the parent’s before it', 'store:\n  port: 2\n', '', ['store.port web/values.yaml:2']],
    [
      'what is global',
      'global: {zone: z}\n',
      '',
      ['store.port web/charts/store/values.yaml:2', 'global.zone web/values.yaml:1'],
    ],
    ['what the user gives', '', 'store: {port: 5}', ['store.port given']],
  ])('%s', async (_what, values, given, expected) =>
    expect((await place(withDb(values), data, given, file)).values).toEqual(expected),
  );

  test('a library’s template that gets a part of the values', async () => {
    const files = {
      'Chart.yaml': yaml('web'),
      'values.yaml': 'api:\n  probe: {port: 81}\n',
      'templates/a.yaml': '{{ include "common.map" (dict "name" "a" "values" .Values.api) }}\n',
      'charts/common/Chart.yaml': yaml('common', 'type: library\n'),
      'charts/common/templates/_map.tpl': `{{ define "common.map" }}\n${head}data:\n  x: {{ .values.probe.port }}\n{{ end }}`,
    };
    expect(await place(files, data)).toEqual({
      written: 'web/charts/common/templates/_map.tpl x: {{ .values.probe.port }}',
      values: ['api.probe.port web/values.yaml:2'],
    });
  });
});

test('of equal lines each has its own place', async () => {
  const files = chart(
    'data:\n  {{- include "two" . | nindent 2 }}\n',
    'a: same\nb: same\n',
    helpers('{{ define "two" }}\nw: |\n  v={{ .Values.a }}\nx: |\n  v={{ .Values.b }}\n{{ end }}'),
  );
  const fields = await found(files, { ...data, word: 'same' });
  expect(fields?.fields[0]).toMatchObject({
    lines: [{ file: 'web/templates/_helpers.tpl', line: 5 }],
    values: [{ keys: ['b'] }],
  });
});

test('of a field that does not belong there the line that brought it comes before that of the helper', async () => {
  const template =
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    {{- include "labels" . | nindent 2 }}\n';
  const text = '{{- define "labels" }}\napp/name: web\napp/part: {{ .Release.Name }}\n{{- end }}';
  const files = { 'templates/a.yaml': template, ...helpers(text) };
  const path = ['metadata', 'app/part'];
  const told = async (problem: string | Fact) =>
    (await found(files, { path }, '', undefined, problem))?.fields.map((field) => {
      const [at, ...others] = field.lines ?? [];
      return {
        at: `${fileOf(field)}:${at?.line}`,
        helpers: others.map((one) => `${one.file}:${one.line}`),
      };
    });
  const helper = 'web/templates/_helpers.tpl:3';
  expect(await told({ code: 'field-unknown', field: 'metadata.app/part' })).toEqual([{ at: ':6', helpers: [helper] }]);
  expect(await told('is invalid')).toEqual([{ at: helper, helpers: [] }]);
});

test.each([
  ['by the map around it', 'data:\n  {{- toYaml .Values.map | nindent 2 }}\n', ['map.x web/values.yaml:2']],
  ['by the template', 'data:\n  x:\n    {{- toYaml .Values.x | nindent 4 }}\n', []],
])('of a field with others below it that is written %s', async (_how, template, values) => {
  const files = chart(template, 'map:\n  x:\n    a: b\nx: {a: b}\n');
  const fault = await found(files, data, '', undefined, { code: 'field-unknown', field: 'data.x' });
  const places = (fault?.fields[0]?.values ?? []).map(({ keys, file, line }) => `${keysText(keys)} ${file}:${line}`);
  expect(places).toEqual(values);
});

test('a list that the user gives is given as a whole', async () => {
  const files = chart('data:\n  x: {{ (index .Values.list 0).name }}\n', 'list:\n- name: a\n');
  expect((await place(files, data, 'list: [{name: b}]')).values).toEqual(['list[0].name given']);
});

test('an object begins with its first line', async () => {
  const fault = await found(chart('{{ if true }}\ndata: {x: 1}\n{{ end }}'), data);
  expect(fault?.line).toBe(1);
});

test('a secret is not written out', async () => {
  const files = { 'templates/a.yaml': `${head}data:\n  x: hunter2\n` };
  expect((await place(files, data)).written).toBe('undefined');
});

describe('the value that a field to change shows', () => {
  const keysOf = async (image: string, values: string, how: 'correct' | 'add' = 'correct') => {
    const files = {
      ...chart(`spec: {image: ${image}}\n`, values),
      ...helpers('{{ define "tag" }}{{ .Values.tag }}{{ end }}'),
    };
    const prepared = prepareChart(await chartOf(files), new Map());
    const { again } = await renderRelease(prepared, new Map(), { release });
    const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ns', name: 'a' };
    const [file, path] = ['web/templates/a.yaml', ['spec', 'image']];
    const made = madeProblem(id, { file, places: [fieldAt(id, file, path)] });
    const remedies = [{ kind: 'change-field', object: id, path, how } as const];
    const failure = new TshelmError('wait-failed', {
      message: 'x',
      details: { unready: [], problems: [{ ...made, remedies }] },
    });
    const told = withTemplateLines(failure, () => ({ chart: prepared.chart, again }));
    const [remedy] = addedDetail(told, 'problems')?.[0]?.remedies ?? [];
    return remedy?.kind === 'change-field' ? remedy.keys?.join('.') : remedy;
  };

  test.each([
    ['the tag before the rest', '"{{ .Values.repo }}:{{ .Values.tag }}"', 'repo: a\ntag: b\n', 'tag'],
    ['of a helper', '"a:{{ include "tag" . }}"', 'tag: b\n', 'tag'],
    ['an empty tag', '"{{ .Values.repo }}:{{ .Values.tag | default "1" }}"', 'repo: a\ntag: ""\n', 'tag'],
    ['a name without a tag', '"{{ .Values.repo }}:1"', 'repo: a\n', 'repo'],
    ['none where the template writes it', '"a:1"', 'tag: b\n', undefined],
    ['none where it only decides', '"{{ if .Values.enabled }}a:1{{ end }}"', 'enabled: true\n', undefined],
    ['none that is a secret', '"a:{{ .Values.password }}"', 'password: b\n', undefined],
  ])('%s', async (_what, image, values, keys) => expect(await keysOf(image, values)).toBe(keys));

  test('a field that is to be added has none', async () => {
    expect(await keysOf('"{{ .Values.tag }}"', 'tag: b\n', 'add')).toBe(undefined);
  });
});

test('a map that is empty leaves a field out', async () => {
  const template =
    'spec:\n  a: 1\n  {{- with .Values.resources }}\n  resources: {{ toYaml . | nindent 4 }}\n  {{- end }}\n';
  const fault = await found(chart(template, 'resources: {}\n'), { path: ['spec', 'resources'] });
  expect(fault?.fixes).toEqual(['set resources with -f, with --set, or in values.yaml']);
});

test('a failure is told even where its place cannot be found', () => {
  const problems = [madeProblem({ apiVersion: 'v1', kind: 'Pod', namespace: '', name: 'a' }, { file: 'a' })];
  const failure = new TshelmError('wait-failed', { message: 'x', details: { unready: [], problems } });
  expect(
    withTemplateLines(failure, () => {
      throw new Error('unreadable');
    }),
  ).toBe(failure);
});

describe('what a value is', () => {
  const pod = 'spec: {image: "app:{{ .Values.v }}", env: [{name: A, value: "{{ .Values.v }}"}]}\n';
  const textOf = async (path: FieldPath, given: string, cause?: Fact) => {
    const config = readYamlMap(given);
    const prepared = prepareChart(await chartOf(chart(pod, 'v: a\n')), config);
    const { again } = await renderRelease(prepared, config, { release });
    const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ns', name: 'a' };
    const file = 'web/templates/a.yaml';
    const made = madeProblem(id, { file, places: [fieldAt(id, file, path)] });
    const fault = { ...made, cause: cause ?? made.cause };
    const failure = new TshelmError('wait-failed', { message: 'x', details: { unready: [], problems: [fault] } });
    const told = withTemplateLines(failure, () => ({ chart: prepared.chart, again, config }));
    return shown(addedDetail(told, 'problems')?.[0])?.fields[0]?.values?.map(({ text }) => text);
  };

  test('is told of a field that holds no free text', async () => {
    expect(await textOf(['spec', 'image'], 'v: hunter2')).toEqual(['"hunter2"']);
  });

  test.each([
    ['a variable of the environment', ['spec', 'env', 0, 'value']],
    ['all of a map', ['spec']],
  ])('is not told of %s, which may hold a secret', async (_what, path) => {
    expect(await textOf(path, 'v: hunter2')).toEqual([undefined]);
  });

  test('is told where the cause names it, but not where only words of another program do', async () => {
    const path = ['spec', 'env', 0, 'value'];
    const choice = { code: 'field-choice', field: 'spec.env[0].value', value: 'db-host', allowed: ['db'] } as const;
    expect(await textOf(path, 'v: db-host', choice)).toEqual(['"db-host"']);
    const words = { code: 'field-value', field: 'spec.env[0].value', words: new Quote('invalid: db-host') } as const;
    expect(await textOf(path, 'v: db-host', words)).toEqual([undefined]);
  });
});

test('what the user has switched on is switched off before what the chart switches on', async () => {
  const template =
    '{{ if and .Values.tls.certs .Values.tls.enabled }}\napiVersion: x.io/v1\nkind: ConfigMap\nmetadata: {name: a}\n{{ end }}\n';
  const files = { 'templates/a.yaml': template, 'values.yaml': 'tls: {certs: false, enabled: true}\n' };
  const config = readYamlMap('tls: {certs: true}\n');
  const prepared = prepareChart(await chartOf(files), config);
  const { again } = await renderRelease(prepared, config, { release });
  const id = { apiVersion: 'x.io/v1', kind: 'ConfigMap', namespace: 'ns', name: 'a' };
  const subject = { kind: 'object', id, template: 'web/templates/a.yaml' } as const;
  const cause = { code: 'kind-unknown', apiVersion: id.apiVersion, kind: id.kind } as const;
  const details = { problems: [problemOf({ subject, cause })], unserved: [] };
  const failure = new TshelmError('no-matches-for-kind', { message: 'x', details } as never);
  const told = withTemplateLines(failure, () => ({ chart: prepared.chart, again, config }));
  expect(shown(addedDetail(told, 'problems')?.[0])?.fixes).toEqual(['set tls.certs to false']);
});

test('how far a line has to be indented is told by its own words', async () => {
  const template =
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n    {{- include "labels" . | nindent 2 }}\n';
  const files = { 'templates/a.yaml': template, ...helpers('{{- define "labels" -}}\napp: web\n{{- end }}\n') };
  const prepared = prepareChart(await chartOf(files), readYamlMap(''));
  const { again } = await renderRelease(prepared, readYamlMap(''), { release });
  const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ns', name: 'a' };
  const file = 'web/templates/a.yaml';
  const path = ['metadata', 'app'];
  const fault = problemOf({
    subject: { kind: 'object', id, template: file },
    cause: { code: 'field-unknown', field: 'metadata.app' },
    places: [fieldAt(id, file, path)],
    remedies: [{ kind: 'indent', object: id, path, below: [['metadata', 'labels']] }],
  });
  const failure = new TshelmError('apply-failed', { message: 'x', details: { problems: [fault] } } as never);
  const told = withTemplateLines(failure, () => ({ chart: prepared.chart, again, config: readYamlMap('') }));
  expect(shown(addedDetail(told, 'problems')?.[0])?.fixes).toEqual([
    'write nindent 4 instead of nindent 2: it belongs under metadata.labels',
  ]);
});

test('of helpers in helpers the line that indents too little is told, and how much', async () => {
  const text =
    '{{- define "labels" -}}\napp: web\n{{- end }}\n{{- define "meta" -}}\nname: a\nlabels:\n{{ include "labels" . | indent 0 }}\n{{- end }}\n';
  const files = {
    'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  {{- include "meta" . | nindent 2 }}\n',
    ...helpers(text),
  };
  const prepared = prepareChart(await chartOf(files), readYamlMap(''));
  const { again } = await renderRelease(prepared, readYamlMap(''), { release });
  const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ns', name: 'a' };
  const file = 'web/templates/a.yaml';
  const path = ['metadata', 'app'];
  const fault = problemOf({
    subject: { kind: 'object', id, template: file },
    cause: { code: 'field-unknown', field: 'metadata.app' },
    places: [fieldAt(id, file, path)],
    remedies: [{ kind: 'indent', object: id, path, below: [['metadata', 'labels']] }],
  });
  const failure = new TshelmError('apply-failed', { message: 'x', details: { problems: [fault] } } as never);
  const told = withTemplateLines(failure, () => ({ chart: prepared.chart, again, config: readYamlMap('') }));
  const problem = addedDetail(told, 'problems')?.[0];
  expect(shown(problem)?.fixes).toEqual(['write indent 2 instead of indent 0: it belongs under metadata.labels']);
  expect(problem?.places).toMatchObject([{ lines: [{ file: 'web/templates/_helpers.tpl', line: 7 }, { line: 2 }] }]);
});

test('a value that the chart takes from a list of its own is found by what the chart says of a wrong one', async () => {
  const presets =
    '{{- define "preset" -}}\n{{- $p := dict "nano" "100m" "small" "500m" -}}\n{{- if hasKey $p .type -}}\n{{ index $p .type }}\n{{- else -}}\n{{- printf "ERROR: Preset key \'%s\' invalid. Allowed values are %s" .type (join "," (keys $p)) | fail -}}\n{{- end -}}\n{{- end }}\n';
  const files = chart(
    'data:\n  x: {{ include "preset" (dict "type" .Values.preset) }}\n',
    'preset: nano\nother: a\n',
    helpers(presets),
  );
  expect((await place(files, data)).values).toEqual(['preset web/values.yaml:1']);
});
