import { expect, test } from 'vitest';
import { unreadValues } from '../../src/render/unread-values.ts';
import { readYamlMap } from '../../src/yaml/index.ts';
import { chartOf } from './chart-text.ts';

type Files = Readonly<Record<string, string>>;

/** The keys of what nothing reads, each with the key that was probably meant. */
async function unreadOf(given: string, files: Files): Promise<readonly string[]> {
  const problems = unreadValues(await chartOf(files), readYamlMap(given));
  return problems.map(({ cause, remedies: [meant] }) => {
    if (cause.code !== 'value-unread') throw new Error(cause.code);
    return [cause.keys.join('.'), ...(meant?.kind === 'use-name' ? [meant.name] : [])].join(' -> ');
  });
}

const template = (text: string): Files => ({ 'templates/a.yaml': text });

test.each([
  ['a misspelt key', 'replicaCont: 3', template('{{ .Values.replicaCount }}'), ['replicaCont -> replicaCount']],
  ['a key of a map', 'image: {tga: 1}', template('{{ .Values.image.tag }}'), ['image.tga -> image.tag']],
  ['the outermost key alone', 'imgae: {tag: {a: 1}}', template('{{ .Values.image.tag }}'), ['imgae -> image']],
  [
    'a key at the wrong place',
    'resources: {a: 1}',
    template('{{ toYaml .Values.web.resources }}'),
    ['resources -> web.resources'],
  ],
  [
    'a default that no template reads',
    'port: 1',
    { 'values.yaml': 'port: 80\n', ...template('{{ .Values.a }}') },
    ['port'],
  ],
  [
    'a member of a list that a loop reads',
    'hosts: [{nmae: a}]',
    template('{{ range .Values.hosts }}{{ .name }}{{ end }}'),
    ['hosts.0.nmae -> hosts.0.name'],
  ],
  ['what a null would remove, where no default is', 'old: null', template('{{ .Values.new }}'), ['old']],
  [
    'a value beside one that a helper reads',
    'web: {prot: 1}',
    template('{{ define "p" }}{{ .web.port }}{{ end }}{{ include "p" (dict "web" .Values.web) }}'),
    ['web.prot -> web.port'],
  ],
  [
    'a key beside one that is merged',
    'own: {tga: 1}',
    template('{{ $all := merge (deepCopy .Values.own) .Values.common }}{{ $all.tag }}'),
    ['own.tga -> own.tag'],
  ],
])('%s is found', async (_what, given, files, unread) => {
  expect(await unreadOf(given, files)).toEqual(unread);
});

const sub = (text: string): Files => ({
  'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'charts/db/templates/a.yaml': text,
});
const dependsOn = (rest: string): string =>
  `apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n  - {name: db, version: 1.0.0, ${rest}}\n`;
const schema = (root: string): Files => ({ 'values.schema.json': root });

test.each<[string, string, Files]>([
  ['a field', 'a: {b: 1}', template('{{ .Values.a.b }}')],
  ['a branch that is not taken', 'a: 1', template('{{ if false }}{{ .Values.a }}{{ end }}')],
  ['a condition', 'a: 1', template('{{ if .Values.a }}x{{ end }}')],
  ['what a condition only asks for', 'a: {b: 1}', template('{{ if .Values.a }}x{{ end }}')],
  ['the dot of with', 'a: {b: 1}', template('{{ with .Values.a }}{{ .b }}{{ end }}')],
  ['$ in a loop', 'a: 1', template('{{ range list 1 }}{{ $.Values.a }}{{ end }}')],
  [
    'a variable that is assigned later in a loop',
    'a: {b: 1}',
    template('{{ $x := dict }}{{ range list 1 2 }}{{ $x.b }}{{ $x = $.Values.a }}{{ end }}'),
  ],
  ['toYaml of what it lies in', 'a: {b: {c: 1}}', template('{{ toYaml .Values.a }}')],
  ['all values as JSON', 'a: {b: 1}', template('{{ .Values | toJson }}')],
  ['a method of all values', 'a: {b: 1}', template('{{ $x := .Values.AsMap }}{{ $x.a.b }}')],
  ['a key that is computed', 'a: {b: {c: 1}}', template('{{ index .Values.a .Release.Name }}')],
  ['a key in a text', 'a: {b: 1}', template('{{ index .Values "a" "b" }}{{ get .Values.a "b" }}')],
  [
    'a path that is split',
    'a: {b: {c: 1}}',
    template('{{ $at := .Values }}{{ range splitList "." "a.b" }}{{ $at = index $at . }}{{ end }}{{ $at.c }}'),
  ],
  ['dig', 'a: {b: {c: 1}}', template('{{ dig "a" "b" "c" 1 .Values.AsMap }}')],
  ['pluck', 'a: {b: 1}', template('{{ pluck "b" .Values.a | first }}')],
  ['a map that is merged into another', 'a: {b: 1}', template('{{ $x := merge (dict) .Values.a }}{{ $x.b }}')],
  [
    'a map that set puts into another',
    'a: {b: 1}',
    template('{{ $x := dict }}{{ $_ := set $x "y" .Values.a }}{{ $x.y.b }}'),
  ],
  [
    'a map that a helper puts into what it is given',
    'a: {b: 1}',
    template(
      '{{ define "s" }}{{ $_ := set .x "y" .v.a }}{{ end }}{{ range list 1 2 }}{{ $m := dict }}{{ include "s" (dict "x" $m "v" $.Values) }}{{ $m.y.b }}{{ end }}',
    ),
  ],
  [
    'a helper whose name is put together',
    'a: 1',
    template('{{ define "web.labels" }}{{ .Values.a }}{{ end }}{{ include (printf "%s.labels" .Chart.Name) . }}'),
  ],
  ['a text that tpl runs', 'a: 1\ntext: "{{ .Values.a }}"', template('{{ tpl .Values.text . }}')],
  ['a file that tpl runs', 'a: 1', { 'files/x': '{{ .Values.a }}', ...template('{{ tpl (.Files.Get "files/x") . }}') }],
  ['a text that is put together for tpl', 'a: {b: 1}', template('{{ tpl (printf "{{ .Values.%s }}" "a.b") . }}')],
  ['NOTES.txt', 'a: 1', { 'templates/NOTES.txt': '{{ .Values.a }}' }],
  ['a Handlebars template', 'a: {b: 1}', { 'templates/a.yaml.hbs': '{{#with Values.a}}{{b}}{{/with}}' }],
  ['a template that cannot be read', 'a: 1', template('{{ nonsense }')],
  ['a subchart', 'db: {a: 1}', sub('{{ .Values.a }}')],
  ['globals of a subchart', 'global: {a: 1}', sub('{{ .Values.global.a }}')],
  ['globals of a subchart, given below its name', 'db: {global: {a: 1}}', sub('{{ .Values.global.a }}')],
  ['.Subcharts', 'db: {a: 1}', { ...sub(''), ...template('{{ .Subcharts.db.Values.a }}') }],
  ['a subchart with an alias', 'pg: {a: 1}', { ...sub('{{ .Values.a }}'), 'Chart.yaml': dependsOn('alias: pg') }],
  ['a subchart that is missing', 'db: {a: 1}', { 'Chart.yaml': dependsOn('') }],
  [
    'a condition of a dependency',
    'pg: {enabled: true}',
    { ...sub(''), 'Chart.yaml': dependsOn('condition: pg.enabled') },
  ],
  ['a tag', 'tags: {back: true}', { ...sub(''), 'Chart.yaml': dependsOn('tags: [back]') }],
  [
    'import-values',
    'db: {data: {a: 1}}',
    {
      ...sub(''),
      ...template('{{ .Values.mine.a }}'),
      'Chart.yaml': dependsOn('import-values: [{child: data, parent: mine}]'),
    },
  ],
  [
    'exports of a subchart',
    'db: {exports: {data: {a: 1}}}',
    { ...sub(''), ...template('{{ .Values.a }}'), 'Chart.yaml': dependsOn('import-values: [data]') },
  ],
  [
    'a schema that names it',
    'a: {b: 1}',
    schema('{"$defs":{"a":{"properties":{"b":{}}}},"properties":{"a":{"$ref":"#/$defs/a"}}}'),
  ],
  ['a null that removes a default', 'a: null', { 'values.yaml': 'a: {b: 1}\n', ...template('{{ .Values.c }}') }],
  ['a comment of values.yaml that shows it', 'a: 1', { 'values.yaml': '# a: 2\n', ...template('{{ .Values.c }}') }],
])('%s reads a value', async (_what, given, files) => {
  expect(await unreadOf(given, files)).toEqual([]);
});

// What a chart reads is remembered: by everything that it depends on.
test('charts that differ in one file, and values with actions, are not taken for each other', async () => {
  const given = 'a: 1\nb: {c: 1}\n';
  const charts: readonly [Files, readonly string[]][] = [
    [template('{{ .Values.a }}'), ['b']],
    [template('{{ .Values.b }}'), ['a']],
    [{ ...template('{{ .Values.a }}'), ...schema('{"properties": {"b": {"type": "object"}}}') }, []],
    [{ 'templates/b.yaml': '{{ .Values.a }}{{ .Values.b }}' }, []],
    [template('{{ .Values.b.c }}'), ['a']],
  ];
  for (const [files, unread] of [...charts, ...charts]) expect(await unreadOf(given, files)).toEqual(unread);
  const tpl = template('{{ tpl .Values.text . }}');
  expect(await unreadOf('text: "{{ .Values.a }}"\na: 1\nb: 1\n', tpl)).toEqual(['b']);
  expect(await unreadOf('text: "{{ .Values.b }}"\na: 1\nb: 1\n', tpl)).toEqual(['a']);
});
