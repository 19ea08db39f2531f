import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EditorSession } from '../../src/lsp/session.ts';
import { Lines } from '../../src/support/lines.ts';
import { tshelm } from '../cli/harness.ts';
import { writeChart } from './write-chart.ts';

const chart = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';
const db = {
  'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'charts/db/values.yaml': 'size: 1Gi\n',
  'charts/db/templates/db.yaml': 'size: {{ .Values.size }}\n',
};

/** Renames what the cursor `¦` in one of the files is at, in the files on disk; gives what the chart printed before and after. */
async function renamed(files: Readonly<Record<string, string>>, name: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rename-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const all = { 'Chart.yaml': chart, ...files };
  const [file, marked] = Object.entries(all).find(([, text]) => text.includes('¦')) as [string, string];
  writeChart(folder, { ...all, [file]: marked.replace('¦', '') });
  const path = join(folder, file);
  const position = new Lines(marked).positionAt(marked.indexOf('¦'));
  const rename = new EditorSession({ env: {} }).rename(path, position, name);
  const print = async (): Promise<string> => (await tshelm(['template', 'release', folder], {})).stdout;
  const before = await print();
  for (const edit of 'edits' in rename ? rename.edits.toReversed() : []) {
    // As an editor has it: its byte order mark is no part of the text.
    const [mark, text] = parts(readFileSync(edit.path, 'utf8'));
    const lines = new Lines(text);
    const [from, until] = [lines.offsetAt(edit.range.start), lines.offsetAt(edit.range.end)];
    writeFileSync(edit.path, `${mark}${text.slice(0, from)}${edit.text}${text.slice(until)}`);
  }
  const texts = Object.fromEntries(Object.keys(all).map((one) => [one, readFileSync(join(folder, one), 'utf8')]));
  return { rename, texts, before, after: await print() };
}

const parts = (text: string): [string, string] => (text.startsWith('\ufeff') ? ['\ufeff', text.slice(1)] : ['', text]);

const template = 'templates/web.yaml';

describe('a chart prints the same after a rename', () => {
  test.each<[string, Record<string, string>, string, Record<string, string>]>([
    [
      'of a key of a list, in each item',
      {
        'values.yaml': 'ports:\n  - ¦num: 1\n  - num: 2\n',
        [template]: '{{ range .Values.ports }}\np{{ .num }}: {{ .num }}\n{{ end }}',
      },
      'number',
      {
        'values.yaml': 'ports:\n  - number: 1\n  - number: 2\n',
        [template]: '{{ range .Values.ports }}\np{{ .number }}: {{ .number }}\n{{ end }}',
      },
    ],
    [
      'read by index, get, with and $, but not in comments and texts that only look like it',
      {
        'values.yaml': '# tag: x\nimage:\n  ¦tag: v1 # tag\n  other: tag\n',
        [template]:
          '# .Values.image.tag\n{{/* .Values.image.tag */}}\na: {{ index .Values "image" "tag" }}\nb: {{ get .Values.image "tag" }}\nc: {{ with .Values.image }}{{ .tag }}{{ $.Values.image.tag }}{{ end }}\nd: {{ "tag" }}\n',
      },
      'version',
      {
        'values.yaml': '# tag: x\nimage:\n  version: v1 # tag\n  other: tag\n',
        [template]:
          '# .Values.image.tag\n{{/* .Values.image.tag */}}\na: {{ index .Values "image" "version" }}\nb: {{ get .Values.image "version" }}\nc: {{ with .Values.image }}{{ .version }}{{ $.Values.image.version }}{{ end }}\nd: {{ "tag" }}\n',
      },
    ],
    [
      'to a name that YAML takes for no text, and in quotes',
      { 'values.yaml': '"¦a": 1\n', 'ci/x-values.yaml': 'a: 2\n', [template]: 'a: {{ .Values.a }}\n' },
      'on',
      { 'values.yaml': '"on": 1\n', 'ci/x-values.yaml': '"on": 2\n', [template]: 'a: {{ .Values.on }}\n' },
    ],
    [
      'of a value of a subchart, from its template',
      { 'values.yaml': 'db:\n  size: 2Gi\n', ...db, 'charts/db/templates/db.yaml': 'size: {{ .Values.¦size }}\n' },
      'space',
      {
        'values.yaml': 'db:\n  space: 2Gi\n',
        'charts/db/values.yaml': 'space: 1Gi\n',
        'charts/db/templates/db.yaml': 'size: {{ .Values.space }}\n',
      },
    ],
    [
      'with line ends of Windows, a byte order mark and letters of two units',
      { 'values.yaml': '\ufeffx: "😀"\r\n¦a: 1\r\n', [template]: '\ufeffk: "😀{{ .Values.a }}"\r\n' },
      'b',
      { 'values.yaml': '\ufeffx: "😀"\r\nb: 1\r\n', [template]: '\ufeffk: "😀{{ .Values.b }}"\r\n' },
    ],
    [
      'that a schema names',
      {
        'values.yaml': '¦a: 1\n',
        [template]: 'a: {{ .Values.a }}\n',
        'values.schema.json': '{"properties": {"a": {"type": "integer"}}, "additionalProperties": false}',
      },
      'b',
      { 'values.schema.json': '{"properties": {"b": {"type": "integer"}}, "additionalProperties": false}' },
    ],
    [
      'of a helper, defined and used across charts',
      {
        ...db,
        'templates/_h.tpl': '{{ define "¦shop.x" }}v{{ end }}\n',
        [template]: 'a: {{ include "shop.x" . }} {{ template `shop.x` }} # shop.x\n',
        'charts/db/templates/db.yaml': 'a: {{ include "shop.x" . | quote }}\n',
      },
      'shop.y',
      {
        'templates/_h.tpl': '{{ define "shop.y" }}v{{ end }}\n',
        [template]: 'a: {{ include "shop.y" . }} {{ template `shop.y` }} # shop.x\n',
        'charts/db/templates/db.yaml': 'a: {{ include "shop.y" . | quote }}\n',
      },
    ],
  ])('%s', async (_what, files, name, expected) => {
    const { rename, texts, before, after } = await renamed(files, name);
    expect(rename).toEqual({ edits: expect.anything() });
    expect(texts).toMatchObject(expected);
    expect(before).not.toBe('');
    expect(after).toBe(before);
  });
});

describe('what cannot have another name says why', () => {
  const values = 'a: {b: 1, c: 2}\n';
  test.each<[string, Record<string, string>, string, string]>([
    ['a key that is there', { 'values.yaml': '¦a: 1\nb: 2\n' }, 'b', 'there is a b already'],
    [
      'a key that templates read',
      { 'values.yaml': '¦a: 1\n', [template]: '{{ .Values.b }}' },
      'b',
      'there is a b already',
    ],
    ['no field', { 'values.yaml': '¦a: 1\n', [template]: 'a: {{ .Values.a }}' }, 'b-c', 'cannot read a key "b-c"'],
    [
      'a key that is printed',
      { 'values.yaml': values.replace('b', '¦b'), [template]: 'x: {{ toYaml .Values.a | nindent 2 }}' },
      'd',
      'use a as a whole',
    ],
    [
      'a key that is looped over',
      { 'values.yaml': values.replace('b', '¦b'), [template]: '{{ range $k, $v := .Values.a }}{{ $k }}: 1\n{{ end }}' },
      'd',
      'loop over a',
    ],
    [
      'a key that a text reads',
      { 'values.yaml': '¦a: 1\nt: "{{ .Values.a }}"\n', [template]: 'x: {{ tpl .Values.t . }}' },
      'd',
      'a text that "tpl" runs reads a',
    ],
    ['a chart', { ...db, 'values.yaml': '¦db: {size: 1}\n' }, 'd', 'the name of a chart'],
    [
      'a condition',
      {
        ...db,
        'values.yaml': 'db:\n  ¦enabled: true\n',
        'Chart.yaml': `${chart}dependencies: [{name: db, version: 1.0.0, condition: db.enabled}]\n`,
      },
      'd',
      'in a condition',
    ],
    ['the globals', { 'values.yaml': '¦global: {a: 1}\n' }, 'd', 'globals'],
    [
      'what a merge key brings',
      { 'values.yaml': 'x: &x\n  ¦b: 1\ny:\n  <<: *x\n', [template]: 'x: {{ .Values.y.b }}' },
      'd',
      'for several places',
    ],
    [
      'a value that a schema requires',
      { 'values.yaml': '¦a: 1\n', 'values.schema.json': '{"required": ["a"], "properties": {"a": {}}}' },
      'd',
      'values.schema.json',
    ],
    [
      'a helper that is there',
      { 'templates/_h.tpl': '{{ define "¦a" }}{{ end }}{{ define "b" }}{{ end }}' },
      'b',
      'there is a helper b already',
    ],
    [
      'a helper that a text names',
      { 'templates/_h.tpl': '{{ define "¦a" }}x{{ end }}', [template]: '{{ $n := "a" }}x: {{ include $n . }}' },
      'b',
      'in a text',
    ],
    [
      'a helper that values include',
      {
        'templates/_h.tpl': '{{ define "¦shop.a" }}x{{ end }}',
        'values.yaml': 't: \'{{ include "shop.a" . }}\'\n',
        [template]: 'x: {{ tpl .Values.t . }}',
      },
      'b',
      '"tpl" may run',
    ],
    [
      'a helper whose name is put together',
      {
        'templates/_h.tpl': '{{ define "¦shop.a" }}x{{ end }}',
        [template]: 'x: {{ include (printf "%s.a" .Chart.Name) . }}',
      },
      'b',
      'would print something else',
    ],
    [
      'a helper with quotes',
      { 'templates/_h.tpl': '{{ define "¦a" }}{{ end }}' },
      'b"c',
      'cannot be the name of a helper',
    ],
  ])('%s', async (_what, files, name, problem) => {
    const { rename, before, after } = await renamed(files, name);
    expect(rename).toEqual({ problem: expect.stringContaining(problem) });
    expect(after).toBe(before);
  });
});

test('a rename counts on what is open and not saved, with a byte order mark or without', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rename-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeChart(folder, { 'Chart.yaml': chart, 'values.yaml': 'old: 1\n', [template]: 'a: {{ .Values.old }}\n' });
  const session = new EditorSession({ env: {} });
  session.workspace.change(join(folder, 'values.yaml'), '\ufeff# new\r\na: 1\r\n');
  session.workspace.change(join(folder, template), 'b: 1\na: {{ .Values.a }}\n{{ if');
  const rename = session.rename(join(folder, 'values.yaml'), { line: 1, character: 0 }, 'c');
  expect(rename).toEqual({
    edits: [
      { path: join(folder, 'values.yaml'), range: rangeOf(1, 0), text: 'c' },
      { path: join(folder, template), range: rangeOf(1, 14), text: 'c' },
    ],
  });
});

const rangeOf = (line: number, from: number) => ({
  start: { line, character: from },
  end: { line, character: from + 1 },
});
