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

test('a key that is there twice', () => {
  expect(() => readPlugin('name: hi\nhooks: {}\nhooks: {}\n', '/p/hi')).toThrow(
    'failed to peek plugin.yaml API version: yaml: unmarshal errors:\n  line 3: mapping key "hooks" already defined at line 2',
  );
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
    // Helm leaves the arguments of a hook as they are: a shell that is one replaces its own variables.
    expandsHooks: false,
  });
});

test('numbers and booleans are the text that stands there; nothing is empty', () => {
  const plugin = readPlugin('name: 5\nversion: 1.2.3\nusage:\ncommand: true\nignoreFlags: true\n', '/p');
  expect(plugin).toMatchObject({ name: '5', config: { shortHelp: '', ignoreFlags: true } });
  expect(plugin.commands).toEqual([{ command: 'true', args: [] }]);
});

test('anchors and merged mappings', () => {
  const text = 'a: &a {command: run}\nname: x\nplatformCommand: [*a, {<<: *a, os: linux}]\n';
  const all = { arch: '', args: [], command: 'run' };
  expect(readPlugin(text, '/p').commands).toEqual([
    { ...all, os: '' },
    { ...all, os: 'linux' },
  ]);
});

test('aliases that would unfold to a billion words', () => {
  const lines = ['a0: &a0 [x]', ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`)];
  expect(readPlugin([...lines, 'name: x'].join('\n'), '/p').name).toBe('x');
});

// Helm's words for the same files.
test.each([
  ['name: "x y"', 'invalid plugin name "x y": must contain only a-z, A-Z, 0-9, _ and -'],
  ['name: x\nversion: 1.0', 'invalid plugin version "1.0": must be valid semver'],
  [
    '- a',
    'failed to peek plugin.yaml API version: yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into plugin.apiVersion',
  ],
  ['', 'failed to peek plugin.yaml API version: EOF'],
  [
    'name: x\n\tbad: 1',
    'failed to peek plugin.yaml API version: yaml: line 2: found a tab character that violates indentation',
  ],
  ['apiVersion: [v1]', 'line 1: cannot unmarshal !!seq into string'],
  [
    'name: [a]\nversion: {b: c}\nignoreFlags: maybe\nplatformCommand: x',
    'yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into string\n  line 2: cannot unmarshal !!map into string\n  line 3: cannot unmarshal !!str `maybe` into bool\n  line 4: cannot unmarshal !!str `x` into []plugin.PlatformCommand',
  ],
  ['name: x\nhooks: {install: [a]}', 'line 2: cannot unmarshal !!seq into string'],
  ['name: x\ndownloaders: [a]', 'line 2: cannot unmarshal !!str `a` into plugin.Downloaders'],
  [
    'apiVersion: v1\nname: x\nfoo: 1\nbar:\n  - 2',
    'yaml: unmarshal errors:\n  line 3: field foo not found in type plugin.MetadataV1\n  line 4: field bar not found in type plugin.MetadataV1',
  ],
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
