import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeRegistry, fakeRegistry } from '../source/oci/fake-registry.ts';
import { type Ran, tshelm } from './harness.ts';

let folder: string;
let registry: FakeRegistry;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-'));
  registry = await fakeRegistry({ pageSize: 2 });
  for (const tag of ['1.0.0', '1.10.0', '1.9.0_build.1', 'latest', '2.0.0-rc.1'])
    registry.putChart('charts/red', tag, Buffer.from('x'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (line: string): Promise<Ran> =>
  tshelm(line.replace('OCI', `oci://${registry.host}/charts`).split(' '), {
    env: { HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'config') },
  });
const rows = ({ stdout }: Ran): string[][] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t').map((cell) => cell.trim()));

test('the versions of a chart in a registry, the newest first, then its other tags', async () => {
  const name = `oci://${registry.host}/charts/red`;
  expect(rows(await run('search OCI/red --plain-http'))).toEqual([
    ['NAME', 'CHART VERSION', 'TAG'],
    [name, '2.0.0-rc.1', '2.0.0-rc.1'],
    [name, '1.10.0', '1.10.0'],
    [name, '1.9.0+build.1', '1.9.0_build.1'],
    [name, '1.0.0', '1.0.0'],
    [name, '', 'latest'],
  ]);
});

test('of a range, as JSON', async () => {
  const { stdout } = await run('search OCI/red --plain-http --version <1.10 -o json');
  expect(JSON.parse(stdout).map(({ tag }: { tag: string }) => tag)).toEqual(['1.9.0_build.1', '1.0.0']);
});

test('a range that no version is in', async () => {
  expect(await run('search OCI/red --plain-http --version ^7')).toMatchObject({
    code: 0,
    stdout: 'No results found\n',
  });
  expect(await run('search OCI/red --plain-http --version ^7 --fail-on-no-result')).toMatchObject({
    code: 1,
    stderr: 'Error: no results found\n',
  });
});

test('a chart without tags', async () => {
  registry.content.clear();
  expect((await run('search OCI/red --plain-http')).stdout).toBe('No results found\n');
});
