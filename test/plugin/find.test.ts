import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPlugins, loadPlugin } from '../../src/plugin/find.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-find-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, 'plugin.yaml'), text);
}

function found(folders = folder, query = {}): { readonly names: string[]; readonly broken: string[] } {
  const broken: string[] = [];
  const plugins = findPlugins(folders, query, (file, problem) =>
    broken.push(`${file.slice(folder.length)} ${problem}`),
  );
  return { names: plugins.map(({ name }) => name), broken };
}

test('one that cannot be read takes no other with it', () => {
  write('good', 'name: good\n');
  write('list', '- a\n');
  mkdirSync(join(folder, 'dir/plugin.yaml'), { recursive: true });
  symlinkSync('/nowhere', join(folder, 'dangling'));
  mkdirSync(join(folder, 'gone'));
  symlinkSync('/nowhere', join(folder, 'gone/plugin.yaml'));
  writeFileSync(join(folder, 'a-file'), '');
  mkdirSync(join(folder, 'nothing'));
  const { names, broken } = found();
  expect(names).toEqual(['good']);
  expect(broken.map((one) => one.replaceAll(folder, ''))).toEqual([
    '/dir/plugin.yaml failed to read plugin at "/dir/plugin.yaml": read /dir/plugin.yaml: is a directory',
    '/gone/plugin.yaml failed to read plugin at "/gone/plugin.yaml": open /gone/plugin.yaml: no such file or directory',
    '/list/plugin.yaml failed to load plugin "/list": failed to peek plugin.yaml API version: yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into plugin.apiVersion',
  ]);
});

test('several folders, by name and type', () => {
  write('one/a', 'name: a\n');
  write('two/b', 'name: b\ndownloaders: [{command: x, protocols: [y]}]\n');
  const both = ['one', '', 'two', 'none'].map((name) => (name === '' ? '' : join(folder, name))).join(delimiter);
  expect(found(both).names).toEqual(['a', 'b']);
  expect(found(both, { type: 'getter/v1' }).names).toEqual(['b']);
  expect(found(both, { name: 'a', type: 'getter/v1' }).names).toEqual([]);
});

test('one of Helm 3 with a command and downloaders is of both types', () => {
  write('both', 'name: both\ncommand: run\ndownloaders: [{command: get, protocols: [x]}]\n');
  write('getter', 'name: getter\ndownloaders: [{command: get, protocols: [y]}]\n');
  write(
    'new',
    'apiVersion: v1\nname: new\nversion: 1.0.0\ntype: getter/v1\nruntime: subprocess\nconfig: {protocols: [z]}\nruntimeConfig: {platformCommand: [{command: run}]}\n',
  );
  expect(found(folder, { type: 'cli/v1' }).names).toEqual(['both']);
  expect(found(folder, { type: 'getter/v1' }).names).toEqual(['both', 'getter', 'new']);
});

test('two of one name', () => {
  write('a', 'name: same\n');
  write('b', 'name: same\n');
  expect(() => found()).toThrow(
    `two plugins claim the name "same" at ${JSON.stringify(join(folder, 'a'))} and ${JSON.stringify(join(folder, 'b'))}`,
  );
});

test('a folder without a plugin.yaml', () => {
  expect(() => loadPlugin(folder)).toThrow(
    `failed to read plugin at ${JSON.stringify(join(folder, 'plugin.yaml'))}: open `,
  );
});
