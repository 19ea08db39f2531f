import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EditorSession } from '../../src/lsp/session.ts';
import { Lines } from '../../src/support/lines.ts';
import { chartFolder } from './chart.ts';
import { shop } from './write-chart.ts';

const noPause = async (): Promise<void> => undefined;

/** A session with a file open; `¦` in its text is where the cursor is. */
function opened(file: string, text = shop[file] ?? '') {
  const folder = chartFolder();
  const session = new EditorSession({ env: {} });
  const at = text.indexOf('¦');
  const plain = text.replace('¦', '');
  const path = join(folder, file);
  session.workspace.change(path, plain);
  const position = new Lines(plain).positionAt(Math.max(at, 0));
  const short = (one: string): string => one.slice(folder.length + 1);
  return { session, folder, path, position, short };
}

/** The file with the cursor before a part of it. */
const cursorBefore = (file: string, part: string): string => (shop[file] ?? '').replace(part, `¦${part}`);

const web = 'templates/web.yaml';

async function codesIn(file: string, text: string) {
  const { session, path } = opened(file, text);
  const quick = (await session.quick(path, noPause)).get(path) ?? [];
  return quick.map(({ code, range, level }) => `${level} ${range.start.line + 1} ${code}`);
}

describe('diagnostics', () => {
  test('a chart that Helm renders has none', async () => {
    const { session, path } = opened(web);
    const found = await session.full(path, noPause);
    expect([...found.values()].flat().map(({ code }) => code)).toEqual([]);
  });

  test.each([
    ['an action that is not closed', '{{ .Values.replicas }}', '{{ .Values.replicas', ['error 6 action-not-closed']],
    ['a function that there is not', 'nindent 6', 'nident 6', ['error 8 function-unknown']],
    ['a field that the kind has not', '  replicas:', '  replica:', ['error 6 field-unknown']],
    ['a value of the wrong type', '{{ .Values.replicas }}', '{{ .Values.image.name }}', ['error 6 field-type']],
  ])('%s', async (_what, from, to, expected) => {
    expect(await codesIn(web, (shop[web] as string).replace(from, to))).toEqual(expected);
  });

  test('an open values.yaml that is no YAML', async () => {
    expect(await codesIn('values.yaml', 'replicas: 2\nimage: [\n')).toEqual([
      expect.stringMatching(/^error \d+ values-invalid$/),
    ]);
  });

  test('every mistake in an order file, at its line', async () => {
    const text =
      'resources:\n  - select: { kind: Job }\n    weight: heavy\n  - select: { colour: red }\n    group: a\n';
    const found = await codesIn('order.yaml', text);
    expect(found).toEqual(expect.arrayContaining(['error 3 order-file-invalid', 'error 4 order-file-invalid']));
  });

  test('a state file that is no YAML', async () => {
    expect(await codesIn('helmfile.yaml', 'releases:\n  - name: [\n')).toHaveLength(1);
  });

  test('what is mended is no longer told', async () => {
    const { session, path } = opened(web, (shop[web] as string).replace('  replicas:', '  replica:'));
    expect((await session.full(path, noPause)).get(path)).toHaveLength(1);
    session.workspace.change(path, shop[web] as string);
    expect((await session.full(path, noPause)).get(path)).toEqual([]);
  });
});

describe('places', () => {
  test.each([
    ['a value', web, 'replicas }}', ['values.yaml:1', 'ci/big-values.yaml:1']],
    ['a value that a helper is given', 'templates/_helpers.tpl', 'tag }}', ['values.yaml:4']],
    ['a field of a loop', web, 'number }}', ['values.yaml:7']],
    ['a helper', web, 'shop.image"', ['templates/_helpers.tpl:1']],
    [
      'a value of a subchart',
      'charts/db/templates/config.yaml',
      'size |',
      ['values.yaml:9', 'charts/db/values.yaml:1'],
    ],
    ['a dependency', 'Chart.yaml', '- name: db', ['charts/db/Chart.yaml:1']],
    ['a key of values.yaml', 'values.yaml', 'replicas', ['ci/big-values.yaml:1', 'templates/web.yaml:6']],
  ])('definition of %s', (_what, file, part, expected) => {
    const { session, path, position, short } = opened(file, cursorBefore(file, part));
    const found = session
      .definition(path, position)
      .map(({ path: one, range }) => `${short(one)}:${range.start.line + 1}`);
    expect(found).toEqual(expected);
  });

  test('references to a value are where it is set and read', () => {
    const { session, path, position, short } = opened('values.yaml', cursorBefore('values.yaml', 'tag'));
    const found = session
      .references(path, position)
      .map(({ path: one, range }) => `${short(one)}:${range.start.line + 1}`);
    expect(found).toEqual(['values.yaml:4', 'templates/_helpers.tpl:2']);
  });

  test('renaming a value changes every file that names it', () => {
    const { session, path, position, short } = opened(web, cursorBefore(web, 'replicas }}'));
    const found = session.rename(path, position, 'copies');
    expect(
      'edits' in found &&
        found.edits.map(({ path: one, range, text }) => `${short(one)}:${range.start.line + 1} ${text}`),
    ).toEqual(['values.yaml:1 copies', 'ci/big-values.yaml:1 copies', 'templates/web.yaml:6 copies']);
  });
});

test.each([
  ['a value', web, 'replicas }}', '`replicas` is `2`'],
  ['a helper', web, 'shop.labels"', 'used twice'],
  ['a function', web, 'nindent 6', 'func(int, string) string'],
  ['a built-in', 'templates/_helpers.tpl', 'Name }}\n{{- end }}\n', 'The name of the release.'],
  ['a field of Kubernetes', web, 'containers:', '`spec.template.spec.containers`: list of Container'],
])('hover over %s', (_what, file, part, expected) => {
  const { session, path, position } = opened(file, cursorBefore(file, part));
  expect(session.hover(path, position)?.markdown.replace('used 2 times', 'used twice')).toContain(expected);
});

test.each([
  ['values', '  replicas: {{ .Values.¦', ['image', 'replicas']],
  ['values below a value', '  x: {{ .Values.image.¦ }}', ['name', 'tag']],
  ['values within a condition that is open', '  {{ with .Values.image }}\n  x: {{ .¦', ['name', 'tag']],
  ['helpers', '  x: {{ include "shop.¦" . }}', ['shop.image', 'shop.labels']],
  ['functions', '  x: {{ "a" | nin¦ }}', ['nindent']],
  ['built-ins', '  x: {{ .Release.¦ }}', ['Name', 'Namespace']],
  ['fields', '  strateg¦', ['strategy', 'paused']],
])('completion of %s', (_what, line, expected) => {
  const text = `apiVersion: apps/v1\nkind: Deployment\nspec:\n${line}\n`;
  const { session, path, position } = opened(web, text);
  expect(session.completions(path, position)?.items.map(({ label }) => label)).toEqual(
    expect.arrayContaining(expected),
  );
});

test.each([
  ['Chart.yaml', 'na¦', ['name', 'dependencies', 'runHooksInParallel']],
  ['Chart.yaml', 'dependencies:\n  - name: db\n    al¦', ['alias', 'import-values']],
  ['Chart.yaml', 'dependencies:\n- ¦', ['name', 'repository']],
  ['Chart.yaml', 'type: li¦', ['application', 'library']],
  ['Chart.yaml', 'annotations:\n  he¦', ['helm.sh/depends-on/subcharts']],
  ['helmfile.yaml', 'rel¦', ['releases', 'helmDefaults']],
  ['helmfile.yaml', 'releases:\n- name: db\n  cha¦', ['chart', 'needs']],
  ['helmfile.yaml', 'releases:\n  - name: db\n    hooks:\n      - ev¦', ['events', 'command']],
  ['helmfile.yaml', 'releases:\n  - name: db\n    wait: ¦', ['true', 'false']],
  ['helmfile.yaml', 'environments:\n  prod:\n    se¦', ['secrets', 'values']],
  ['order.yaml', 'res¦', ['resources', 'charts']],
  ['order.yaml', 'resources:\n  - select:\n      ki¦', ['kind', 'labels']],
  ['order.yaml', 'resources:\n  - readiness:\n      ¦', ['success', 'current']],
  ['order.yaml', 'charts:\n  - runHooksInParallel: o¦', ['otherChartsOnly']],
])('completion in %s: %j', (file, text, expected) => {
  const { session, path, position } = opened(file, text);
  expect(session.completions(path, position)?.items.map(({ label }) => label)).toEqual(
    expect.arrayContaining(expected),
  );
});

test.each([
  ['Chart.yaml', 'dependencies:\n  - ¦condition: db.enabled\n', '`dependencies[].condition`: text'],
  ['helmfile.yaml', 'releases:\n  - ¦needs: [db]\n', '`releases[].needs`: list of text'],
  ['order.yaml', 'charts:\n  - chart: db\n    ¦dependsOn: [x]\n', '`charts[].dependsOn`: text or list of text'],
])('hover in %s: %j', (file, text, expected) => {
  const { session, path, position } = opened(file, text);
  expect(session.hover(path, position)?.markdown.split('\n')[0]).toBe(expected);
});

test('a quick fix writes the field that was meant', async () => {
  const { session, path } = opened(web, (shop[web] as string).replace('containers:', 'contaners:'));
  await session.quick(path, noPause);
  const line = { line: 12, character: 0 };
  const [first] = session.codeActions(path, { start: line, end: line });
  expect(first?.edits).toMatchObject([{ path, text: 'containers' }]);
});

test('the rendered object of a place', () => {
  const { session, path, position } = opened(web, cursorBefore(web, 'containerPort'));
  const found = session.rendered(path, position);
  expect(found).toMatchObject({ kind: 'Deployment', name: 'web' });
  expect(found?.text.split('\n')[found.line]).toContain('containerPort: 80');
});

test('no text makes a question fail', () => {
  const texts = [
    '{{',
    '{{ .Values.',
    '{{ if }}{{ end',
    '{{/*',
    '"{{`',
    'a: b: c\n\t- {{ range $',
    '{{ define "x',
    '\u0000😀 {{ .Values.😀 }}',
  ];
  for (const text of texts) {
    const { session, path } = opened(web, text);
    for (let character = 0; character <= text.length; character++) {
      const position = { line: 0, character };
      session.hover(path, position);
      session.completions(path, position);
      session.definition(path, position);
      session.rendered(path, position);
    }
  }
});
