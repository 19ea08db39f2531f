import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tshelm-refused-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

function writeChart(files: Files): string {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 0.1.0\n', ...files };
  for (const [name, text] of Object.entries(all)) {
    const path = join(directory, 'charts/web', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return join(directory, 'charts/web');
}

/** What an install of the chart prints on standard error; `words` are added to the command line. */
async function toldOf(files: Files, words: readonly string[] = [], env: Files = {}): Promise<string> {
  const sandbox = join(directory, 'sandbox');
  const chart = writeChart(files);
  const ran = await tshelm(['install', 'r', chart, '--sandbox-dir', sandbox, ...words], { env });
  expect(ran.code).toBe(1);
  return ran.stderr;
}

const service = (port: string, name = 'web'): string =>
  `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\nspec:\n  ports:\n    - port: ${port}\n`;

describe('what was probably meant', () => {
  test.each([
    ['a value', '{{ .Values.servce.port }}', 'the values have service and no servce: one of both is misspelt'],
    [
      'a value below',
      '{{ .Values.service.prot.x }}',
      'the values have service.port and no service.prot: one of both is misspelt',
    ],
    ['a template', '{{ include "shop.prot" . }}', 'did you mean "shop.port" instead of "shop.prot"?'],
    ['a function', '{{ defualt 80 .Values.x }}', 'did you mean "default" instead of "defualt"?'],
  ])('%s', async (_what, port, hint) => {
    const files = {
      'values.yaml': 'service:\n  port: 80\n',
      'templates/_h.tpl': '{{ define "shop.port" }}80{{ end }}',
      'templates/service.yaml': service(port),
    };
    expect(await toldOf(files)).toContain(`${hint}\n`);
  });

  test('of a value in a subchart with the names that its parent gives', async () => {
    const files = {
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 0.1.0\n',
      'charts/db/templates/a.yaml': service('{{ .Values.sevice.port.x }}'),
    };
    expect(await toldOf(files, ['--set', 'db.service.port=80'])).toContain(
      'the values have db.service and no db.sevice: one of both is misspelt\n',
    );
  });
});

test.each([
  [
    'a quote that is never closed',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "web\ndata:\n  a: b\n',
    [
      '> 4 |   name: "web\n    |         ^',
      'a quote is opened here and never closed\n',
      'line 4 is made by shop/templates/a.yaml:4: name: "web\n',
    ],
  ],
  [
    'a text of several lines that leaves its block',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  conf: |\n{{ .Values.conf | indent 2 }}\n',
    [
      '> 7 |   listen 80;\n    |   ^',
      'this line is no `key: value`',
      'line 7 is made by shop/templates/a.yaml:7: {{ .Values.conf | indent 2 }}\n',
    ],
  ],
])('text that is no YAML: %s', async (_what, template, parts) => {
  const told = await toldOf({ 'templates/a.yaml': template, 'values.yaml': 'conf: |-\n  listen 80;\n  x\n' });
  for (const part of parts) expect(told).toContain(part);
});
