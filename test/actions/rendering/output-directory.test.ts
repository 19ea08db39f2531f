import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeDocuments } from '../../../src/actions/rendering/output-directory.ts';
import { templateChart } from '../../../src/actions/template.ts';
import { chartOf } from '../../render/chart-text.ts';

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

test.each([
  ['a path that climbs out', '../evil.yaml', undefined],
  ['a path that climbs out of folders that are not there', 'web/new/../../../evil.yaml', undefined],
  ['a folder that is a link', 'web/templates/evil.yaml', 'web/templates'],
  ['a folder below a link', 'web/templates/new/evil.yaml', 'web/templates'],
  ['a file that is a link', 'web/evil.yaml', 'web/evil.yaml'],
])('nothing is written outside: %s', async (_how, path, link) => {
  const outside = await mkdtemp(join(tmpdir(), 'tshelm-outside-'));
  const inside = join(directory, 'out');
  await mkdir(join(inside, 'web'), { recursive: true });
  // The link may lead to what is not there yet.
  if (link !== undefined) await symlink(link === path ? join(outside, 'new') : outside, join(inside, link));
  try {
    await expect(writeDocuments(inside, [{ path, text: 'evil' }])).rejects.toMatchObject({ code: 'output-outside' });
    expect(await readdir(outside)).toEqual([]);
    expect((await readdir(directory)).includes('evil.yaml')).toBe(false);
  } finally {
    await rm(outside, { recursive: true });
  }
});

test('a file where a directory has to be is told as Helm tells it', async () => {
  await writeFile(join(directory, 'web'), '');
  await expect(template()).rejects.toThrow(/^stat .*\/web\/\S+: not a directory$/);
});

test('a link that stays inside is followed', async () => {
  await mkdir(join(directory, 'real'));
  await symlink('real', join(directory, 'web'));
  await writeDocuments(directory, [{ path: 'web/a.yaml', text: 'text' }]);
  expect(await read('real/a.yaml')).toBe('text');
});
