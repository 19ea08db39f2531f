import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

let home = '';
const run = (...words: string[]) =>
  tshelm(words, {
    env: { HOME: home, PATH: process.env['PATH'] ?? '', TOLD: join(home, 'told'), FILES: join(home, 'files') },
  });
const told = (): string => {
  const text = readFileSync(join(home, 'told'), 'utf8');
  rmSync(join(home, 'told'));
  return text;
};

const script = `#!/bin/sh
echo "[$1][$2][$3][$4] $HELM_PLUGIN_USERNAME:$HELM_PLUGIN_PASSWORD $HELM_PLUGIN_NAME" >>$TOLD
cat "$FILES/$(basename "$4")"
`;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'tshelm-getter-'));
  const plugins = join(home, '.local/share/helm/plugins');
  for (const [name, yaml] of [
    [
      'new',
      'apiVersion: v1\nname: new\ntype: getter/v1\nruntime: subprocess\nversion: 1.0.0\nconfig: {protocols: [foo, half]}\n' +
        'runtimeConfig: {protocolCommands: [{protocols: [foo], platformCommand: [{command: get.sh}]}]}\n',
    ],
    ['old', 'name: old\nversion: 1.0.0\ncommand: "true"\ndownloaders: [{command: get.sh, protocols: ["bar+x"]}]\n'],
  ] as const) {
    mkdirSync(join(plugins, name), { recursive: true });
    writeFileSync(join(plugins, name, 'plugin.yaml'), yaml);
    writeFileSync(join(plugins, name, 'get.sh'), script);
    chmodSync(join(plugins, name, 'get.sh'), 0o755);
  }
  const chart = join(home, 'web');
  mkdirSync(join(chart, 'templates'), { recursive: true });
  mkdirSync(join(home, 'files'));
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 0.1.0\n');
  writeFileSync(join(chart, 'templates/a.yaml'), 'v: {{ .Values.v }}\n');
  writeFileSync(join(chart, 'values.yaml'), 'v: 1\n');
  writeFileSync(join(home, 'files/v.yaml'), 'v: fetched\n');
  await run('package', chart, '-d', join(home, 'files'));
  copyFileSync(join(home, 'files/web-0.1.0.tgz'), join(home, 'files/unlisted-0.1.0.tgz'));
  await run('repo', 'index', join(home, 'files'));
});
afterAll(() => rmSync(home, { recursive: true }));

// What Helm v4.3.1 passes to its plugins and prints.
test('a chart by its URL', async () => {
  const { code, stdout } = await run('template', 'x', 'foo://host/unlisted-0.1.0.tgz');
  expect([code, stdout]).toEqual([0, '---\n# Source: web/templates/a.yaml\nv: 1\n']);
  expect(told()).toBe('[][][][foo://host/unlisted-0.1.0.tgz] : new\n');
});

test('a repository, with its credentials, and a chart of it', async () => {
  const added = await run('repo', 'add', 'r', 'foo://host', '--username', 'me', '--password', 'secret');
  expect(added).toEqual({ code: 0, stdout: '"r" has been added to your repositories\n', stderr: '' });
  expect(told()).toBe('[][][][foo://host/index.yaml] me:secret new\n');
  expect((await run('show', 'chart', 'r/web')).stdout).toBe('apiVersion: v2\nname: web\nversion: 0.1.0\n\n');
});

test('values, by a plugin of Helm 3', async () => {
  const words = ['-f', 'bar+x://host/v.yaml', '--set-file', 'w=foo://host/v.yaml'];
  expect((await run('template', 'x', join(home, 'web'), ...words)).stdout).toContain('v: fetched');
  expect(told()).toBe('[][][][bar+x://host/v.yaml] : old\n[][][][foo://host/v.yaml] : new\n');
});

test.each([
  [['-f', 'baz://host/v.yaml'], 'Error: open baz://host/v.yaml: no such file or directory\n'],
  [['-f', 'half://host/v.yaml'], 'Error: plugin "new" failed to invoke: no downloader found for protocol "half"\n'],
  [['-f', 'foo://host/none.yaml'], 'Error: plugin "new" failed to invoke: plugin "new" exited with error\n'],
])('%j', async (words, message) => {
  const { code, stderr } = await run('template', 'x', join(home, 'web'), ...words);
  expect([code, stderr]).toEqual([1, message]);
});

test('a scheme of nobody', async () => {
  expect((await run('repo', 'add', 'q', 'nope://host')).stderr).toBe(
    'Error: could not find protocol handler for: nope\n',
  );
  expect((await run('template', 'x', 'nope://host/web-0.1.0.tgz')).stderr).toBe('Error: scheme "nope" not supported\n');
});

test('--offline asks no plugin', async () => {
  const { stderr } = await run('template', 'x', 'web', '--repo', 'foo://elsewhere', '--offline');
  expect(stderr).toContain('offline');
});

// helm-git packs the chart for the index and again for the archive.
test('a plugin that packs at each fetch never has the digest of the index: its archive is taken, with a warning', async () => {
  const files = join(home, 'files');
  const index = readFileSync(join(files, 'index.yaml'), 'utf8');
  writeFileSync(join(files, 'index.yaml'), index.replace(/digest: \S+/g, `digest: ${'a'.repeat(64)}`));
  await run('repo', 'add', 'packed', 'foo://packed');
  const warning = `level=WARN msg="the plugin downloaded a different archive than the index lists" url=`;
  const shown = await run('show', 'chart', 'packed/web');
  expect([shown.code, shown.stdout]).toEqual([0, 'apiVersion: v2\nname: web\nversion: 0.1.0\n\n']);
  expect(shown.stderr).toContain(warning);
  const parent = join(home, 'parent');
  mkdirSync(parent);
  writeFileSync(
    join(parent, 'Chart.yaml'),
    'apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n- {name: web, version: 0.1.0, repository: "foo://packed"}\n',
  );
  const updated = await run('dependency', 'update', parent);
  expect([updated.code, updated.stderr.includes(warning)]).toEqual([0, true]);
});

test('what untrusted files of a stack name runs no plugin: a repository, a dependency', async () => {
  const of = (name: string, more = '') =>
    `apiVersion: v2\nname: ${name}\nversion: 0.1.0\ndependencies: [{name: web, version: 0.1.0, repository: "${more}"}]\n`;
  rmSync(join(home, 'told'), { force: true });
  mkdirSync(join(home, 'untrusted'));
  writeFileSync(join(home, 'untrusted/Chart.yaml'), of('untrusted', 'foo://host'));
  const release = (chart: string) => `releases: [{name: a, namespace: shop, chart: ${chart}, version: 0.1.0}]\n`;
  for (const [name, text] of Object.entries({
    repository: `repositories: [{name: r, url: "foo://host"}]\n${release('r/web')}`,
    dependency: release('./untrusted'),
  })) {
    const file = join(home, `${name}.yaml`);
    writeFileSync(file, text);
    const { code, stderr } = await run('stack', 'template', '-f', file, '--untrusted');
    expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining('which is refused for untrusted files')]);
    expect(existsSync(join(home, 'told')), name).toBe(false);
  }
});

// The plugin.yaml of helm-s3 0.17 and helm-gcs 0.7: a program that gets its words in the command, or beside it.
describe.each([
  [
    's3',
    'helm-s3',
    `command: "$HELM_PLUGIN_DIR/bin/get"\ndownloaders: [{command: "bin/get download", protocols: [s3]}]\n`,
  ],
  [
    'gs',
    'helm-gcs',
    `command: "$HELM_PLUGIN_DIR/bin/get"\ndownloaders: [{command: "$HELM_PLUGIN_DIR/bin/get", args: [pull], protocols: [gs]}]\n`,
  ],
  [
    'gs',
    'helm-gcs',
    `command: "$HELM_PLUGIN_DIR/bin/get"\ndownloaders: [{command: scripts/pull.sh, protocols: [gs]}]\n`,
  ],
  [
    'gs',
    'helm-gcs',
    `apiVersion: v1\ntype: getter/v1\nruntime: subprocess\nconfig: {protocols: [gs]}\nruntimeConfig: {platformCommand: [{command: "\${HELM_PLUGIN_DIR}/bin/get"}]}\n`,
  ],
])('%s:// by %s (%#)', (scheme, plugin, yaml) => {
  afterAll(() => {
    for (const path of [`.local/share/helm/plugins/${scheme}`, '.config/helm', '.cache/helm'])
      rmSync(join(home, path), { recursive: true });
  });
  beforeAll(() => rmSync(join(home, '.config/helm'), { recursive: true, force: true }));
  const bucket = `${scheme}://bucket/charts`;

  test('without the plugin, the error names it', async () => {
    const hint = `the plugin ${plugin} fetches ${scheme}:// URLs: tshelm plugin install https://github.com/`;
    for (const words of [
      ['repo', 'add', scheme, bucket],
      ['pull', `${bucket}/web-0.1.0.tgz`],
      ['show', 'chart', 'web', '--repo', bucket],
    ])
      expect((await run(...words)).stderr).toContain(hint);
  });

  test('a repository, a pull, a dependency, an install', async () => {
    const folder = join(home, '.local/share/helm/plugins', scheme);
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'plugin.yaml'), `name: ${scheme}\nversion: 0.1.0\n${yaml}`);
    writeFileSync(join(folder, 'bin/get'), '#!/bin/sh\nfor last; do :; done\ncat "$FILES/$(basename "$last")"\n');
    chmodSync(join(folder, 'bin/get'), 0o755);
    mkdirSync(join(folder, 'scripts'));
    copyFileSync(join(folder, 'bin/get'), join(folder, 'scripts/pull.sh'));
    for (const name of ['index.yaml', 'unlisted-0.1.0.tgz']) rmSync(join(home, 'files', name), { force: true });
    await run('repo', 'index', join(home, 'files'), '--url', bucket);
    expect(await run('repo', 'add', scheme, bucket, '--force-update')).toMatchObject({ code: 0 });
    const out = mkdtempSync(join(home, 'out-'));
    expect(await run('pull', `${scheme}/web`, '-d', out)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(out, 'web-0.1.0.tgz'))).toBe(true);
    writeFileSync(
      join(out, 'Chart.yaml'),
      `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n- {name: web, version: 0.1.0, repository: "${bucket}"}\n`,
    );
    expect(await run('dependency', 'update', out)).toMatchObject({ code: 0 });
    expect(existsSync(join(out, 'charts/web-0.1.0.tgz'))).toBe(true);
    const sandbox = ['--sandbox-dir', join(out, 'sandbox')];
    expect(await run('install', 'x', `${scheme}/web`, '--dry-run=client', ...sandbox)).toMatchObject({ code: 0 });
  });
});
