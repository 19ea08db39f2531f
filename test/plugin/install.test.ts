import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installArchive, installDirectory, pluginSource } from '../../src/plugin/install.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-install-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = () => ({ plugins: join(folder, 'plugins'), cache: join(folder, 'cache') });
const yaml = 'name: evil\nversion: 1.0.0\ncommand: "true"\n';

/** Installs an archive of these paths; each has the text of a plugin.yaml. */
const install = (paths: readonly string[], text = yaml) =>
  installArchive(
    {
      folder: 'evil',
      data: new Uint8Array(),
      unpack: async () => paths.map((path) => ({ path, data: Buffer.from(text), mode: 0 })),
    },
    place(),
  );

test.each([
  [['evil/plugin.yaml', 'evil/../../../x'], "path contains '..', which is illegal"],
  [['../evil/plugin.yaml'], "path contains '..', which is illegal"],
  [['evil/plugin.yaml', 'evil\\..\\..\\x'], "path contains '..', which is illegal"],
  [['evil/plugin.yaml', '/tmp/x'], 'path is absolute, which is illegal'],
  [['evil/plugin.yaml', '\\x'], 'path is absolute, which is illegal'],
  [['evil/plugin.yaml', 'evil/c:x'], "path contains ':', which is illegal"],
  [['evil/x'], 'plugin.yaml not found in tarball'],
  [['a/b/plugin.yaml'], 'plugin.yaml not found in tarball'],
  [[], 'plugin.yaml not found in tarball'],
])('an archive of %j leaves nothing behind', async (paths, message) => {
  await expect(install(paths)).rejects.toThrow(message);
  expect(existsSync(place().plugins)).toBe(false);
});

test.each([
  ['name: ../../x\n', 'failed to extract plugin metadata from tarball: invalid plugin name "../../x"'],
  ['name: x\nversion: ../../x\n', 'failed to extract plugin metadata from tarball: invalid plugin version "../../x"'],
  ['apiVersion: v1\nname: w\nversion: 1.0.0\ntype: cli/v1\nruntime: extism/v1\n', 'plugin "w" is WebAssembly'],
])('an archive whose plugin.yaml is %j leaves nothing behind', async (text, message) => {
  await expect(install(['evil/plugin.yaml'], text)).rejects.toThrow(message);
  expect(existsSync(place().plugins)).toBe(false);
});

test('the folder of the plugin.yaml is the plugin; files beside it are left out', async () => {
  await install(['README', './evil/plugin.yaml', './evil/bin/run', 'other/plugin.yaml/x']);
  expect(readdirSync(place().plugins).sort()).toEqual(['evil', 'evil-1.0.0.tgz']);
  expect(readdirSync(join(place().plugins, 'evil'), { recursive: true, encoding: 'utf8' }).sort()).toEqual([
    'bin',
    'bin/run',
    'plugin.yaml',
  ]);
  await expect(install(['evil/plugin.yaml'])).rejects.toThrow('plugin already exists');
});

test('a plugin.yaml at the top counts before one in a folder', async () => {
  await install(['sub/plugin.yaml', 'plugin.yaml', 'run']);
  expect(readdirSync(join(place().plugins, 'evil')).sort()).toEqual(['plugin.yaml', 'run', 'sub']);
});

test('a write that fails leaves nothing behind', async () => {
  await expect(install(['evil/plugin.yaml', 'evil/a', 'evil/a/b'])).rejects.toThrow();
  expect(readdirSync(place().plugins)).toEqual([]);
});

test('a second one of the same name leaves nothing behind, and the error names both', async () => {
  for (const name of ['first', 'second']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'plugin.yaml'), yaml);
  }
  installDirectory(join(folder, 'first'), place());
  const both = [join(folder, 'plugins/first'), join(folder, 'second')].map((path) => JSON.stringify(path));
  const refusal = (): unknown => installDirectory(join(folder, 'second'), place());
  for (const path of both) expect(refusal).toThrow(path);
  await expect(install(['evil/plugin.yaml'])).rejects.toMatchObject({ code: 'duplicate-plugin' });
  expect(readdirSync(place().plugins)).toEqual(['first']);
});

test('a folder', () => {
  const source = join(folder, 'source');
  mkdirSync(source);
  expect(() => installDirectory(source, place())).toThrow('plugin metadata (plugin.yaml) missing');
  writeFileSync(
    join(source, 'plugin.yaml'),
    'apiVersion: v1\nname: w\nversion: 1.0.0\ntype: cli/v1\nruntime: extism/v1\n',
  );
  expect(() => installDirectory(source, place())).toThrow('plugin "w" is WebAssembly');
  expect(existsSync(place().plugins)).toBe(false);
  // As in Helm, what is wrong with a plugin.yaml is told once the link is there, so that it can be mended in its place.
  writeFileSync(join(source, 'plugin.yaml'), 'name: "x y"\n');
  expect(() => installDirectory(source, place())).toThrow('plugin is installed but unusable: failed to load plugin');
  expect(() => installDirectory(join(source, 'plugin.yaml'), place())).toThrow('expected plugin to be a directory');
});

test.each([
  ['oci://host/a', 'oci'],
  ['https://host/a-1.0.0.tgz', 'url'],
  ['http://host/a.tar.gz', 'url'],
  ['https://host/a', 'repository'],
  ['git@host:a/b', 'repository'],
  ['ssh://git@host/a', 'repository'],
])('%s is a source of kind %s', (source, kind) => expect(pluginSource(source).kind).toBe(kind));

test.each([
  ['git+https://jo:secret@host/a?ref=v1', { url: 'https://host/a', ref: 'v1', username: 'jo', password: 'secret' }],
  ['git+ssh://git@host/a', { url: 'ssh://git@host/a' }],
  ['git+file:///a/b', { url: 'file:///a/b' }],
  ['git::git@host:a/b', { url: 'ssh://git@host/a/b' }],
])('%s is a repository of git', (source, found) =>
  expect(pluginSource(source)).toMatchObject({ kind: 'repository', ref: '', username: '', password: '', ...found }),
);

test('a password is no part of the address', () => {
  expect(pluginSource('https://jo:s%40crt@host:1/a/b')).toEqual({
    kind: 'repository',
    url: 'https://host:1/a/b',
    username: 'jo',
    password: 's@crt',
  });
  expect(pluginSource('https://jo@host/a')).toEqual({ kind: 'repository', url: 'https://jo@host/a' });
});

test.each(['git+https://host/a@sub', 'git+ext://host/a', 'git+https:///a', 'git+file://host/a'])(
  '%s is none',
  (source) => expect(() => pluginSource(source)).toThrow(),
);

test.each(['nowhere', './nowhere', '/nowhere.tgz', 'file:///nowhere', '--upload-pack=x', 'ext::sh -c x', 'https://'])(
  '%s is no source',
  (source) => expect(() => pluginSource(source)).toThrow('Cannot detect VCS'),
);

test('what is on this machine', () => {
  mkdirSync(join(folder, 'repository/.git'), { recursive: true });
  writeFileSync(join(folder, 'a.tgz'), '');
  expect(pluginSource(folder).kind).toBe('directory');
  expect(pluginSource(join(folder, 'a.tgz')).kind).toBe('archive');
  expect(pluginSource(`file://${folder}/repository`).kind).toBe('repository');
});
