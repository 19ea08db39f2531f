import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadChart } from '../../src/chart/load.ts';
import { chartArchive } from '../../src/source/package/archive-writer.ts';
import { serve, type TestServer } from '../source/http/server.ts';
import { type FakeRegistry, fakeRegistry } from '../source/oci/fake-registry.ts';
import { type Ran, tshelm } from './harness.ts';

let folder: string;
let registry: FakeRegistry;
let web: TestServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-'));
  registry = await fakeRegistry();
  const files = new Map<string, Buffer>();
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
    registry.putChart('charts/red', version, await archiveOf('red', version), { provenance: `of ${version}` });
    files.set(`/blue-${version}.tgz`, await archiveOf('blue', version));
  }
  const entry = (version: string) => `  - {name: blue, version: ${version}, urls: [blue-${version}.tgz]}\n`;
  files.set(
    '/index.yaml',
    Buffer.from(`apiVersion: v1\nentries:\n  blue:\n${['2.0.0', '1.1.0', '1.0.0'].map(entry).join('')}`),
  );
  web = await serve((request, response) => {
    const body = files.get(request.url ?? '');
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

async function archiveOf(name: string, version: string): Promise<Buffer> {
  write(`made/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: ${version}\n`);
  write(`made/${name}/templates/a.yaml`, `kind: Pod\nmetadata: {name: {{ .Chart.Version }}}\n`);
  return Buffer.from(await chartArchive(await loadChart(join(folder, 'made', name)), new Date(0)));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const run = (line: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  tshelm(
    line
      .replaceAll('OCI', `oci://${registry.host}/charts`)
      .replaceAll('URL', web.url)
      .replaceAll('HERE', folder)
      .split(' '),
    { env: { HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'config'), ...env } },
  );

const missing = (...whats: readonly string[]): string =>
  `Error: ${whats.map((what) => `${what} is not cached, and cannot be downloaded while offline\n`).join('')}`;

test.each([
  ['the version itself', 'show chart OCI/red --plain-http --version ^1', 'show chart OCI/red --version 1.1.0'],
  ['a range', 'show chart OCI/red:1.1.0 --plain-http', 'show chart OCI/red --version 1.x'],
  ['no version', 'show chart OCI/red:1.1.0 --plain-http', 'show chart OCI/red'],
  ['--repo', 'show chart blue --repo URL --version ^1', 'show chart blue --repo URL/ --version 1.1.0'],
  ['an archive', 'show chart URL/blue-1.1.0.tgz', 'show chart URL/blue-1.1.0.tgz'],
  ['what was pulled', 'pull OCI/red:1.1.0 --plain-http -d HERE', 'show chart OCI/red'],
])('%s is found in the cache, however it was asked for before', async (_what, before, after) => {
  const online = await run(before);
  expect([online.code, online.stderr.replace(/^(Pulled|Digest): .*\n/gm, '')]).toEqual([0, '']);
  const asked = registry.requests.length + web.requests.length;
  const offline = await run(`${after} --offline`);
  expect(offline).toMatchObject({ code: 0, stderr: '' });
  expect(offline.stdout).toContain('version: 1.1.0');
  expect(registry.requests.length + web.requests.length).toBe(asked);
});

test('a repository serves by its cached index: the newest version that is here', async () => {
  await run('repo add web URL');
  await run('pull web/blue --version 1.1.0 -d HERE');
  await run('pull web/blue --version 1.0.0 -d HERE');
  expect((await run('show chart web/blue --offline')).stdout).toContain('version: 1.1.0');
  expect((await run('show chart web/blue --version 2.0.0 --offline')).stderr).toBe(missing('web/blue 2.0.0'));
  rmSync(join(folder, 'cache/repository/web-index.yaml'));
  expect((await run('show chart web/blue --offline')).stderr).toBe(missing(`${web.url}/index.yaml`));
  expect((await run('show chart web/blue --repo URL --version 1.0.0 --offline')).stderr).toBe(
    missing(`${web.url} web/blue 1.0.0`),
  );
});

test('repo add and repo update take cached indexes, and tell of all that are missing', async () => {
  await run('repo add web URL');
  rmSync(join(folder, 'config/repositories.yaml'));
  expect((await run('repo add web URL --offline')).code).toBe(0);
  expect((await run('repo add other URL/x --offline')).stderr).toBe(missing(`${web.url}/x/index.yaml`));
  expect(await run('repo update --offline')).toMatchObject({
    code: 0,
    stdout: '...Using the cached index of the "web" chart repository\n',
  });
  write(
    'config/repositories.yaml',
    'repositories:\n- {name: a, url: http://127.0.0.1:1/a}\n- {name: b, url: http://127.0.0.1:1/b}\n',
  );
  const urls = ['http://127.0.0.1:1/a/index.yaml', 'http://127.0.0.1:1/b/index.yaml'];
  expect((await run('repo update --offline')).stderr).toBe(missing(...urls));
});

const dependency = (name: string, version: string, repository: string): string =>
  `- {name: ${name}, version: "${version}", repository: "${repository}"}\n`;

test('dependencies come from the caches; all that is missing is told at once', async () => {
  const oci = `oci://${registry.host}/charts`;
  const head = 'apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n';
  write('parent/Chart.yaml', head + dependency('red', '^1', oci) + dependency('blue', '1.x', web.url));
  await run('repo add web URL');
  expect(await run('dependency update HERE/parent --plain-http')).toMatchObject({ code: 0, stderr: '' });
  const asked = registry.requests.length + web.requests.length;
  for (const subcommand of ['update', 'build']) {
    rmSync(join(folder, 'parent/charts'), { recursive: true });
    expect(await run(`dependency ${subcommand} HERE/parent --offline`)).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(join(folder, 'parent/charts'))).toEqual(['blue-1.1.0.tgz', 'red-1.1.0.tgz']);
  }
  expect(registry.requests.length + web.requests.length).toBe(asked);

  write(
    'more/Chart.yaml',
    head +
      dependency('red', '^2', oci) +
      dependency('blue', '2.0.0', web.url) +
      dependency('green', '1', 'http://127.0.0.1:1'),
  );
  const all = missing(`${oci}/red ^2`, 'http://127.0.0.1:1/index.yaml', `${web.url}/blue-2.0.0.tgz`);
  expect((await run('dependency update HERE/more --offline')).stderr).toBe(all);
  expect(existsSync(join(folder, 'more/Chart.lock'))).toBe(false);
  expect((await run('template HERE/more --dependency-update --offline')).stderr).toBe(all);
  expect((await run('template HERE/more -f URL/v.yaml --dependency-update', { TSHELM_OFFLINE: '1' })).stderr).toBe(
    missing(`${web.url}/v.yaml`) + all.replace('Error: ', ''),
  );
});

test('an archive in charts/ is as good as one in the cache', async () => {
  const yaml = `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n${dependency('blue', '1.x', web.url)}`;
  write('parent/Chart.yaml', yaml);
  await run('dependency update HERE/parent');
  rmSync(join(folder, 'cache/content'), { recursive: true });
  const before = readFileSync(join(folder, 'parent/charts/blue-1.1.0.tgz'));
  expect(await run('dependency update HERE/parent --offline')).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(folder, 'parent/charts/blue-1.1.0.tgz'))).toEqual(before);
});

test('of several charts to pull, those that are here come and the others are named', async () => {
  await run('pull OCI/red:1.0.0 OCI/red:1.1.0 --plain-http -d HERE/made');
  mkdirSync(join(folder, 'out'));
  const { code, stderr } = await run('pull OCI/red:1.0.0 OCI/red:9.0.0 URL/x.tgz OCI/red:1.1.0 -d HERE/out --offline');
  expect([code, stderr]).toEqual([1, missing(`oci://${registry.host}/charts/red:9.0.0`, `${web.url}/x.tgz`)]);
  expect(readdirSync(join(folder, 'out'))).toEqual(['red-1.0.0.tgz', 'red-1.1.0.tgz']);
});

test('a provenance file is here where it was pulled', async () => {
  await run('pull OCI/red:1.0.0 --plain-http --prov -d HERE');
  await run('pull OCI/red:1.1.0 --plain-http -d HERE');
  mkdirSync(join(folder, 'out'));
  expect((await run('pull OCI/red:1.0.0 --prov -d HERE/out --offline')).code).toBe(0);
  expect(readFileSync(join(folder, 'out/red-1.0.0.tgz.prov'), 'utf8')).toBe('of 1.0.0');
  expect((await run('pull OCI/red:1.1.0 --prov -d HERE/out --offline')).stderr).toBe(
    missing(`oci://${registry.host}/charts/red:1.1.0: its provenance file`),
  );
});

test('the versions of a chart in a registry are those that are here', async () => {
  expect((await run('search OCI/red --offline')).stderr).toBe(missing(`oci://${registry.host}/charts/red`));
  await run('pull OCI/red:1.0.0 OCI/red:2.0.0 --plain-http -d HERE');
  const { stdout } = await run('search OCI/red --offline -o json');
  expect(JSON.parse(stdout).map(({ version }: { version: string }) => version)).toEqual(['2.0.0', '1.0.0']);
});
