import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveFiles } from '../source-repo/sides.ts';
import { adminOf } from '../support/namespaces.ts';
import { helm, ok, type Program, type RunOptions, tshelm } from '../support/programs.ts';
import { type Registry, startRegistry } from './registry.ts';

/**
 * A chart of a repository, of a server and of a registry is the same chart as the archive on the disk, in every command
 * that takes one. Helm and tshelm share one home, and each upgrades what the other has installed.
 */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-references-'));
const { namespace, names } = adminOf('references');
const home = {
  HELM_CACHE_HOME: join(folder, 'cache'),
  HELM_CONFIG_HOME: join(folder, 'config'),
  HELM_DATA_HOME: join(folder, 'data'),
};
let web: Awaited<ReturnType<typeof serveFiles>>;
let registry: Registry;
let digest = '';

beforeAll(async () => {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('red/Chart.yaml', 'apiVersion: v2\nname: red\nversion: 0.1.0\n');
  write('red/values.yaml', 'color: red\n');
  write(
    'red/templates/a.yaml',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-a"}\n' +
      'data: {chart: "{{ .Chart.Name }}-{{ .Chart.Version }}", color: "{{ .Values.color }}"}\n',
  );
  write('red/templates/NOTES.txt', 'It is {{ .Values.color }}.\n');
  write('served/values.yaml', 'color: green\n');
  const script = `for version in 0.1.0 0.2.0; do '${helmPath}' package red --version $version -d served; done; '${helmPath}' repo index served`;
  execFileSync('bash', ['-ec', script], { cwd: folder, stdio: 'pipe' });
  web = await serveFiles(join(folder, 'served'));
  registry = await startRegistry(join(folder, 'registry'));
  for (const version of ['0.1.0', '0.2.0']) {
    const archive = join(folder, `served/red-${version}.tgz`);
    const pushed = await ok(helm, ['push', archive, `oci://${registry.host}/charts`, '--plain-http'], { env: home });
    if (version === '0.1.0') digest = /sha256:\S+/.exec(pushed)?.[0] ?? '';
  }
  // As the index of a large public repository: each version is in a registry, with the digest of its archive.
  const archives = readFileSync(join(folder, 'served/index.yaml'), 'utf8');
  write(
    'served/named/index.yaml',
    archives.replaceAll(/- red-([\d.]+)\.tgz/g, `- oci://${registry.host}/charts/red:$1`),
  );
  const chart = { name: 'red', version: '<0.2', repository: `${web.url}/named` };
  write(
    'parent/Chart.yaml',
    JSON.stringify({ apiVersion: 'v2', name: 'parent', version: '1.0.0', dependencies: [chart] }),
  );
  await ok(tshelm, ['repo', 'add', 'web', web.url], { env: home });
}, 120_000);

afterAll(() => {
  web.close();
  registry.stop();
  rmSync(folder, { recursive: true, force: true });
});

const helmPath = join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm');
const archive = `${folder}/served/red-0.1.0.tgz`;

const ways: Readonly<Record<string, { readonly first: string; readonly second: string }>> = {
  'a repository': { first: 'web/red --version 0.1.0', second: 'web/red' },
  'a repository by --repo': { first: 'red --repo URL --version ~0.1.0', second: 'red --repo URL --version >=0.2' },
  'a server': { first: 'URL/red-0.1.0.tgz', second: 'URL/red-0.2.0.tgz' },
  'a repository of a registry': {
    first: 'red --repo URL/named --version 0.1.0 --plain-http',
    second: 'red --repo URL/named --plain-http',
  },
  'a registry': { first: 'OCI/red:0.1.0 --plain-http', second: 'OCI/red --plain-http' },
  'a registry, by range': {
    first: 'OCI/red --version <0.2 --plain-http',
    second: 'OCI/red --version ^0.2 --plain-http',
  },
  'a registry, by digest': { first: 'OCI/red@DIGEST --plain-http', second: 'OCI/red:0.2.0 --plain-http' },
};

async function run(program: Program, line: string, options: RunOptions = {}): Promise<string> {
  const places: Readonly<Record<string, string>> = {
    URL: web.url,
    OCI: `oci://${registry.host}/charts`,
    DIGEST: digest,
  };
  const words = line.split(' ').map((word) => word.replace(/URL|OCI|DIGEST/g, (name) => places[name] ?? name));
  return ok(program, [...words, '-n', namespace], { env: { ...home, ...options.env } });
}

/** Without the clock, and what is told of a pull. */
const plain = (text: string): string =>
  text.replace(/^(LAST DEPLOYED: ).*/m, '$1TIME').replace(/^(?:Pulled|Digest): .*\n/gm, '');

const commands = [
  'show all',
  'template r',
  'template r --set-file color=URL/values.yaml',
  'install r --dry-run=client',
  'install r --dry-run=server',
  'upgrade r --install --dry-run=server -f URL/values.yaml',
  'plan r',
  'plan r -o json -f URL/values.yaml',
  'dag',
  'rehearse r',
  'diff r --install',
  'images',
];

const ofArchive = new Map<string, Promise<string>>();
function expected(command: string): Promise<string> {
  const known = ofArchive.get(command) ?? run(tshelm, `${command} ${archive}`);
  ofArchive.set(command, known);
  return known;
}

describe.each(Object.entries(ways))('%s', (_name, { first }) => {
  test.each(commands)('%s', async (command) => {
    const [asked, fromDisk] = [await run(tshelm, `${command} ${first}`), await expected(command)];
    expect(fromDisk).not.toBe('');
    expect(plain(asked)).toBe(plain(fromDisk));
  });
});

describe.each(Object.entries(ways))('of %s', (name, { first, second }) => {
  const release = name.replaceAll(/\W+/g, '-');
  test('each program upgrades what the other has installed', async () => {
    const told = new Map<string, readonly string[]>();
    for (const [own, [installs, upgrades]] of [
      ['h', [helm, tshelm]],
      ['t', [tshelm, helm]],
    ] as const) {
      const release_ = `${own}-${release}`;
      const texts = [
        await run(installs, `install ${release_} ${first}`),
        await run(upgrades, `upgrade ${release_} ${second} -f URL/values.yaml --wait`),
        await run(installs, `get all ${release_}`),
        await run(upgrades, `history ${release_}`),
      ];
      told.set(
        own,
        texts.map((text) =>
          plain(text)
            .replaceAll(release_, 'RELEASE')
            .replaceAll(/\w{3} \w{3} .\d \d\d:\d\d:\d\d \d{4}/g, 'TIME'),
        ),
      );
    }
    expect(told.get('t')).toEqual(told.get('h'));
    expect(told.get('t')?.[2]).toContain('chart: "red-0.2.0"');
  });
});

test('a dependency whose repository names a registry', async () => {
  const told = [];
  for (const program of [helm, tshelm]) {
    const chart = join(folder, `parent-of-${program.name}`);
    cpSync(join(folder, 'parent'), chart, { recursive: true });
    const cache = ['--content-cache', join(folder, `cache-of-${program.name}`)];
    const text = await ok(program, ['dependency', 'update', chart, '--plain-http', ...cache], { env: home });
    told.push([text, readdirSync(join(chart, 'charts'))]);
  }
  expect(told[1]).toEqual(told[0]);
  expect(told[1]?.[1]).toEqual(['red-0.1.0.tgz']);
});

test('the home is one: an index and archives that either has fetched serve the other without the server', async () => {
  rmSync(join(folder, 'cache'), { recursive: true });
  await run(helm, 'repo update');
  const before = readFileSync(join(folder, 'cache/repository/web-index.yaml'), 'utf8');
  expect(await run(tshelm, 'search repo red --versions')).toBe(await run(helm, 'search repo red --versions'));
  await run(helm, 'template r web/red');
  const rendered = await run(tshelm, 'template r web/red --offline');
  expect(rendered).toContain('red-0.2.0');
  await run(tshelm, 'repo update');
  expect(readFileSync(join(folder, 'cache/repository/web-index.yaml'), 'utf8')).toBe(before);
  expect(await run(helm, 'template r web/red')).toBe(rendered);
});

test('nothing else is in the namespace than what was installed', async () => {
  const expected = Object.keys(ways).flatMap((name) =>
    ['h', 't'].map((own) => `${own}-${name.replaceAll(/\W+/g, '-')}-a`),
  );
  expect((await names('v1', 'ConfigMap')).filter((name) => name !== 'kube-root-ca.crt')).toEqual(expected.sort());
});
