import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKey } from 'openpgp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareText } from '../../../src/support/order.ts';
import { type Registry, startRegistry } from '../source/registry.ts';
import { type Repository, startRepository } from './repository.ts';
import { openSides, type SideName } from './sides.ts';

/** Plugins of each type, from wherever they may come, with Helm and with tshelm: the same words, the same files. */
const sides = openSides();
const { folder, write } = sides;
let registry: Registry;
let web: Repository;

const cli = (version: string): string => `apiVersion: v1
name: hi
version: ${version}
type: cli/v1
runtime: subprocess
sourceURL: https://example.com/hi
config: {usage: "hi [name]", shortHelp: says hi}
runtimeConfig:
  platformCommand:
  - {command: $HELM_PLUGIN_DIR/run.sh, args: [$HELM_NAMESPACE]}
  platformHooks:
    install: [{command: sh, args: [-c, 'echo "installs $HELM_PLUGIN_NAME"']}]
    update: [{command: sh, args: [-c, 'echo updates']}]
    delete: [{command: sh, args: [-c, 'echo deletes']}]
`;
const script = '#!/bin/sh\necho "$HELM_PLUGIN_NAME: $*"\n';

const getter = `apiVersion: v1
name: far
version: 1.0.0
type: getter/v1
runtime: subprocess
config: {protocols: [far]}
runtimeConfig:
  protocolCommands:
  - protocols: [far]
    platformCommand: [{command: get.sh}]
`;

beforeAll(async () => {
  registry = await startRegistry(join(folder, 'registry'));
  web = await startRepository(join(folder, 'web'));
  const keys = await generateKey({ userIDs: [{ name: 'Jo', email: 'jo@example.com' }], format: 'binary' });
  writeFileSync(join(folder, 'secret.gpg'), keys.privateKey);
  writeFileSync(join(folder, 'public.gpg'), keys.publicKey);
  write('src/hi/plugin.yaml', cli('1.0.0'));
  write('src/hi/run.sh', script);
  execFileSync('chmod', ['+x', join(folder, 'src/hi/run.sh')]);
  const signing = ['--key', 'Jo', '--keyring', 'secret.gpg'];
  await sides.call(sides.helm('helm'), ['plugin', 'package', 'src/hi', '-d', 'web', ...signing], 'helm');
  write('bad/hi-1.0.0.tgz.prov', readFileSync(join(folder, 'web/hi-1.0.0.tgz.prov'), 'utf8'));
  writeFileSync(join(folder, 'bad/hi-1.0.0.tgz'), 'not what was signed');
  await pushPlugin('plugins/hi', '1.0.0', ['hi-1.0.0.tgz', 'hi-1.0.0.tgz.prov']);
  await pushPlugin('unsigned/hi', '1.0.0', ['hi-1.0.0.tgz']);
  makeGitRepository();
});
afterAll(async () => {
  registry.stop();
  web.stop();
  await sides.remove();
});

/** Puts a plugin into the registry as ORAS does: a manifest of the plugins' type, and a layer for each file. */
async function pushPlugin(repository: string, tag: string, files: readonly string[]): Promise<void> {
  const base = `http://${registry.host}/v2/${repository}`;
  const put = async (data: Uint8Array, mediaType: string, title?: string) => {
    const digest = `sha256:${createHash('sha256').update(data).digest('hex')}`;
    const started = await fetch(`${base}/blobs/uploads/`, { method: 'POST' });
    const location = new URL(started.headers.get('location') as string, base);
    location.searchParams.set('digest', digest);
    const { status } = await fetch(location, { method: 'PUT', body: Buffer.from(data) });
    expect(status).toBe(201);
    const annotations = title === undefined ? {} : { annotations: { 'org.opencontainers.image.title': title } };
    return { mediaType, digest, size: data.length, ...annotations };
  };
  const layers = [];
  for (const file of files)
    layers.push(await put(readFileSync(join(web.folder, file)), 'application/vnd.oci.image.layer.v1.tar', file));
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    artifactType: 'application/vnd.helm.plugin.v1+json',
    config: await put(Buffer.from('{}'), 'application/vnd.oci.empty.v1+json'),
    layers,
  };
  const headers = { 'content-type': manifest.mediaType };
  const { status } = await fetch(`${base}/manifests/${tag}`, {
    method: 'PUT',
    body: JSON.stringify(manifest),
    headers,
  });
  expect(status).toBe(201);
}

/** Two versions of the plugin, and what is newer than both. */
function makeGitRepository(): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', join(folder, 'git/hi'), ...args], { stdio: 'pipe' });
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
    write('git/hi/plugin.yaml', cli(version));
    write('git/hi/run.sh', script);
    if (version === '1.0.0') {
      execFileSync('chmod', ['+x', join(folder, 'git/hi/run.sh')]);
      git('init', '-q', '-b', 'main');
      git('config', 'user.email', 'jo@example.com');
      git('config', 'user.name', 'jo');
    }
    git('add', '.');
    git('commit', '-qm', version);
    if (version !== '2.0.0') git('tag', `v${version}`);
  }
}

const plugins = (which: SideName): string => join(sides.home(which), 'data/plugins');

/** The plugins' folder, without git's own files: they have the time of the clone. */
const left = (which: SideName): readonly string[] =>
  readdirSync(plugins(which), { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.includes('.git'))
    .sort(compareText);

/** A command line with its exit code; WEB, REGISTRY and FOLDER stand for what each run has of its own. */
type Line = readonly [code: number, line: string];

const filled = (line: string): string[] =>
  line.replaceAll('WEB', web.url).replaceAll('REGISTRY', registry.host).replaceAll('FOLDER', folder).split(' ');

describe.each<[string, readonly Line[]]>([
  [
    'a folder',
    [
      [0, 'plugin install src/hi'],
      [1, 'plugin install src/hi'],
      [0, 'hi you -n other --flag'],
      [1, 'plugin update hi'],
      [0, 'plugin uninstall hi'],
      [1, 'plugin uninstall hi'],
    ],
  ],
  [
    'an archive',
    [
      [0, 'plugin verify web/hi-1.0.0.tgz --keyring public.gpg'],
      [1, 'plugin verify bad/hi-1.0.0.tgz --keyring public.gpg'],
      [1, 'plugin install bad/hi-1.0.0.tgz --keyring public.gpg'],
      [0, 'plugin install web/hi-1.0.0.tgz --keyring public.gpg'],
      [0, 'hi you'],
      [0, 'plugin uninstall hi'],
      [0, 'plugin install web/hi-1.0.0.tgz --verify=false'],
      [1, 'plugin update hi'],
      [0, 'plugin uninstall hi'],
    ],
  ],
  [
    'the web',
    [
      [0, 'plugin install WEB/hi-1.0.0.tgz --keyring public.gpg'],
      [0, 'hi you'],
      [0, 'plugin uninstall hi'],
      [1, 'plugin install WEB/none-1.0.0.tgz --keyring public.gpg'],
    ],
  ],
  [
    'a registry',
    [
      [0, 'plugin install oci://REGISTRY/plugins/hi:1.0.0 --plain-http --keyring public.gpg'],
      [0, 'hi you'],
      [0, 'plugin uninstall hi'],
      [1, 'plugin install oci://REGISTRY/unsigned/hi:1.0.0 --plain-http --keyring public.gpg'],
      [0, 'plugin install oci://REGISTRY/unsigned/hi:1.0.0 --plain-http --verify=false'],
      [0, 'plugin uninstall hi'],
      [1, 'plugin install oci://REGISTRY/plugins/hi:9.9.9 --plain-http --verify=false'],
      [1, 'plugin install oci://REGISTRY/none/hi:1.0.0 --plain-http --verify=false'],
    ],
  ],
  [
    'a repository of git',
    [
      [1, 'plugin install file://FOLDER/git/hi'],
      // First, since Helm installs again what its cache was brought to.
      [0, 'plugin install file://FOLDER/git/hi --verify=false'],
      [0, 'plugin update hi'],
      [0, 'plugin uninstall hi'],
      [0, 'plugin install file://FOLDER/git/hi --verify=false --version ~1'],
      [0, 'hi you'],
      [0, 'plugin uninstall hi'],
      [1, 'plugin install file://FOLDER/git/hi --verify=false --version 3.0.0'],
      [0, 'plugin install file://FOLDER/git/hi --verify=false --version v1.0.0'],
      [0, 'plugin uninstall hi'],
    ],
  ],
])('a plugin from %s', (_origin, lines) => {
  test.each(lines)('%i: helm %s', async (code, line) => {
    const ran = await sides.bothHelms(() => filled(line));
    expect(ran.code, ran.stderr).toBe(code);
    const versions = (which: SideName) =>
      left(which)
        .filter((path) => path.endsWith('plugin.yaml'))
        .map((path) => readFileSync(join(plugins(which), path), 'utf8'));
    expect([left('tshelm'), versions('tshelm')]).toEqual([left('helm'), versions('helm')]);
  });
});

test('a getter fetches a chart and its values', async () => {
  for (const which of ['helm', 'tshelm'] as const) {
    const own = `homes/${which}/data/plugins/far`;
    write(`${own}/plugin.yaml`, getter);
    write(`${own}/get.sh`, `#!/bin/sh\necho "$4 for $HELM_PLUGIN_NAME" >&2\ncat "${folder}/far/$(basename "$4")"\n`);
    execFileSync('chmod', ['+x', join(folder, own, 'get.sh')]);
  }
  write('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 0.1.0\n');
  write('chart/templates/a.yaml', 'v: {{ .Values.v }}\n');
  write('far/values.yaml', 'v: far\n');
  await sides.call(sides.helm('helm'), ['package', 'chart', '-d', 'far'], 'helm');
  const words = ['template', 'x', 'far://host/chart-0.1.0.tgz', '-f', 'far://host/values.yaml'];
  expect((await sides.bothHelms(() => words)).stdout).toContain('v: far');
});
