import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadChart } from '../../src/chart/load.ts';
import { isTshelmError, Tshelm, type TshelmOptions } from '../../src/index.ts';
import { chartArchive } from '../../src/source/package/archive-writer.ts';
import { serve } from '../source/http/server.ts';
import { fakeRegistry } from '../source/oci/fake-registry.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-sdk-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string): string => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
};

const open = (options: TshelmOptions = {}): Tshelm => {
  const tshelm = new Tshelm(options);
  onTestFinished(() => tshelm.close());
  return tshelm;
};

const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: db}\ndata: {size: "{{ .Values.size }}"}\n';

/** The archive of a chart `db`. */
async function packed(version: string): Promise<Buffer> {
  const chart = dirname(write(`made/${version}/db/Chart.yaml`, `apiVersion: v2\nname: db\nversion: ${version}\n`));
  write(`made/${version}/db/templates/config.yaml`, config);
  return Buffer.from(await chartArchive(await loadChart(chart), new Date('2024-01-01T00:00:00Z')));
}

/** A repository with two versions of `db`, and all that it was asked for. */
async function openRepository() {
  const versions = ['1.0.0', '1.1.0'];
  const files = new Map<string, Buffer | string>();
  for (const version of versions) files.set(`/db-${version}.tgz`, await packed(version));
  const rows = versions.map((version) => `  - {name: db, version: ${version}, urls: [db-${version}.tgz]}\n`);
  files.set('/index.yaml', `apiVersion: v1\nentries:\n  db:\n${rows.join('')}`);
  return serve((request, response) => {
    const body = files.get(request.url ?? '');
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
}

describe('repositories', () => {
  test('are added once their index is there, listed, updated and removed', async () => {
    const { url, requests } = await openRepository();
    const { repositories } = open();
    await repositories.add({ name: 'shop', url });
    expect(await repositories.list()).toEqual([{ name: 'shop', url }]);
    await repositories.update();
    expect(requests.map(({ url: path }) => path)).toEqual(['/index.yaml', '/index.yaml']);
    await repositories.remove('shop');
    expect(await repositories.list()).toEqual([]);
  });

  test('another URL takes the place of a name only where it is asked for', async () => {
    const [one, other] = [await openRepository(), await openRepository()];
    const { repositories } = open();
    await repositories.add({ name: 'shop', url: one.url });
    await expect(repositories.add({ name: 'shop', url: other.url })).rejects.toThrow('already exists');
    await repositories.add({ name: 'shop', url: other.url }, { replace: true });
    expect(await repositories.list()).toEqual([{ name: 'shop', url: other.url }]);
  });

  test('an index that cannot be fetched any more has a code, and the name of its repository', async () => {
    let isThere = true;
    const { url } = await serve((_request, response) => {
      response.writeHead(isThere ? 200 : 404).end('apiVersion: v1\nentries: {}\n');
    });
    const { repositories } = open();
    await repositories.add({ name: 'gone', url });
    isThere = false;
    const failure: unknown = await repositories.update(['gone']).catch((error: unknown) => error);
    expect(isTshelmError(failure, 'repository-unreachable')).toBe(true);
    expect((failure as Error).message).toBe('failed to update the following repositories: gone');
  });
});

describe('charts from elsewhere', () => {
  test('of a repository, by a range of versions, are rendered and pulled', async () => {
    const { url } = await openRepository();
    const tshelm = open();
    const { objects } = await tshelm.render('db', { repoUrl: url, version: '~1.0', values: { size: 3 } });
    expect(objects).toMatchObject([{ metadata: { name: 'db' }, data: { size: '3' } }]);
    const pulled = await tshelm.pull('db', { repoUrl: url, destination: folder, untar: true });
    expect(pulled).toMatchObject({ path: join(folder, 'db'), url: `${url}/db-1.1.0.tgz` });
    expect(readdirSync(pulled.path).toSorted()).toEqual(['Chart.yaml', 'templates']);
  });

  test('of a registry are found by their tags', async () => {
    const registry = await fakeRegistry();
    registry.putChart('charts/db', '1.0.0', await packed('1.0.0'));
    const tshelm = open();
    const options = { plainHttp: true, version: '>=1', destination: folder };
    const { path } = await tshelm.pull(`oci://${registry.host}/charts/db`, options);
    expect(path).toBe(join(folder, 'db-1.0.0.tgz'));
    expect((await tshelm.load(path)).metadata).toMatchObject({ name: 'db', version: '1.0.0' });
  });

  test('without the network: what is missing is said, and nothing is asked for', async () => {
    const { url, requests } = await openRepository();
    const tshelm = open({ network: { offline: true } });
    await expect(tshelm.load('db', { repoUrl: url })).rejects.toThrow('offline');
    expect(requests).toEqual([]);
  });

  test('a folder of its own goes with the end', async () => {
    const { url } = await openRepository();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const tshelm = new Tshelm();
    await tshelm.repositories.add({ name: 'shop', url });
    const own = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'repositories.yaml')));
    expect(own).toHaveLength(1);
    await tshelm.close();
    expect(readdirSync(folder)).not.toContain(own[0]);
  });
});

describe('dependencies', () => {
  test('are told, updated to the newest that is allowed, and built again from the lock', async () => {
    const { url } = await openRepository();
    const chart = dirname(
      write(
        'shop/Chart.yaml',
        `apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies:\n- {name: db, version: ^1.0.0, repository: ${url}}\n`,
      ),
    );
    const { dependencies, repositories } = open();
    await repositories.add({ name: 'shop', url });
    expect(await dependencies.list(chart)).toMatchObject([{ dependency: { name: 'db' }, status: 'missing' }]);
    const events: unknown[] = [];
    await dependencies.update(chart, { onEvent: (event) => events.push(event) });
    expect(readdirSync(join(chart, 'charts'))).toEqual(['db-1.1.0.tgz']);
    expect(events.length).toBeGreaterThan(0);
    expect(await dependencies.list(chart)).toMatchObject([{ dependency: { name: 'db' }, status: 'ok' }]);
    rmSync(join(chart, 'charts'), { recursive: true });
    await dependencies.build(chart);
    expect(readdirSync(join(chart, 'charts'))).toEqual(['db-1.1.0.tgz']);
  });
});
