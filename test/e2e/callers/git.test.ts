import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installRepository, pluginSource, type RepositorySource, updatePlugin } from '../../../src/plugin/install.ts';
import { startGitServer } from '../support/git-server.ts';

/** Plugins from a repository, by the program git. */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-git-'));
const origin = join(folder, 'hi');
const url = `file://${origin}`;
const git = (...args: string[]) => execFileSync('git', ['-C', origin, ...args], { stdio: 'pipe' });

function commit(version: string): void {
  writeFileSync(join(origin, 'plugin.yaml'), `name: hi\nversion: ${version}\ncommand: "true"\n`);
  git('add', '.');
  git('commit', '-qm', version);
}

beforeAll(() => {
  mkdirSync(origin);
  git('init', '-q', '-b', 'trunk');
  git('config', 'user.email', 'jo@example.com');
  git('config', 'user.name', 'jo');
  for (const version of ['1.0.0', '1.2.0', '1.10.0', '2.0.0']) {
    commit(version);
    git('tag', `v${version}`);
  }
  git('tag', 'not-a-version');
  git('branch', 'side', 'v1.2.0');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One cache for all; each installation gets plugins of its own. */
const install = (version: string, from = url) =>
  installRepository(pluginSource(from) as RepositorySource, version, {
    plugins: mkdtempSync(join(folder, 'plugins-')),
    cache: join(folder, 'cache'),
  });

test.each([
  ['', '2.0.0'],
  ['v1.0.0', '1.0.0'],
  // Behind a version that was checked out, the newest is found again.
  ['', '2.0.0'],
  ['~1', '1.10.0'],
  ['<1.5.0', '1.2.0'],
  ['^1.0.0', '1.10.0'],
])('version %j is %s', async (wanted, version) => expect((await install(wanted)).version).toBe(version));

test.each([
  ['git+file://ORIGIN', '2.0.0'],
  ['git+file://ORIGIN?ref=v1.2.0', '1.2.0'],
  ['git::file://ORIGIN?ref=side', '1.2.0'],
])('a plugin is named as charts in git are: %s', async (source, version) =>
  expect((await install('', source.replace('ORIGIN', origin))).version).toBe(version),
);

test.each(['git+', ''])('a password of the address is not kept with the plugin: %shttp', async (prefix) => {
  const server = await startGitServer(folder, { name: 'jo', password: 'CANARY-1' });
  try {
    const plugin = await install('v1.2.0', `${prefix}http://jo:CANARY-1@${server.host}/hi/.git`);
    expect(plugin.version).toBe('1.2.0');
    const config = readFileSync(join(plugin.directory, '.git/config'), 'utf8');
    expect(config).toContain(server.host);
    expect(config).not.toContain('CANARY');
    await expect(install('', `${prefix}http://jo:CANARY-2@${server.host}/hi/./.git`)).rejects.toThrow();
  } finally {
    server.close();
  }
});

test('a branch is one of the server, as it is now', async () => {
  expect((await install('side')).version).toBe('1.2.0');
  git('branch', '-f', 'side', 'v1.10.0');
  expect((await install('side')).version).toBe('1.10.0');
});

test('a commit is a version, too', async () => {
  expect((await install(git('rev-parse', 'v1.2.0').toString().trim())).version).toBe('1.2.0');
});

test.each([
  ['9.9.9', `requested version "9.9.9" does not exist for plugin "${url}"`],
  ['no such thing', 'improper constraint'],
  ['--output=x', 'improper constraint'],
])('version %j is none', async (wanted, message) => {
  await expect(install(wanted)).rejects.toThrow(message);
});

test('an update brings what is new; a folder that was changed is left alone', async () => {
  const plugin = await install('');
  commit('3.0.0');
  expect((await updatePlugin(plugin, undefined)).version).toBe('3.0.0');
  writeFileSync(join(plugin.directory, 'mine'), '');
  await expect(updatePlugin(plugin, undefined)).rejects.toThrow('plugin repo was modified');
});

test('what is no plugin, and what is not there', async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  execFileSync('git', ['-C', empty, 'init', '-q', '-b', 'trunk']);
  writeFileSync(join(empty, 'README'), '');
  execFileSync('git', ['-C', empty, 'add', '.']);
  const author = ['-c', 'user.email=jo@example.com', '-c', 'user.name=jo'];
  execFileSync('git', ['-C', empty, ...author, 'commit', '-qm', 'one']);
  await expect(install('', `file://${empty}`)).rejects.toThrow('plugin metadata (plugin.yaml) missing');
  await expect(install('', `git+file://${folder}/nowhere`)).rejects.toThrow('does not appear to be a git repository');
});

test('a plugin that is there already stays', async () => {
  const plugins = mkdtempSync(join(folder, 'plugins-'));
  const place = { plugins, cache: join(folder, 'cache') };
  const { directory } = await installRepository({ kind: 'repository', url }, 'v1.0.0', place);
  await expect(installRepository({ kind: 'repository', url }, '', place)).rejects.toThrow('plugin already exists');
  expect(readFileSync(join(directory, 'plugin.yaml'), 'utf8')).toContain('1.0.0');
});
