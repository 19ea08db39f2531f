import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadChart } from '../../../src/chart/load.ts';
import { buildDependencies, lockDigest, updateDependencies } from '../../../src/source/dependency/manager.ts';
import type { DependencyTools } from '../../../src/source/dependency/tools.ts';
import { HttpClient } from '../../../src/source/http/client.ts';
import { chartArchive } from '../../../src/source/package/archive-writer.ts';
import { digestOf } from '../../../src/source/provenance/message.ts';
import { plainEntry, writeRepositories } from '../../../src/source/repository/repositories.ts';
import { serve } from '../http/server.ts';

let folder: string;
let http: HttpClient;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-'));
  http = new HttpClient({ env: {} });
});
afterEach(() => {
  http.close();
  rmSync(folder, { recursive: true });
});

const write = (path: string, text: string | Uint8Array): string => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
};

const now = new Date('2024-01-01T00:00:00Z');
const tools = (more: Partial<DependencyTools> = {}): DependencyTools => ({
  paths: {
    repositoryConfig: join(folder, 'repositories.yaml'),
    repositoryCache: join(folder, 'cache'),
    contentCache: join(folder, 'content'),
    cacheHome: folder,
  },
  http,
  sources: async () => {
    throw new Error('no registries here');
  },
  verifying: 'never',
  trust: {},
  skipRefresh: false,
  epoch: now,
  now: () => now,
  onEvent: () => undefined,
  ...more,
});

/** A repository with charts of these names, version 1.0.0, that the user has added as `web`. */
async function openRepository(names: readonly string[], { missing = [] as readonly string[] } = {}) {
  const files = new Map<string, Uint8Array>();
  for (const name of names) {
    write(`made/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);
    files.set(`/${name}-1.0.0.tgz`, await chartArchive(await loadChart(join(folder, 'made', name)), now));
  }
  const entries = names.map((name) => {
    const digest = digestOf(files.get(`/${name}-1.0.0.tgz`) as Uint8Array).slice('sha256:'.length);
    return `  ${name}:\n  - name: ${name}\n    version: 1.0.0\n    digest: ${digest}\n    urls: [${name}-1.0.0.tgz]\n`;
  });
  files.set('/index.yaml', Buffer.from(`apiVersion: v1\nentries:\n${entries.join('')}`));
  for (const name of missing) files.delete(`/${name}-1.0.0.tgz`);
  const server = await serve((request, response) => {
    const file = files.get(request.url ?? '');
    if (file === undefined) response.writeHead(404);
    response.end(file);
  });
  const file = { apiVersion: '', generated: '0001-01-01T00:00:00Z', repositories: [plainEntry('web', server.url)] };
  writeRepositories(join(folder, 'repositories.yaml'), file);
  return server;
}

const chartYaml = (dependencies: readonly string[]): string =>
  `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n${dependencies.map((one) => `- ${one}\n`).join('')}`;
const fromWeb = (name: string): string => `{name: ${name}, version: 1.x.x, repository: "@web"}`;
const charts = (): string[] => readdirSync(join(folder, 'parent/charts')).sort();

test("the lock's digest is Helm's", () => {
  // Chart.lock of `helm dependency build` for the same dependencies.
  const url = 'http://127.0.0.1:27210';
  const wanted = [
    { name: 'a', version: '^0.1.0', repository: url },
    {
      name: 'b',
      version: '>=0.1.0 <1',
      repository: url,
      // `[x, y]` in Chart.yaml: YAML 1.1 takes y for true.
      tags: ['x', 'true'],
      importValues: [
        'data',
        new Map([
          ['child', 'a.b'],
          ['parent', 'c'],
        ]),
      ],
      alias: 'bee',
    },
    { name: 'a', version: '0.2.0', repository: url, alias: 'a2' },
    { name: 'l', version: '*', repository: 'file://local' },
  ];
  const locked = [
    { name: 'a', version: '0.1.0', repository: url },
    { name: 'b', version: '0.2.0', repository: url },
    { name: 'a', version: '0.2.0', repository: url },
    { name: 'l', version: '3.2.1', repository: 'file://local' },
  ];
  expect(lockDigest(wanted, locked)).toBe('sha256:b8235efa84dc7360d7d20ae5aa080f3ac01e9cdcbd7bef5352d45ed5554aba74');
});

describe('update', () => {
  test('fetches the newest versions, writes the lock, and takes out other versions', async () => {
    await openRepository(['red', 'blue']);
    const path = dirname(write('parent/Chart.yaml', chartYaml([fromWeb('red'), fromWeb('blue')])));
    write('parent/charts/_notes', 'stays');
    const old = { ...(await loadChart(join(folder, 'made/red'))) };
    write(
      'parent/charts/red-0.9.0.tgz',
      await chartArchive({ ...old, metadata: { ...old.metadata, version: '0.9.0' } }, now),
    );
    await updateDependencies(path, tools());
    expect(charts()).toEqual(['_notes', 'blue-1.0.0.tgz', 'red-1.0.0.tgz']);
    expect(readFileSync(join(path, 'Chart.lock'), 'utf8')).toMatch(
      /- name: red\n {2}repository: http.*\n {2}version: 1\.0\.0\n/,
    );
    await buildDependencies(path, tools());
  });

  test('that fails for one leaves charts/ and the lock as they were', async () => {
    await openRepository(['red', 'blue'], { missing: ['blue'] });
    const path = dirname(write('parent/Chart.yaml', chartYaml([fromWeb('red'), fromWeb('blue')])));
    const old = await loadChart(join(folder, 'made/blue'));
    write(
      'parent/charts/blue-0.1.0.tgz',
      await chartArchive({ ...old, metadata: { ...old.metadata, version: '0.1.0' } }, now),
    );
    await expect(updateDependencies(path, tools())).rejects.toThrow(/could not download .*blue-1\.0\.0\.tgz: .*404/);
    expect(charts()).toEqual(['blue-0.1.0.tgz']);
    expect(existsSync(join(path, 'Chart.lock'))).toBe(false);
  });

  test('does the charts inside first, when it is recursive', async () => {
    await openRepository(['red']);
    const path = dirname(
      write('parent/Chart.yaml', chartYaml(['{name: near, version: "*", repository: "file://../near"}'])),
    );
    write('near/Chart.yaml', chartYaml([fromWeb('red')]).replace('parent', 'near'));
    await updateDependencies(path, tools(), { recursive: true });
    const { dependencies } = await loadChart(path);
    expect(dependencies.map((near) => near.dependencies.map(({ metadata }) => metadata.name))).toEqual([['red']]);
  });

  test('takes a chart that names no repository as it lies in charts/', async () => {
    await openRepository(['red']);
    const inner = (version: string): string => `{name: inner, version: "${version}"}`;
    const path = dirname(write('parent/Chart.yaml', chartYaml([fromWeb('red'), inner('2.x')])));
    await expect(updateDependencies(path, tools())).rejects.toThrow(/charts\/inner not found$/);
    write('parent/charts/inner/Chart.yaml', 'apiVersion: v2\nname: inner\nversion: 2.1.0\n');
    await updateDependencies(path, tools());
    expect(charts()).toEqual(['inner', 'red-1.0.0.tgz']);
    write('parent/Chart.yaml', chartYaml([fromWeb('red'), inner('3.x')]));
    await expect(updateDependencies(path, tools())).rejects.toThrow(
      'dependency inner at version 2.1.0 does not satisfy the constraint 3.x',
    );
    expect(charts()).toEqual(['inner', 'red-1.0.0.tgz']);
  });

  test('writes no lock through a link', async () => {
    await openRepository(['red']);
    const path = dirname(write('parent/Chart.yaml', chartYaml([fromWeb('red')])));
    symlinkSync(write('mine', 'mine'), join(path, 'Chart.lock'));
    await expect(updateDependencies(path, tools())).rejects.toThrow(/./);
    expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine');
  });

  test('needs a charts/ that is a folder', async () => {
    await openRepository(['red']);
    const path = dirname(write('parent/Chart.yaml', chartYaml([fromWeb('red')])));
    write('parent/charts', 'a file');
    await expect(updateDependencies(path, tools())).rejects.toThrow(`"${join(path, 'charts')}" is not a directory`);
  });

  test('of charts that depend on each other ends', async () => {
    const dependency = (name: string): string => `{name: ${name}, version: "*", repository: "file://../${name}"}`;
    const path = dirname(write('parent/Chart.yaml', chartYaml([dependency('near')])));
    write('near/Chart.yaml', chartYaml([dependency('parent')]).replace('name: parent\nversion', 'name: near\nversion'));
    await expect(updateDependencies(path, tools(), { recursive: true })).rejects.toThrow('charts depend on each other');
  });
});

describe('build', () => {
  test('fetches nothing that the content cache holds', async () => {
    const server = await openRepository(['red', 'blue']);
    const path = dirname(write('parent/Chart.yaml', chartYaml([fromWeb('red'), fromWeb('blue')])));
    await updateDependencies(path, tools());
    rmSync(join(path, 'charts'), { recursive: true });
    const before = server.requests.length;
    await buildDependencies(path, tools({ skipRefresh: true }));
    expect(server.requests.length).toBe(before);
    expect(charts()).toEqual(['blue-1.0.0.tgz', 'red-1.0.0.tgz']);
  });

  test('refuses a lock that is older than Chart.yaml', async () => {
    await openRepository(['red', 'blue']);
    const path = dirname(write('parent/Chart.yaml', chartYaml([fromWeb('red')])));
    await updateDependencies(path, tools());
    write('parent/Chart.yaml', chartYaml([fromWeb('red'), fromWeb('blue')]));
    await expect(buildDependencies(path, tools())).rejects.toThrow(
      'the lock file (Chart.lock) is out of sync with the dependencies file (Chart.yaml). Please update the dependencies',
    );
  });

  test('does not take an archive whose digest is not the one of the index', async () => {
    await openRepository(['red']);
    const path = dirname(write('parent/Chart.yaml', chartYaml([fromWeb('red')])));
    await updateDependencies(path, tools());
    const index = join(folder, 'cache/web-index.yaml');
    writeFileSync(index, readFileSync(index, 'utf8').replace(/digest: \S+/, `digest: ${'a'.repeat(64)}`));
    await expect(buildDependencies(path, tools({ skipRefresh: true }))).rejects.toThrow('mismatched digest');
  });
});
