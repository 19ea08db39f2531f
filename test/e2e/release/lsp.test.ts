import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { Client } from '../../lsp/client.ts';
import { writeChart } from '../../lsp/write-chart.ts';
import { tshelmPath } from '../support/programs.ts';

// The built program as an editor meets it: every message of the protocol once.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lsp-')));
afterAll(() => rmSync(folder, { recursive: true }));
writeChart(folder);
const path = join(folder, 'templates/web.yaml');
const uri = pathToFileURL(path).href;
const text = readFileSync(path, 'utf8');

function positionOf(part: string, of = text) {
  const before = of.slice(0, of.indexOf(part)).split('\n');
  return { line: before.length - 1, character: (before.at(-1) as string).length };
}

test('an editor opens a chart, asks, changes it, and leaves', async () => {
  const client = new Client(tshelmPath, ['lsp'], folder);
  expect(await client.start()).toMatchObject({ serverInfo: { name: 'tshelm' } });

  client.open(path, text);
  await client.until(() => client.of(path) !== undefined);
  expect(client.of(path)).toEqual([]);

  const replicas = client.at(path, positionOf('replicas }}'));
  const hover = await client.request<{ contents: { value: string } }>('textDocument/hover', replicas);
  expect(hover.contents.value).toContain('`replicas` is `2`');
  const values = pathToFileURL(join(folder, 'values.yaml')).href;
  expect(await client.request('textDocument/definition', replicas)).toMatchObject([{ uri: values }, {}]);
  expect(await client.request('textDocument/references', replicas)).toHaveLength(3);
  expect(await client.request('tshelm/rendered', replicas)).toMatchObject({ kind: 'Deployment', name: 'web' });
  const renamed = await client.request<{ changes: object }>('textDocument/rename', { ...replicas, newName: 'copies' });
  expect(Object.keys(renamed.changes)).toHaveLength(3);

  const wrong = text.replace('containers:', 'contaners:');
  client.change(path, wrong);
  await client.until(() => client.of(path)?.some(({ code }) => code === 'field-unknown') === true);
  const line = positionOf('contaners', wrong);
  const range = { start: line, end: line };
  expect(client.of(path)?.find(({ code }) => code === 'field-unknown')?.range.start).toEqual(line);
  const actions = await client.request<readonly object[]>('textDocument/codeAction', {
    textDocument: { uri },
    range,
    context: { diagnostics: [] },
  });
  expect(actions).toMatchObject([{ kind: 'quickfix', edit: { changes: { [uri]: [{ newText: 'containers' }] } } }]);

  const half = text.replace('{{ .Values.replicas }}', '{{ .Values.rep');
  client.change(path, half);
  const at = positionOf('.Values.rep', half);
  const items = await client.request<readonly { label: string }[]>(
    'textDocument/completion',
    client.at(path, { ...at, character: at.character + '.Values.rep'.length }),
  );
  expect(items.map(({ label }) => label)).toContain('replicas');

  client.change(path, text);
  await client.until(() => client.of(path)?.length === 0);
  writeFileSync(join(folder, 'values.yaml'), 'replicas: [\n');
  client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: values, type: 2 }] });
  await client.until(() => client.of(join(folder, 'values.yaml'))?.length === 1);
  expect(await client.stop()).toBe(0);
});
