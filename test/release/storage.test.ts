import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { driverNamed, drivers, recordKindOf, sharedDriverOf } from '../../src/release/drivers.ts';
import type { ReleaseStorage } from '../../src/release/types.ts';
import { FakeCluster } from '../cluster/fake-cluster.ts';
import { releaseOf } from './releases.ts';

const clock = { now: () => new Date(1_700_000_000_000) };
const open = (driver: string, cluster = new FakeCluster()): Promise<ReleaseStorage> =>
  driverNamed(driver).open(cluster, { namespace: 'default', clock });

describe.each(Object.keys(drivers))('the storage contract, kept by %s', (driver) => {
  test('what is created can be read', async () => {
    const storage = await open(driver);
    const release = releaseOf('web', 1, 'deployed', { labels: { team: 'a' }, config: new Map([['k', 1]]) });
    await storage.create(release);
    expect(await storage.get('web', 1)).toMatchObject(release);
  });

  test('what is not there is undefined, or an empty list', async () => {
    const storage = await open(driver);
    expect(await storage.get('web', 1)).toBeUndefined();
    expect(await storage.revisions('web')).toEqual([]);
    expect(await storage.list()).toEqual([]);
  });

  test.each(['BAD NAME', 'web,owner!=helm', ''])('a name that no release can have is refused: %j', async (name) => {
    const storage = await open(driver);
    const refused = { code: 'invalid-release-name', message: `release name is invalid: ${name}` };
    await expect(storage.revisions(name)).rejects.toMatchObject(refused);
    await expect(storage.newest(name)).rejects.toMatchObject(refused);
  });

  test('a revision is created once', async () => {
    const storage = await open(driver);
    await storage.create(releaseOf('web'));
    await expect(storage.create(releaseOf('web'))).rejects.toMatchObject({
      code: 'release-exists',
      message: 'release: already exists',
    });
  });

  test.each<[string, (storage: ReleaseStorage) => Promise<void>]>([
    ['update', (storage) => storage.update(releaseOf('web'))],
    ['delete', (storage) => storage.delete('web', 1)],
  ])('%s wants the revision to be there', async (_what, act) => {
    await expect(act(await open(driver))).rejects.toMatchObject({
      code: 'release-not-found',
      message: 'release: not found',
    });
  });

  test('update replaces, delete removes', async () => {
    const storage = await open(driver);
    await storage.create(releaseOf('web', 1, 'pending-install'));
    await storage.update(releaseOf('web', 1, 'deployed'));
    expect((await storage.get('web', 1))?.info.status).toBe('deployed');
    await storage.delete('web', 1);
    expect(await storage.get('web', 1)).toBeUndefined();
  });

  test('revisions come oldest first, by number and not by text', async () => {
    const storage = await open(driver);
    for (const version of [10, 2, 1]) await storage.create(releaseOf('web', version));
    await storage.create(releaseOf('web-2', 1));
    expect((await storage.revisions('web')).map(({ version }) => version)).toEqual([1, 2, 10]);
  });

  test.each<[string, object, string[]]>([
    ['everything, by name and revision', {}, ['api 1', 'web 1', 'web 2']],
    ['the newest of each', { newestOnly: true }, ['api 1', 'web 2']],
    ["Helm's labels", { labelSelector: 'status=superseded' }, ['web 1']],
    ["the user's labels", { labelSelector: 'team in (a,b),!other' }, ['api 1']],
    ['the selector comes after the choice of the newest', { newestOnly: true, labelSelector: 'status=superseded' }, []],
    ['another namespace', { namespace: 'elsewhere' }, []],
    ['all namespaces', { namespace: '', newestOnly: true }, ['api 1', 'web 2']],
  ])('list: %s', async (_what, options, expected) => {
    const storage = await open(driver);
    await storage.create(releaseOf('web', 1, 'superseded'));
    await storage.create(releaseOf('web', 2));
    await storage.create(releaseOf('api', 1, 'deployed', { labels: { team: 'b' } }));
    const found = await storage.list(options);
    expect(found.map(({ name, version }) => `${name} ${version}`)).toEqual(expected);
  });
});

describe('records in the cluster', () => {
  test.each([
    ['secret', 'Secret'],
    ['configmap', 'ConfigMap'],
  ])('%s: name, labels and the time of the last write', async (driver, kind) => {
    const cluster = new FakeCluster();
    const storage = await open(driver, cluster);
    const owned = { name: 'web', owner: 'helm', version: '3', team: 'a' };
    await storage.create(releaseOf('web', 3, 'pending-upgrade', { labels: { team: 'a' } }));
    const labels = () => cluster.find('sh.helm.release.v1.web.v3', kind)?.metadata.labels;
    expect(labels()).toEqual({ ...owned, status: 'pending-upgrade', createdAt: '1700000000' });
    await storage.update(releaseOf('web', 3, 'deployed', { labels: { team: 'a' } }));
    expect(labels()).toEqual({ ...owned, status: 'deployed', modifiedAt: '1700000000' });
  });

  test('a record that nobody can read is left out of lists', async () => {
    const cluster = new FakeCluster();
    const storage = await open('', cluster);
    await storage.create(releaseOf('web'));
    const labels = { name: 'web', owner: 'helm', version: '2' };
    cluster.add({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'broken', labels }, data: { release: 'AAAA' } });
    expect((await storage.revisions('web')).map(({ version }) => version)).toEqual([1]);
  });

  test.each([
    ['', 'Secret', 'secret'],
    ['configmaps', 'ConfigMap', 'configmap'],
    ['memory', undefined, undefined],
  ])('what holds the releases of driver "%s", and how the library names it', (name, kind, shared) => {
    expect([recordKindOf(name), sharedDriverOf(name)]).toEqual([kind, shared]);
  });

  test('an unknown driver is refused', () => {
    expect(() => open('etcd')).toThrow('unknown driver "etcd"');
  });

  test('a record over 1 MiB is refused before anything is sent, with its largest parts', async () => {
    const cluster = new FakeCluster();
    const chart = { ...releaseOf('web').chart, files: [{ name: 'model.bin', data: scrambled(1_200_000) }] };
    await expect((await open('', cluster)).create(releaseOf('web', 1, 'deployed', { chart }))).rejects.toMatchObject({
      code: 'release-too-large',
      message: expect.stringContaining('model.bin'),
    });
    expect(cluster.calls).toEqual([]);
  });
});

/** Bytes that gzip cannot shorten (xorshift). */
function scrambled(length: number): Uint8Array {
  let state = 2463534242;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  });
}

describe.each(['secret', 'configmap'])('a storage under a lock, kept by %s', (driver) => {
  /** A record that another storage has written, as the run under the lock has read it. */
  async function read() {
    const cluster = new FakeCluster();
    const others = await open(driver, cluster);
    await others.create(releaseOf('web', 1, 'deployed'));
    const own = others.underLock(cluster);
    await own.revisions('web');
    return { cluster, others, own };
  }
  const statusOf = async (storage: ReleaseStorage) => (await storage.get('web', 1))?.info.status;

  test.each<[string, (storage: ReleaseStorage) => Promise<void>]>([
    ['update', (storage) => storage.update(releaseOf('web', 1, 'superseded'))],
    ['delete', (storage) => storage.delete('web', 1)],
  ])('%s leaves alone what somebody else has written since it was read', async (_what, act) => {
    const { others, own } = await read();
    await others.update(releaseOf('web', 1, 'failed'));
    await expect(act(own)).rejects.toMatchObject({ details: { reason: 'Conflict' } });
    expect(await statusOf(others)).toBe('failed');
  });

  test('what it has written itself it does not write again after somebody else, although it has read that', async () => {
    const { others, own } = await read();
    await own.update(releaseOf('web', 1, 'pending-upgrade'));
    await others.update(releaseOf('web', 1, 'failed'));
    expect(await statusOf(own)).toBe('failed');
    await expect(own.update(releaseOf('web', 1, 'deployed'))).rejects.toMatchObject({
      details: { reason: 'Conflict' },
    });
  });

  test('labels and annotations that somebody puts on a record are no obstacle', async () => {
    const { cluster, own } = await read();
    const [name = ''] = cluster.names();
    const record = cluster.find(name.split('/')[1] ?? '') as KubernetesObject;
    cluster.add({ ...record, metadata: { ...record.metadata, annotations: { backup: 'yes' } } });
    await own.update(releaseOf('web', 1, 'superseded'));
    await own.update(releaseOf('web', 1, 'failed'));
    expect(await statusOf(own)).toBe('failed');
    await own.delete('web', 1);
  });

  test('an update that is carried out although its answer was lost is no conflict with itself', async () => {
    const { cluster, own } = await read();
    const replace = cluster.replace.bind(cluster);
    cluster.replace = async (object, options) => {
      await replace(object, options);
      return replace(object, options);
    };
    await own.update(releaseOf('web', 1, 'superseded'));
    expect(await statusOf(own)).toBe('superseded');
  });
});
