import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadChart } from '../../src/chart/load.ts';
import { chartArchive } from '../../src/source/package/archive-writer.ts';
import { serve, type TestServer } from '../source/http/server.ts';
import { type FakeRegistry, fakeRegistry, sha256 } from '../source/oci/fake-registry.ts';
import { type Ran, tshelm } from './harness.ts';

/** The index of a repository names charts of a registry, as those of large public repositories do. */
let folder: string;
let registry: FakeRegistry;
let web: TestServer;
let index: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-'));
  mkdirSync(join(folder, 'out'));
  registry = await fakeRegistry();
  const entries: string[] = [];
  for (const version of ['1.0.0', '1.1.0+build.7']) {
    write('red/Chart.yaml', `apiVersion: v2\nname: red\nversion: ${version}\n`);
    const archive = Buffer.from(await chartArchive(await loadChart(join(folder, 'red')), new Date(0)));
    registry.putChart('charts/red', version.replace('+', '_'), archive, { provenance: `of ${version}` });
    const tag = version === '1.0.0' ? ':1.0.0' : '';
    const digest = sha256(archive).slice('sha256:'.length);
    entries.unshift(`  - {name: red, version: ${version}, digest: ${digest}, urls: ["oci://HOST/charts/red${tag}"]}\n`);
  }
  index = `apiVersion: v1\nentries:\n  red:\n${entries.join('')}`.replaceAll('HOST', registry.host);
  web = await serve((request, response) => {
    response.writeHead(request.url === '/index.yaml' ? 200 : 404).end(index);
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const run = (line: string): Promise<Ran> =>
  tshelm(line.replaceAll('HERE', folder).replace('URL', web.url).split(' '), {
    env: { HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'config') },
  });
const done = { code: 0, stdout: '', stderr: '' };

test('the archive comes from the registry, by the tag of the URL or else by the version', async () => {
  await run('repo add web URL');
  expect(await run('pull web/red --version 1.0.0 --plain-http --prov -d HERE/out')).toEqual(done);
  expect(await run('pull red --repo URL --plain-http -d HERE/out')).toEqual(done);
  expect(readdirSync(join(folder, 'out')).sort()).toEqual([
    'red-1.0.0.tgz',
    'red-1.0.0.tgz.prov',
    'red-1.1.0+build.7.tgz',
  ]);
  const asked = registry.requests.length;
  expect((await run('show chart web/red --offline')).stdout).toContain('version: 1.1.0+build.7');
  expect(await run('pull web/red --offline -d HERE')).toEqual(done);
  expect(existsSync(join(folder, 'red-1.1.0+build.7.tgz'))).toBe(true);
  expect(registry.requests).toHaveLength(asked);
});

test('a dependency comes from there too', async () => {
  await run('repo add web URL');
  write(
    'parent/Chart.yaml',
    'apiVersion: v2\nname: p\nversion: 1.0.0\ndependencies: [{name: red, version: 1.x, repository: "@web"}]\n',
  );
  const { code, stdout } = await run('dependency update HERE/parent --plain-http');
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Pulled: ${registry.host}/charts/red:1.1.0_build.7\n`)]);
  expect(readdirSync(join(folder, 'parent/charts'))).toEqual(['red-1.1.0+build.7.tgz']);
});

test('the password of the repository is not for the registry', async () => {
  const line = 'pull red --repo URL --plain-http --username me --password hunter22 -d HERE/out';
  expect(await run(line)).toEqual(done);
  expect(web.requests[0]?.headers.authorization).toBeDefined();
  expect(registry.requests.map(({ headers }) => headers.authorization).filter(Boolean)).toEqual([]);
});

test('an archive that is another one than the index says is refused', async () => {
  index = index.replaceAll(/digest: \w+/g, `digest: ${'a'.repeat(64)}`);
  const { code, stderr } = await run('pull red --repo URL --plain-http -d HERE/out');
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('/charts/red: mismatched digest: the content is sha256:'),
  ]);
  expect(readdirSync(join(folder, 'out'))).toEqual([]);
});
