import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tshelm-plugin-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  tshelm(words, {
    env: { HOME: home, PATH: process.env['PATH'] ?? '', OUT: join(home, 'out'), KUBECONFIG: '/dev/null', ...env },
  });
const told = (): string => (existsSync(join(home, 'out')) ? readFileSync(join(home, 'out'), 'utf8') : '');

function writePlugin(name: string, yaml: string, script: string): string {
  const folder = join(home, 'src', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plugin.yaml'), yaml);
  writeFileSync(join(folder, 'run.sh'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'run.sh'), 0o755);
  return folder;
}

const header = 'NAME	VERSION	TYPE  	APIVERSION	PROVENANCE	SOURCE \n';
const hooks = 'hooks: {install: "echo installed $HELM_PLUGIN_NAME >>$OUT", delete: "echo deleted >>$OUT"}';

test('install, list, run and uninstall a plugin of Helm 3', async () => {
  const yaml = `name: hi\nversion: 0.2.0\ncommand: "$HELM_PLUGIN_DIR/run.sh first"\n${hooks}\n`;
  const folder = writePlugin('hi', yaml, 'echo "$* in $HELM_NAMESPACE, debug $HELM_DEBUG" >>$OUT; exit 7');
  expect(await run(['plugin', 'install', folder])).toEqual({
    code: 0,
    stdout: 'Installing plugin from local directory (development mode)\nInstalled plugin: hi\n',
    stderr: '',
  });
  expect((await run(['plugin', 'install', folder])).stderr).toBe('Error: plugin already exists\n');
  const { stdout } = await run(['plugin', 'list']);
  expect(stdout).toBe(
    `${header}hi  	0.2.0  	cli/v1	legacy    	local dev 	unknown\ndiff	3.15.11	cli/v1	legacy    	built in  	unknown\n`,
  );
  const failed = await run(['-n', 'one', 'hi', '--flag', 'x', '--debug', '--namespace=two', '--', '-y']);
  expect(failed).toEqual({ code: 7, stdout: '', stderr: 'Error: plugin "hi" exited with error\n' });
  expect((await run(['plugin', 'uninstall', 'hi'])).stdout).toBe('Uninstalled plugin: hi\n');
  expect(told()).toBe('installed hi\nfirst --flag x -- -y in two, debug true\ndeleted\n');
  expect((await run(['hi'])).stderr).toContain('unknown command "hi"');
});

test('a flag of Helm among the words of a plugin needs its argument; help tells of the plugin', async () => {
  const folder = writePlugin('hi', 'name: hi\nusage: says hi\ndescription: long words\ncommand: nosuchprogram\n', '');
  await run(['plugin', 'install', folder]);
  expect((await run(['hi', '--namespace'])).stderr).toBe('Error: flag needs an argument: --namespace\n');
  expect((await run(['hi', '-n'])).stderr).toBe("Error: flag needs an argument: 'n' in -n\n");
  expect((await run(['help', 'hi'])).stdout).toBe('long words\n\nUsage:  tshelm hi [flags]\n');
  expect((await run(['hi'])).stderr).toBe('Error: exec: "nosuchprogram": executable file not found in $PATH\n');
});

test('HELM_NO_PLUGINS=1 leaves all plugins out; help lists their commands', async () => {
  const folder = writePlugin('greet', 'name: greet\nusage: says hello\ncommand: "true"\n', '');
  await run(['plugin', 'install', folder]);
  expect((await run(['--help'])).stdout).toMatch(/ greet +says hello\n/);
  expect((await run(['--help'], { HELM_NO_PLUGINS: '1' })).stdout).not.toContain('greet');
  expect((await run(['greet'], { HELM_NO_PLUGINS: '1' })).stderr).toContain('unknown command "greet"');
});

test('a plugin that cannot be read is told of and left out', async () => {
  const plugins = join(home, 'plugins');
  mkdirSync(join(plugins, 'bad'), { recursive: true });
  writeFileSync(join(plugins, 'bad', 'plugin.yaml'), 'name: "x y"\n');
  const { code, stderr } = await run(['plugin', 'list'], { HELM_PLUGINS: plugins });
  expect(code).toBe(0);
  expect(stderr).toContain('level=WARN msg="failed to load plugin (ignoring)" plugin_yaml=');
});

const wasm = 'apiVersion: v1\nname: w\nversion: 1.0.0\ntype: cli/v1\nruntime: extism/v1\n';

test('WebAssembly is refused with a word', async () => {
  const message = 'plugin "w" is WebAssembly (runtime extism/v1), which tshelm cannot run';
  const folder = writePlugin('w', wasm, '');
  const installed = await run(['plugin', 'install', folder]);
  expect([installed.code, installed.stderr.includes(message)]).toEqual([1, true]);
  // One that Helm has installed.
  const { code, stderr } = await run(['w'], { HELM_PLUGINS: join(folder, '..') });
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

const chart = join(import.meta.dirname, '../../fixtures/manifest-diff/chart');
const post = `apiVersion: v1
name: mark
version: 1.0.0
type: postrenderer/v1
runtime: subprocess
runtimeConfig: {platformCommand: [{command: $HELM_PLUGIN_DIR/run.sh}]}
`;

test('--post-renderer takes the name of a plugin and an executable', async () => {
  const folder = writePlugin('mark', post, 'sed "s/image: one/image: $1/"');
  await run(['plugin', 'install', folder]);
  const words = ['template', 'x', chart, '--post-renderer-args', 'marked', '--post-renderer'];
  const byName = await run([...words, 'mark']);
  expect(byName.stdout).toContain('image: marked');
  expect((await run([...words, join(folder, 'run.sh')])).stdout).toBe(byName.stdout);
  expect((await run([...words, 'nosuch'])).stderr).toBe(
    'Error: invalid argument "nosuch" for "--post-renderer" flag: plugin: {Name:nosuch Type:postrenderer/v1} not found, and there is no executable of that name\n',
  );
});

test('helm-diff is built in: its installation leaves the file that helmfile looks for', async () => {
  const words = ['plugin', 'install', 'https://github.com/databus23/helm-diff', '--version', 'v3.15.0'];
  expect((await run(words)).stdout).toBe('Installed plugin: diff\n');
  expect((await run(['plugin', 'list'])).stdout).toBe(
    `${header}diff	3.15.11	cli/v1	legacy    	unsigned  	unknown\n`,
  );
});

test.each([
  [['plugin', 'uninstall', 'no'], 'Error: plugin: no not found\n'],
  [['plugin', 'update'], 'Error: please provide plugin name to update\n'],
  [
    ['plugin', 'install', 'file:///nowhere'],
    'Error: cannot get information about plugin source "file:///nowhere" (if it\'s a local directory, does it exist?), last error was: Cannot detect VCS\n',
  ],
  [
    ['plugin', 'install', 'https://a.invalid/b'],
    'Error: plugin source does not support verification. Use --verify=false to skip verification\n',
  ],
  [
    ['plugin', 'install', 'oci://a.invalid/b'],
    'Error: failed to get verification data: failed to pull plugin from oci://a.invalid/b: ',
  ],
])('%j', async (words, message) => {
  const { code, stderr } = await run(words);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test('an all-in-one plugin of Helm 3, as helm-secrets is one, is a command and fetches values', async () => {
  const script = `echo "$#: $1 $4$5" >>$OUT
case "$1" in downloader) echo 'v: fetched' ;; esac`;
  const yaml = `name: all
version: 1.0.0
platformCommand:
  - {os: windows, command: cmd.exe}
  - command: $HELM_PLUGIN_DIR/run.sh
downloaders:
  - command: run.sh downloader
    protocols: [all, all+literal]
`;
  const chart = join(home, 'web');
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
  writeFileSync(join(chart, 'templates/a.yaml'), 'kind: A\nv: {{ .Values.v }}\n');
  await run(['plugin', 'install', writePlugin('all', yaml, script)]);
  expect((await run(['all', 'dir', 'x'])).code).toBe(0);
  const { stdout } = await run(['template', 'x', chart, '-f', 'all+literal://a b']);
  expect(stdout).toContain('v: fetched');
  // Behind the word of the plugin itself: certificate, key, CA, URL.
  expect(told()).toBe('2: dir \n5: downloader all+literal://a b\n');
});

test('two plugins of one name: commands that only list plugins log it and go on, as in Helm', async () => {
  const yaml = 'name: same\nversion: 0.2.0\ncommand: "true"\n';
  const both = { HELM_PLUGINS: join(home, 'both') };
  expect((await run(['plugin', 'install', writePlugin('one', yaml, '')], both)).code).toBe(0);
  const second = writePlugin('two', yaml, '');
  expect(await run(['plugin', 'install', second], both)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(second),
  });
  symlinkSync(second, join(both.HELM_PLUGINS, 'two'));
  const logged = /^level=ERROR msg="failed to load plugins" error="two plugins claim the name \\"same\\" at /;
  for (const [words, stdout] of [
    [['__complete', 'sa'], 'sandbox\trun the embedded sandbox cluster as a server\n:4\n'],
    [['__complete', 'plugin', 'uninstall', ''], ':4\n'],
    [['--help'], expect.stringContaining('Usage: ')],
  ]) {
    const ran = await run(words, both);
    expect(ran).toMatchObject({ code: 0, stdout, stderr: expect.stringMatching(logged) });
  }
  expect((await run(['plugin', 'list'], both)).stderr).toMatch(/^Error: two plugins claim the name "same" at /);
});
