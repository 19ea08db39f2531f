import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pluginDescription } from '../../src/plugin/description.ts';
import { readPlugin } from '../../src/plugin/metadata.ts';
import { runGetterPlugin, runPluginCompletion, runPluginHook, runPostRendererPlugin } from '../../src/plugin/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-run-'));
const env = { PATH: process.env['PATH'], HELM_NAMESPACE: 'here' };
const write = (name: string, script: string): void =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
beforeAll(() => {
  write('get.sh', 'echo "[$*] $HELM_PLUGIN_NAME $HELM_PLUGIN_USERNAME $HELM_PLUGIN_PASS_CREDENTIALS_ALL"');
  write(
    'render.sh',
    'case "$1" in fail) echo why >&2; exit 3;; empty) exit 0;; early) echo "a: early"; exit 0;; esac; cat',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const plugin = (type: string, more: string) =>
  readPlugin(`apiVersion: v1\nname: p\nversion: 1.0.0\ntype: ${type}\nruntime: subprocess\n${more}`, folder);
const renderer = plugin(
  'postrenderer/v1',
  'runtimeConfig: {platformCommand: [{command: $HELM_PLUGIN_DIR/render.sh}]}\n',
);

test('a post-renderer', async () => {
  const render = (...args: string[]) => runPostRendererPlugin(renderer, 'a: 1\n', { env, args });
  expect(await render()).toBe('a: 1\n');
  await expect(render('fail')).rejects.toThrow(
    'failed to invoke post-renderer plugin "p": plugin "p" exited with error\nwhy',
  );
  await expect(render('empty')).rejects.toThrow('post-renderer "p" produced empty output');
});

test('a post-renderer that ends before it has read everything', async () => {
  const long = 'a: 1\n'.repeat(200_000);
  expect(await runPostRendererPlugin(renderer, long, { env, args: ['early'] })).toBe('a: early\n');
});

test('a getter runs the command of the protocol, below its own folder, with the credentials', async () => {
  const getter = plugin(
    'getter/v1',
    'config: {protocols: [far, half]}\nruntimeConfig: {protocolCommands: [{protocols: [far], platformCommand: [{command: get.sh, args: [$HELM_NAMESPACE]}]}]}\n',
  );
  const request = { url: 'far://x', protocol: 'far', certFile: 'c', username: 'me', passCredentialsAll: true };
  const got = Buffer.from(await runGetterPlugin(getter, request, env)).toString();
  // Helm replaces no variables in a getter's arguments.
  expect(got).toBe('[$HELM_NAMESPACE c   far://x] p me true\n');
  await expect(runGetterPlugin(getter, { url: 'half://x', protocol: 'half' }, env)).rejects.toThrow(
    'no downloader found for protocol "half"',
  );
});

test('hooks: none, one that fails, a program that is not there', async () => {
  const hooked = plugin(
    'cli/v1',
    'runtimeConfig: {platformHooks: {install: [{command: sh, args: [-c, "exit 3"]}], update: [{command: /nowhere/x}]}}\n',
  );
  await runPluginHook(hooked, 'delete', env);
  await expect(runPluginHook(hooked, 'install', env)).rejects.toThrow('plugin install hook for "p" exited with error');
  await expect(runPluginHook(hooked, 'update', env)).rejects.toThrow('fork/exec /nowhere/x: no such file or directory');
});

test('more arguments than the system takes', async () => {
  const many = Array.from({ length: 40 }, () => 'x'.repeat(100_000));
  await expect(runPostRendererPlugin(renderer, 'a: 1\n', { env, args: many })).rejects.toMatchObject({
    code: 'plugin-unusable',
    message: `fork/exec ${folder}/render.sh: argument list too long`,
  });
});

test('completion by a program of the plugin: none, and one that fails', async () => {
  const none = plugin('cli/v1', '');
  expect(await runPluginCompletion(none, { env })).toBeUndefined();
  write('plugin.complete', 'echo "$1"; test "$1" != fail');
  expect(await runPluginCompletion(none, { env, args: ['yes'] })).toBe('yes\n');
  expect(await runPluginCompletion(none, { env, args: ['fail'] })).toBeUndefined();
});

test.each([
  ['postrenderer/v1', '', 'Config: {}'],
  ['getter/v1', 'config: {protocols: [far]}\n', 'Config:\n  Protocols:\n  - far'],
])('the signed description of a %s', (type, more, config) => {
  expect(pluginDescription(plugin(type, more))).toContain(`APIVersion: v1\n${config}\nName: p\n`);
});

test('the description of a getter of Helm 3', () => {
  const old = readPlugin('name: g\ndownloaders: [{command: get.sh, protocols: [s3]}]\n', folder);
  expect(pluginDescription(old)).toContain(
    'ProtocolCommands:\n  - PlatformCommand:\n    - Architecture: ""\n      Args: null\n      Command: get.sh\n      OperatingSystem: ""\n    Protocols:\n    - s3\n',
  );
});
