import { expect, test } from 'vitest';
import { readPlugin } from '../../src/plugin/metadata.ts';

test('a plugin of Helm 3: one command, hooks for the shell, downloaders make it a getter', () => {
  const legacy = readPlugin(
    'name: hi\nversion: 0.2.0\nusage: "says\\thi"\ncommand: "$HELM_PLUGIN_DIR/hi.sh -x"\nhooks: {install: "echo $HOME"}\nuseTunnel: true\n',
    '/p/hi',
  );
  expect(legacy).toMatchObject({
    name: 'hi',
    apiVersion: 'legacy',
    type: 'cli/v1',
    commands: [{ command: '$HELM_PLUGIN_DIR/hi.sh -x', args: [] }],
    hooks: { install: [{ command: 'sh', args: ['-c', 'echo $HOME'] }] },
    expandsHooks: false,
    config: { shortHelp: 'says hi' },
  });
  const getter = readPlugin('name: g\ndownloaders: [{command: get.sh, protocols: [s3, gs]}]\n', '/p/g');
  expect(getter).toMatchObject({ type: 'getter/v1', protocols: [{ protocols: ['s3', 'gs'] }] });
});

test('a plugin of Helm 4', () => {
  const text = `apiVersion: v1
name: post
version: 1.0.0
type: postrenderer/v1
runtime: subprocess
runtimeConfig:
  platformCommand: [{os: linux, arch: amd64, command: run, args: [a]}]
`;
  expect(readPlugin(text, '/p')).toMatchObject({
    type: 'postrenderer/v1',
    runtime: 'subprocess',
    commands: [{ os: 'linux', arch: 'amd64', command: 'run', args: ['a'] }],
    expandsHooks: true,
  });
});

// Helm's words for the same files.
test.each([
  ['name: "x y"', 'invalid plugin name "x y": must contain only a-z, A-Z, 0-9, _ and -'],
  ['name: x\nversion: 1.0', 'invalid plugin version "1": must be valid semver'],
  ['name: x\ncommand: a\nplatformCommand: [{command: b}]', 'both platformCommand and command are set'],
  ['name: x\nhooks: {install: a}\nplatformHooks: {install: [{command: b}]}', 'both platformHooks and hooks are set'],
  ['name: x\ndownloaders: [{protocols: [a]}]', 'downloader 0 has empty command'],
  ['name: x\ndownloaders: [{command: a, protocols: [b, ""]}]', 'downloader 0 has empty protocol at index 1'],
  ['apiVersion: v2\nname: x', 'invalid plugin apiVersion: "v2"'],
  ['apiVersion: v1\nname: x', 'plugin `version` is required'],
  ['apiVersion: v1\nname: x\nversion: 1.0.0', '`type` missing'],
  ['apiVersion: v1\nname: x\nversion: 1.0.0\ntype: cli/v1', '`runtime` missing'],
  ['apiVersion: v1\nname: x\nversion: 1.0.0\ntype: a/v1\nruntime: subprocess', 'unknown plugin type "a/v1"'],
  ['apiVersion: v1\nname: x\nversion: 1.0.0\ntype: cli/v1\nruntime: jvm', 'unsupported plugin runtime type: "jvm"'],
  ['apiVersion: v1\nname: x\nversion: 1.0.0\ntype: getter/v1\nruntime: subprocess', 'getter has no protocols'],
  ['apiVersion: v1\nname: x\nother: 1', 'field other not found in type plugin.MetadataV1'],
])('%j is refused', (text, message) => {
  expect(() => readPlugin(text, '/p')).toThrow(message);
});
