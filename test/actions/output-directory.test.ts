import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { templateChart } from '../../src/actions/template.ts';
import { chartOf } from '../render/chart-text.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tshelm-output-'));
});
afterEach(() => rm(directory, { recursive: true }));

const files = {
  'templates/a.yaml': 'kind: B\n---\nkind: A\n',
  'templates/h.yaml': 'kind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: test\n',
  'crds/c.yaml': 'kind: C\n',
};

const read = (path: string): Promise<string> => readFile(join(directory, path), 'utf8');

async function template(options: { useReleaseName?: boolean } = {}): Promise<string> {
  const chart = await chartOf(files);
  const common = { name: 'rel', namespace: 'ns', includeCrds: true, outputDirectory: directory };
  return (await templateChart(chart, new Map(), { ...common, ...options })).output;
}

test('each template has its file, with its documents in install order; an older one is replaced', async () => {
  await template();
  expect(await template()).toBe(
    ['crds/c.yaml', 'templates/a.yaml', 'templates/a.yaml', 'templates/h.yaml', '']
      .map((path) => (path === '' ? '\n' : `wrote ${directory}/web/${path}\n`))
      .join(''),
  );
  expect(await read('web/templates/a.yaml')).toBe(
    '---\n# Source: web/templates/a.yaml\nkind: A\n\n---\n# Source: web/templates/a.yaml\nkind: B\n\n',
  );
  expect(await read('web/crds/c.yaml')).toBe('---\n# Source: web/crds/c.yaml\nkind: C\n\n');
});

test('hooks are added to what is there, as Helm does', async () => {
  await template();
  await template();
  expect((await read('web/templates/h.yaml')).match(/# Source/g)).toHaveLength(2);
});

test("the release's name can come between, except for CRDs", async () => {
  await template({ useReleaseName: true });
  expect(await read('rel/web/templates/a.yaml')).toContain('kind: A');
  expect(await read('web/crds/c.yaml')).toContain('kind: C');
});
