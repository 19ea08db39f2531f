import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from '../cli/harness.ts';

const sandbox = openTestSandbox();
afterAll(() => sandbox.remove());

interface Broken {
  readonly files: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

const object = (data: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n${data}\n`;
const annotated = (name: string, annotations: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  annotations: {${annotations}}\n`;
const template = (text: string, values = '', more: Readonly<Record<string, string>> = {}): Broken => ({
  files: { 'templates/web.yaml': text, 'values.yaml': values, ...more },
});
const schema = (text: string, values = '', flags: readonly string[] = []): Broken => ({
  files: { 'values.schema.json': text, 'values.yaml': values },
  flags,
});
const own = 'image:\n  tag: 2\n';

/** Charts with one mistake each, and what is printed of it. */
const broken: Readonly<Record<string, Broken>> = {
  'a value is not set': template(object('  tag: {{ .Values.image.tag }}'), 'port: 80\n'),
  'a value is not set below one that is': template(object('  a: {{ .Values.image.tag.name }}'), 'image:\n  name: a\n'),
  'a value is set to nothing': template(object('  tag: {{ .Values.image.tag }}'), 'image:\n'),
  'a value has nearly the name': template(object('  tag: {{ .Values.imgae.tag }}'), own),
  'a value is no map, by a flag': {
    ...template(object('  tag: {{ .Values.image.tag }}'), own),
    flags: ['--set', 'image=nginx'],
  },
  'a value is no list, by a file': {
    ...template(object('{{ range .Values.hosts }}  a: {{ . }}{{ end }}'), 'hosts: []\n', { 'ci.yaml': 'hosts: web\n' }),
    flags: ['-f', 'ci.yaml'],
  },
  'a value is encrypted': template(
    object('  a: {{ .Values.a }}'),
    `a: ENC[AES256_GCM,data:${'A'.repeat(22)}==,iv:${'A'.repeat(22)}==,tag:${'A'.repeat(22)}==,type:str]\n`,
  ),
  'default comes too late': template(object('  tag: {{ .Values.image.tag | default "1" }}'), 'port: 80\n'),
  required: template(object('  tag: {{ required "set a tag" .Values.image.tag }}'), 'image:\n  name: a\n'),
  fail: template('{{ if eq .Values.mode "fast" }}{{ fail "too fast" }}{{ end }}', 'mode: fast\n'),
  'fail names a word': template(
    '{{ if not (has .Values.size (list "small" "medium")) }}{{ fail (printf "size %s is none of small, medium" .Values.size) }}{{ end }}',
    'size: mediun\n',
  ),
  'null is no value': template(object('{{ $pod := dict "a" nil }}  a: {{ $pod.a.port }}')),
  'a template is unknown': template(object('  a: {{ include "web.nmae" . }}'), '', {
    'templates/_h.tpl': '{{ define "web.name" }}a{{ end }}',
  }),
  'a function is unknown': template(object('  a: {{ .Values.a | trimm }}')),
  'an argument has another type': template(object('  a: {{ 3 | trimSuffix "a" }}')),
  'an end is missing': template(`${object('  a: b')}{{ if true }}\n`),
  'a brace is missing': template(object('  a: {{ .Values.a }')),
  'indented too little': template(object('  a: {{ .Values.text | nindent 0 }}'), 'text: |\n  b: c\n  d: e\n'),
  'a block leaves its key': template(object('  a: |\n{{ .Values.text | indent 2 }}'), 'text: |\n  b\n  - c: [\n'),
  'a tab': template('a:\n\tb: 1\n'),
  'a quote is open': template(object('  a: "b')),
  'a key stands twice': template(object('  a: b\n  a: c')),
  'values.yaml is broken': { files: { 'values.yaml': 'a: 1\nb: [1, 2\nc: 3\n' } },
  'a file of -f is broken': { files: { 'ci.yaml': 'a: {b: 1\nc: 2\n' }, flags: ['-f', 'ci.yaml'] },
  'Chart.yaml has no version': { files: { 'Chart.yaml': 'apiVersion: v2\nname: web\n' } },
  'Chart.yaml has a text for a list': {
    files: { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\nkeywords: a\n' },
  },
  'a subchart is no archive': { files: { 'charts/db-1.0.0.tgz': 'no archive' } },
  'a subchart gets a text for its values': {
    files: {
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'charts/db/values.yaml': 'a: 1\n',
      'values.yaml': 'db: no\n',
    },
  },
  'the schema wants a number': schema('{"properties": {"port": {"type": "integer"}}}', 'port: many\n'),
  'the schema wants another number, by a flag': schema('{"properties": {"port": {"maximum": 65535}}}', 'port: 80\n', [
    '--set',
    'port=70000',
  ]),
  'the schema wants one of some': schema('{"properties": {"size": {"enum": ["small", "large"]}}}', 'size: medium\n'),
  'the schema misses a value': schema(
    '{"required": ["host"], "properties": {"host": {"type": "string", "pattern": "^[a-z.]+$"}}}',
    'port: 80\n',
  ),
  'the schema is not valid JSON': schema('{"type": "object",}'),
  'the schema has an unknown type': schema('{"properties": {"port": {"type": "int"}}}'),
  'the schema has a required property': schema('{"properties": {"port": {"type": "integer", "required": true}}}'),
  'the schema refers to nothing': schema('{"$defs": {"port": {}}, "properties": {"port": {"$ref": "#/$defs/prot"}}}'),
  'the subcharts wait for each other': {
    files: {
      'Chart.yaml':
        'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n  - name: a\n    version: 1.0.0\n    depends-on: [b]\n  - name: b\n    version: 1.0.0\n    depends-on: [a]\n',
      'charts/a/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
      'charts/a/templates/a.yaml': object('  a: b'),
      'charts/b/Chart.yaml': 'apiVersion: v2\nname: b\nversion: 1.0.0\n',
      'charts/b/templates/a.yaml': object('  a: b'),
    },
    flags: ['--wait=ordered'],
  },
  'a layer is misspelt': {
    files: {
      'templates/web.yaml': `${annotated('web', 'helm.sh/depends-on/resource-groups: \'["d b"]\'')}---\n${annotated('db', 'helm.sh/resource-group: db')}`,
    },
    flags: ['--wait=ordered'],
  },
  'a weight is none, beside a layer': {
    files: { 'templates/web.yaml': annotated('web', 'helm.sh/resource-group: a, helm.sh/weight: "x"') },
    flags: ['--wait=ordered'],
  },
  'a hook has a wrong weight': {
    files: {
      'templates/web.yaml': annotated('web', 'helm.sh/hook: pre-install, helm.sh/hook-weight: first'),
    },
  },
  'a name that no object can have': { files: {}, flags: ['Web_1'] },
};

/** What a build of GitHub shows: the annotations, and the text for people. */
async function printed({ files, flags = [] }: Broken, index: number): Promise<string> {
  const folder = join(sandbox.directory, `chart${index}`, 'web');
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const named = flags.find((flag) => flag.startsWith('Web')) ?? 'web';
  const more = flags.filter((flag) => flag !== named).map((flag) => (flag === 'ci.yaml' ? join(folder, flag) : flag));
  const state = ['--sandbox-dir', join(sandbox.directory, `state${index}`)];
  const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder };
  const { stderr } = await tshelm(['install', named, folder, ...more, ...state], { env });
  return stderr
    .replace(
      /^::(?:stop-commands::)?\w{32}(?:::)?\n|^::(?:end)?group.*\n|^ +\d+\.\ds (?!.*warn).*\n|^ +\d+\.\ds +/gm,
      '',
    )
    .replaceAll(`${folder}/`, '')
    .replaceAll(folder, 'web')
    .replaceAll(state.join('='), '--sandbox');
}

test('the mistakes of charts as they are printed, and as annotations', async () => {
  const blocks: string[] = [];
  for (const [index, [title, chart]] of Object.entries(broken).entries())
    blocks.push(`# ${title}\n${await printed(chart, index)}`);
  await expect(blocks.join('\n')).toMatchFileSnapshot('broken-charts.txt');
});
