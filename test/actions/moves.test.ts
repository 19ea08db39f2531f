import { describe, expect, test } from 'vitest';
import { actionContext } from '../../src/actions/action-context.ts';
import { adopt } from '../../src/actions/adopt.ts';
import { install } from '../../src/actions/install.ts';
import { move } from '../../src/actions/move.ts';
import { rename } from '../../src/actions/rename.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { KeepObjects } from '../../src/change/moves/kept-objects.ts';
import type { NamespacedContext } from '../../src/change/moves/moves.ts';
import { prepareUninstall } from '../../src/change/prepare-uninstall.ts';
import { ApiError } from '../../src/cluster/api-error.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import { isProtected } from '../../src/plan/keep.ts';
import { readStoredManifest } from '../../src/plan/stored-manifest.ts';
import type { Release } from '../../src/release/types.ts';
import { FakeCluster } from '../cluster/fake-cluster.ts';
import { chartOf, configMap, tickingClock } from './harness.ts';

const both = { 'templates/a.yaml': configMap('settings'), 'templates/b.yaml': configMap('other') };

type Driver = 'secret' | 'configmap';

const contextOf = (cluster: Cluster, driver: Driver = 'secret', namespace = 'default'): NamespacedContext => ({
  ...actionContext(cluster, { driver, namespace, clock: tickingClock(), locks: 'none' }),
  inNamespace: (other) => contextOf(cluster, driver, other),
});

/** Two releases: `a` with `settings` and `other`, and `b` with `own`. */
async function twoReleases(driver: Driver = 'secret') {
  const cluster = new FakeCluster();
  const context = contextOf(cluster, driver);
  await install(await chartOf(both), new Map(), { name: 'a' }, context);
  await install(await chartOf({ 'templates/own.yaml': configMap('own') }), new Map(), { name: 'b' }, context);
  return { cluster, context };
}

const ownerOf = (cluster: FakeCluster, name: string) =>
  cluster.find(name)?.metadata.annotations?.['meta.helm.sh/release-name'];

const historyOf = async (name: string, context: NamespacedContext) =>
  (await (await context.storage()).revisions(name)).map(({ version, info, manifest }) => ({
    revision: `${version} ${info.status}`,
    objects: [...manifest.matchAll(/^ {2}name: (.*)$/gm)].map(([, found]) => found),
  }));

/** The same cluster for a run that is killed: from its n-th write on, nothing is sent. */
function killedAt(cluster: FakeCluster, writes: number) {
  let left = writes;
  const writing = new Set(['create', 'replace', 'apply', 'patch', 'delete']);
  const killed = new Error('killed');
  const dying = new Proxy(cluster, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (!writing.has(String(key))) return value.bind(target) as unknown;
      return async (...given: unknown[]) => {
        if (left <= 0) throw killed;
        if ((given.at(-1) as { dryRun?: boolean } | undefined)?.dryRun !== true) left -= 1;
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
  return { cluster: dying as Cluster, isKilled: () => left <= 0 };
}

/** The same cluster for a run whose n-th write is refused, as by an admission policy; a dry run of it was not. */
function refusedAt(cluster: FakeCluster, writes: number) {
  let left = writes;
  const writing = new Set(['create', 'replace', 'apply', 'patch', 'delete']);
  const refusing = new Proxy(cluster, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (!writing.has(String(key))) return value.bind(target) as unknown;
      return async (...given: unknown[]) => {
        if ((given.at(-1) as { dryRun?: boolean } | undefined)?.dryRun !== true && left-- === 0) throw denied();
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
  return { cluster: refusing as Cluster, isRefused: () => left < 0 };
}

const denied = () =>
  new ApiError({ status: 422, reason: 'Invalid', message: 'denied', causes: [], method: 'POST', path: '/' });

describe.each<Driver>(['secret', 'configmap'])('move, with releases in a %s', (driver) => {
  test('gives both releases a new revision and the object another owner, and nothing else', async () => {
    const { cluster, context } = await twoReleases(driver);
    const before = cluster.find('settings');
    const { plan } = await move({ name: 'a', to: 'b', objects: ['ConfigMap/settings'] }, context);
    expect(plan).toMatchObject({
      objects: [{ name: 'settings', state: 'changes', owner: { release: 'a' } }],
      records: [
        { release: 'a', revision: 2, action: 'create' },
        { release: 'b', revision: 2, action: 'create' },
      ],
    });
    expect(await historyOf('a', context)).toEqual([
      { revision: '1 superseded', objects: ['settings', 'other'] },
      { revision: '2 deployed', objects: ['other'] },
    ]);
    expect(await historyOf('b', context)).toEqual([
      { revision: '1 superseded', objects: ['own'] },
      { revision: '2 deployed', objects: ['own', 'settings'] },
    ]);
    expect(ownerOf(cluster, 'settings')).toBe('b');
    expect(cluster.find('settings')?.metadata.uid).toBe(before?.metadata.uid);
    expect(cluster.find('settings')?.['data']).toEqual(before?.['data']);
  });
});

describe('move', () => {
  test('the next upgrades delete nothing and take the object without --take-ownership', async () => {
    const { cluster, context } = await twoReleases();
    await move({ name: 'a', to: 'b', objects: ['configmap/settings'] }, context);
    await upgrade(await chartOf({ 'templates/b.yaml': both['templates/b.yaml'] }), new Map(), { name: 'a' }, context);
    expect(cluster.find('settings')).toBeDefined();
    const withSettings = {
      'templates/own.yaml': configMap('own'),
      'templates/a.yaml': configMap('settings', 'k: new'),
    };
    await upgrade(await chartOf(withSettings), new Map(), { name: 'b' }, context);
    expect(cluster.find('settings')?.['data']).toEqual({ k: 'new' });
  });

  test('the manifests of both are as Helm writes them', async () => {
    const { context } = await twoReleases();
    const document = (source: string, name: string) =>
      `---\n# Source: app/templates/${source}.yaml\n${configMap(name)}\n`;
    await move({ name: 'a', to: 'b', objects: ['ConfigMap/settings'] }, context);
    const storage = await context.storage();
    expect((await storage.newest('a'))?.manifest).toBe(document('b', 'other'));
    expect((await storage.newest('b'))?.manifest).toBe(`${document('own', 'own')}${document('a', 'settings')}`);
  });

  test('a release that does not exist gets its first revision', async () => {
    const { cluster, context } = await twoReleases();
    await move({ name: 'a', to: 'new', objects: ['ConfigMap/settings'] }, context);
    expect(await historyOf('new', context)).toEqual([{ revision: '1 deployed', objects: ['settings'] }]);
    expect(ownerOf(cluster, 'settings')).toBe('new');
  });

  test.each(['default/ConfigMap/settings', 'ConfigMap/default/settings', 'configmap/settings'])(
    'an object whose manifest names no namespace is in that of its release: %s',
    async (name) => {
      const { cluster, context } = await twoReleases();
      await move({ name: 'a', to: 'b', objects: [name] }, context);
      expect(ownerOf(cluster, 'settings')).toBe('b');
    },
  );

  test('a dry run says the same and changes nothing', async () => {
    const { cluster, context } = await twoReleases();
    const seen = cluster.seen.length;
    const { plan } = await move({ name: 'a', to: 'b', objects: ['ConfigMap/settings'], dryRun: true }, context);
    expect(plan.records).toHaveLength(2);
    expect(cluster.seen).toHaveLength(seen);
  });

  test('--ignore-not-found: neither a release nor objects that are nowhere are an error', async () => {
    const { context } = await twoReleases();
    const none = { isUnchanged: true, plan: { objects: [], records: [] } };
    const options = { to: 'b', objects: ['Secret/nope'], ignoreNotFound: true };
    expect(await move({ ...options, name: 'a' }, context)).toMatchObject(none);
    expect(await move({ ...options, name: 'nope' }, context)).toMatchObject(none);
    expect(await rename({ name: 'nope', to: 'new', ignoreNotFound: true }, context)).toMatchObject(none);
  });

  test('a release whose last revision failed is refused, unless there is nothing to move', async () => {
    const { context } = await twoReleases();
    const options = { name: 'a', to: 'b', objects: ['ConfigMap/settings'] };
    const storage = await context.storage();
    const [deployed] = await storage.revisions('a');
    const failed = { ...(deployed as Release), version: 2 };
    await storage.create({ ...failed, info: { ...failed.info, status: 'failed' } });
    await expect(move(options, context)).rejects.toMatchObject({ details: { why: 'not-deployed' } });
    await expect(rename({ name: 'a', to: 'c' }, context)).rejects.toMatchObject({ details: { why: 'not-deployed' } });
    const none = { ...options, objects: ['Secret/nope'], ignoreNotFound: true };
    expect(await move(none, context)).toMatchObject({ isUnchanged: true });
  });

  test('done twice, it does nothing', async () => {
    const { context } = await twoReleases();
    const options = { name: 'a', to: 'b', objects: ['ConfigMap/settings'] };
    await move(options, context);
    expect(await move(options, context)).toMatchObject({ isUnchanged: true, plan: { records: [] } });
    expect(await historyOf('b', context)).toHaveLength(2);
  });

  test.each([
    ['an object that the release does not have', ['Secret/nope'], 'b', { why: 'no-such-object' }],
    ['itself', ['ConfigMap/settings'], 'a', { why: 'same-release' }],
    ['what is no name', ['settings'], 'b', { option: 'objects' }],
  ])('refuses %s', async (_what, objects, to, details) => {
    const { context } = await twoReleases();
    await expect(move({ name: 'a', to, objects }, context)).rejects.toMatchObject({ details });
  });

  test('refuses an object that a third release has taken, and begins nothing', async () => {
    const { cluster, context } = await twoReleases();
    await cluster.patch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'settings' }, 'merge', {
      metadata: { annotations: { 'meta.helm.sh/release-name': 'third' } },
    });
    const moving = move({ name: 'a', to: 'b', objects: ['ConfigMap/settings'] }, context);
    await expect(moving).rejects.toMatchObject({ code: 'ownership-conflict' });
    expect(await historyOf('a', context)).toHaveLength(1);
  });

  test('refuses a target in another namespace for an object that would be made there again', async () => {
    const { context } = await twoReleases();
    const moving = move({ name: 'a', to: 'b', toNamespace: 'else', objects: ['ConfigMap/settings'] }, context);
    await expect(moving).rejects.toMatchObject({ details: { why: 'no-namespace' } });
  });

  test('a target whose record is refused leaves the source as it was', async () => {
    const { cluster, context } = await twoReleases();
    cluster.failOn('create', 'sh.helm.release.v1.b.v2', new Error('no'));
    await expect(move({ name: 'a', to: 'b', objects: ['ConfigMap/settings'] }, context)).rejects.toThrow('no');
    expect((await historyOf('a', context)).map(({ revision }) => revision)).toEqual(['1 deployed']);
  });

  test('refused at each write, it is undone until the target is deployed, and finished by the next run after that', async () => {
    const options = { name: 'a', to: 'b', objects: ['ConfigMap/settings', 'ConfigMap/other'] };
    let undone = 0;
    for (let writes = 0; ; writes += 1) {
      const { cluster, context } = await twoReleases();
      const refused = refusedAt(cluster, writes);
      const ran = await move(options, contextOf(refused.cluster)).catch((error: unknown) => error);
      if (!refused.isRefused()) break;
      expect(ran).toMatchObject({ code: 'api-error' });
      const target = (await historyOf('b', context)).map(({ revision }) => revision);
      if (target.length === 1) {
        undone += 1;
        expect([writes, target]).toEqual([writes, ['1 deployed']]);
        expect((await historyOf('a', context)).map(({ revision }) => revision)).toEqual(['1 deployed']);
        expect(['settings', 'other'].map((name) => ownerOf(cluster, name))).toEqual(['a', 'a']);
        await upgrade(await chartOf(both), new Map(), { name: 'a' }, context);
      }
      await move(options, context);
      expect(['settings', 'other'].map((name) => ownerOf(cluster, name))).toEqual(['b', 'b']);
    }
    // Two records, two objects, and the record of the target once more.
    expect(undone).toBe(5);
  });

  test('killed at each write, the next run finishes it; until then nothing else changes the releases', async () => {
    const options = { name: 'a', to: 'b', objects: ['ConfigMap/settings', 'ConfigMap/other'] };
    let kills = 0;
    for (let writes = 0; ; writes += 1) {
      const { cluster, context } = await twoReleases();
      const uids = ['settings', 'other'].map((name) => cluster.find(name)?.metadata.uid);
      const killed = killedAt(cluster, writes);
      await move(options, contextOf(killed.cluster)).catch(() => {});
      if (!killed.isKilled()) break;
      kills += 1;
      const pending = (await historyOf('a', context)).at(-1)?.revision.includes('pending') === true;
      if (pending) {
        const again = upgrade(await chartOf({}), new Map(), { name: 'a' }, context);
        await expect(again).rejects.toMatchObject({ code: 'move-unfinished' });
        await expect(uninstall({ name: 'a' }, context)).rejects.toMatchObject({ code: 'move-unfinished' });
        // The plans say so too.
        const dry = upgrade(await chartOf({}), new Map(), { name: 'a', dryRun: 'plan' }, context);
        await expect(dry).rejects.toMatchObject({ code: 'move-unfinished' });
        const removal = uninstall({ name: 'a', dryRun: true }, context);
        await expect(removal).rejects.toMatchObject({ code: 'move-unfinished' });
        const other = move({ ...options, to: 'c' }, context);
        await expect(other).rejects.toMatchObject({ code: 'move-unfinished' });
      }
      await move(options, context);
      expect((await historyOf('a', context)).map(({ revision }) => revision)).toEqual(['1 superseded', '2 deployed']);
      expect((await historyOf('b', context)).at(-1)?.objects.sort()).toEqual(['other', 'own', 'settings']);
      expect((await historyOf('b', context)).map(({ revision }) => revision)).toEqual(['1 superseded', '2 deployed']);
      expect(['settings', 'other'].map((name) => cluster.find(name)?.metadata.uid)).toEqual(uids);
      expect(['settings', 'other'].map((name) => ownerOf(cluster, name))).toEqual(['b', 'b']);
    }
    expect(kills).toBeGreaterThanOrEqual(8);
  });
});

test('a move whose source Helm has uninstalled meanwhile is finished for the target', async () => {
  const { cluster, context } = await twoReleases();
  const options = { name: 'a', to: 'b', objects: ['ConfigMap/settings'] };
  // Both records are written; no object is.
  await move(options, contextOf(killedAt(cluster, 2).cluster)).catch(() => {});
  const storage = await context.storage();
  for (const { name, version } of await storage.revisions('a')) await storage.delete(name, version);
  await move(options, context);
  expect((await historyOf('b', context)).at(-1)).toEqual({ revision: '2 deployed', objects: ['own', 'settings'] });
  expect(ownerOf(cluster, 'settings')).toBe('b');
});

describe.each<Driver>(['secret', 'configmap'])('rename, with releases in a %s', (driver) => {
  test('all revisions have the new name, and one says so', async () => {
    const { cluster, context } = await twoReleases(driver);
    await upgrade(await chartOf(both), new Map(), { name: 'a' }, context);
    await rename({ name: 'a', to: 'shop' }, context);
    expect(await historyOf('a', context)).toEqual([]);
    expect((await historyOf('shop', context)).map(({ revision }) => revision)).toEqual([
      '1 superseded',
      '2 superseded',
      '3 deployed',
    ]);
    expect(['settings', 'other', 'own'].map((name) => ownerOf(cluster, name))).toEqual(['shop', 'shop', 'b']);
    expect(await (await context.storage()).newest('shop')).toMatchObject({ name: 'shop', operation: undefined });
  });
});

describe('rename', () => {
  test('again, once it has finished, there is nothing to do, as long as the records show that', async () => {
    const { context } = await twoReleases();
    const options = { name: 'a', to: 'shop' };
    expect((await rename(options, context)).isUnchanged).toBe(false);
    await upgrade(await chartOf(both), new Map(), { name: 'shop' }, context);
    const before = await historyOf('shop', context);
    for (const dryRun of [true, false])
      expect(await rename({ ...options, dryRun }, context)).toMatchObject({ isUnchanged: true });
    expect(await historyOf('shop', context)).toEqual(before);
    await expect(rename({ name: 'a', to: 'b' }, context)).rejects.toMatchObject({ code: 'release-not-found' });
    await expect(rename({ name: 'c', to: 'shop' }, context)).rejects.toMatchObject({ code: 'release-not-found' });
    await rename({ name: 'shop', to: 'store' }, context);
    for (const name of ['a', 'shop'])
      expect(await rename({ name, to: 'store' }, context)).toMatchObject({ isUnchanged: true });
    // Helm drops what is tshelm's own.
    const storage = await context.storage();
    for (const one of await storage.revisions('store')) await storage.update({ ...one, renamedFrom: undefined });
    await expect(rename(options, context)).rejects.toMatchObject({ code: 'release-not-found' });
  });

  test('warns of objects that the next upgrade would make anew under the new name', async () => {
    const { context } = await twoReleases();
    const files = { 'templates/a.yaml': configMap('web-settings') };
    await install(await chartOf(files), new Map(), { name: 'web' }, context);
    const { warnings } = await rename({ name: 'web', to: 'shop', dryRun: true }, context);
    expect(warnings).toEqual([expect.stringContaining('fullnameOverride: web')]);
    expect((await rename({ name: 'a', to: 'shop', dryRun: true }, context)).warnings).toEqual([]);
  });

  test.each([
    ['a name in use', { name: 'a', to: 'b' }, 'name-in-use'],
    ['no such release', { name: 'nope', to: 'c' }, 'release-not-found'],
    ['an invalid name', { name: 'a', to: 'No_' }, 'invalid-release-name'],
    ['a namespace where its objects would be made again', { name: 'a', to: 'a', toNamespace: 'else' }, 'move-refused'],
  ])('refuses %s', async (_what, options, code) => {
    const { context } = await twoReleases();
    await expect(rename(options, context)).rejects.toMatchObject({ code });
  });

  test('the record goes to another namespace where the manifests name theirs', async () => {
    const cluster = new FakeCluster();
    const context = contextOf(cluster);
    const placed = configMap('placed').replace('  name: placed\n', '  name: placed\n  namespace: default\n');
    await install(await chartOf({ 'templates/a.yaml': configMap('loose') }), new Map(), { name: 'a' }, context);
    await upgrade(await chartOf({ 'templates/a.yaml': placed }), new Map(), { name: 'a' }, context);
    await rename({ name: 'a', to: 'a', toNamespace: 'else' }, context);
    expect(await historyOf('a', context)).toEqual([]);
    // Revision 1 would be rolled back to in the new namespace.
    const revisions = (await historyOf('a', contextOf(cluster, 'secret', 'else'))).map(({ revision }) => revision);
    expect(revisions).toEqual(['2 superseded', '3 deployed']);
    expect(cluster.find('placed')?.metadata.annotations).toMatchObject({
      'meta.helm.sh/release-namespace': 'else',
    });
  });

  test('an object that another release has taken stays there, which the plan says', async () => {
    const { cluster, context } = await twoReleases();
    await cluster.patch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'settings' }, 'merge', {
      metadata: { annotations: { 'meta.helm.sh/release-name': 'third' } },
    });
    const { plan } = await rename({ name: 'a', to: 'shop' }, context);
    expect(plan.objects.map(({ name, state }) => `${name} ${state}`)).toEqual(['settings foreign', 'other changes']);
    expect(ownerOf(cluster, 'settings')).toBe('third');
  });

  test('refused at each write, it is undone until the new name is deployed', async () => {
    let undone = 0;
    for (let writes = 0; ; writes += 1) {
      const { cluster, context } = await twoReleases();
      await upgrade(await chartOf(both), new Map(), { name: 'a' }, context);
      const refused = refusedAt(cluster, writes);
      await rename({ name: 'a', to: 'shop' }, contextOf(refused.cluster)).catch(() => {});
      if (!refused.isRefused()) break;
      if ((await historyOf('shop', context)).length === 0) {
        undone += 1;
        const left = (await historyOf('a', context)).map(({ revision }) => revision);
        expect([writes, left]).toEqual([writes, ['1 superseded', '2 deployed']]);
        expect(['settings', 'other'].map((name) => ownerOf(cluster, name))).toEqual(['a', 'a']);
        await upgrade(await chartOf(both), new Map(), { name: 'a' }, context);
      }
      await rename({ name: 'a', to: 'shop' }, context);
      expect(['settings', 'other'].map((name) => ownerOf(cluster, name))).toEqual(['shop', 'shop']);
    }
    // Two records, two copies, two objects, and the record of the new name once more.
    expect(undone).toBe(7);
  });

  test.each([0, 1, 12])(
    'refused at its last write, it is finished after %i upgrades of the new name',
    async (upgrades) => {
      const { cluster, context } = await twoReleases();
      // Three records, two objects, two of the records once more, and the deletion of the first revision.
      const refused = rename({ name: 'a', to: 'shop' }, contextOf(refusedAt(cluster, 8).cluster));
      await expect(refused).rejects.toMatchObject({
        details: { remedies: [{ verb: 'rename', arguments: ['a', 'shop'], namespace: 'default' }] },
      });
      expect((await historyOf('a', context)).map(({ revision }) => revision)).toEqual(['2 pending-upgrade']);
      for (let more = 0; more < upgrades; more += 1)
        await upgrade(await chartOf(both), new Map(), { name: 'shop', maxHistory: 3 }, context);
      const before = await historyOf('shop', context);
      await rename({ name: 'a', to: 'shop' }, context);
      expect(await historyOf('a', context)).toEqual([]);
      expect(await historyOf('shop', context)).toEqual(before);
    },
  );

  test('a release that took the new name meanwhile is not taken for the renamed one', async () => {
    const { cluster, context } = await twoReleases();
    await rename({ name: 'a', to: 'shop' }, contextOf(killedAt(cluster, 1).cluster)).catch(() => {});
    const chart = await chartOf({ 'templates/a.yaml': configMap('else') });
    await install(chart, new Map(), { name: 'shop' }, context);
    for (let more = 0; more < 3; more += 1) await upgrade(chart, new Map(), { name: 'shop' }, context);
    await expect(rename({ name: 'a', to: 'shop' }, context)).rejects.toMatchObject({ code: 'name-in-use' });
    expect(ownerOf(cluster, 'settings')).toBe('a');
  });

  test('a rename that was killed, and is refused when it goes on, is undone too', async () => {
    const { cluster, context } = await twoReleases();
    await rename({ name: 'a', to: 'shop' }, contextOf(killedAt(cluster, 4).cluster)).catch(() => {});
    await rename({ name: 'a', to: 'shop' }, contextOf(refusedAt(cluster, 0).cluster)).catch(() => {});
    expect((await historyOf('a', context)).map(({ revision }) => revision)).toEqual(['1 deployed']);
    expect(await historyOf('shop', context)).toEqual([]);
    expect(['settings', 'other'].map((name) => ownerOf(cluster, name))).toEqual(['a', 'a']);
  });

  test.each([{ dryRun: true }, {}])(
    'who may not update records is refused before the first write: %o',
    async (flags) => {
      const { cluster, context } = await twoReleases();
      const writes = cluster.seen.length;
      const status = { status: 403, reason: 'Forbidden', message: 'no update', causes: [], method: 'PUT', path: '/' };
      for (const name of ['a', 'shop'])
        cluster.failOn('replace', `sh.helm.release.v1.${name}.v2`, new ApiError(status));
      await expect(rename({ name: 'a', to: 'shop', ...flags }, context)).rejects.toThrow('no update');
      expect(cluster.seen.length).toBe(writes);
    },
  );

  test('one that is refused creates no namespace', async () => {
    const cluster = new FakeCluster();
    const context = contextOf(cluster);
    const placed = configMap('placed').replace('  name: placed\n', '  name: placed\n  namespace: default\n');
    await install(await chartOf({ 'templates/a.yaml': placed }), new Map(), { name: 'a' }, context);
    const missing = { status: 404, reason: 'NotFound', message: 'no namespace', causes: [], method: 'POST', path: '/' };
    cluster.failOn('create', 'sh.helm.release.v1.b.v2', new ApiError({ ...missing, about: 'namespaces' }), 1);
    cluster.failOn('patch', 'placed', denied());
    const options = { name: 'a', to: 'b', toNamespace: 'else', createNamespace: true };
    await expect(rename(options, context)).rejects.toThrow('denied');
    expect(cluster.names()).not.toContain('Namespace/else');
  });

  test.each([{ dryRun: true }, {}])(
    'a record that the API server would refuse is refused before the first write: %o',
    async (flags) => {
      const { cluster, context } = await twoReleases();
      cluster.failOn('create', 'sh.helm.release.v1.shop.v2', denied());
      await expect(rename({ name: 'a', to: 'shop', ...flags }, context)).rejects.toThrow('denied');
      expect((await historyOf('a', context)).map(({ revision }) => revision)).toEqual(['1 deployed']);
    },
  );

  test('killed at each write, the next run finishes it', async () => {
    let kills = 0;
    for (let writes = 0; ; writes += 1) {
      const { cluster, context } = await twoReleases();
      await upgrade(await chartOf(both), new Map(), { name: 'a' }, context);
      const killed = killedAt(cluster, writes);
      await rename({ name: 'a', to: 'shop' }, contextOf(killed.cluster)).catch(() => {});
      if (!killed.isKilled()) break;
      kills += 1;
      const left = await historyOf('a', context);
      // The last write is the deletion of the last record.
      if (left.length > 0) await rename({ name: 'a', to: 'shop' }, context);
      expect(await historyOf('a', context)).toEqual([]);
      expect((await historyOf('shop', context)).map(({ revision }) => revision)).toEqual([
        '1 superseded',
        '2 superseded',
        '3 deployed',
      ]);
      expect(['settings', 'other'].map((name) => ownerOf(cluster, name))).toEqual(['shop', 'shop']);
    }
    expect(kills).toBeGreaterThanOrEqual(10);
  });
});

test('the name of an owner, which anybody may write, begins no line', async () => {
  const { cluster, context } = await twoReleases();
  const forged = { 'meta.helm.sh/release-name': 'third\nError: forged' };
  await cluster.patch({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'settings' }, 'merge', {
    metadata: { annotations: forged },
  });
  const chart = await chartOf(both);
  const objects = ['ConfigMap/settings'];
  for (const run of [
    move({ name: 'a', to: 'b', objects }, context),
    adopt(chart, new Map(), { name: 'b', objects }, context),
    install(chart, new Map(), { name: 'c' }, context),
  ])
    await expect(run).rejects.toMatchObject({ message: expect.not.stringMatching(/^Error: forged/m) });
});

describe('adopt', () => {
  const live = (name: string, annotations: Record<string, string> = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', annotations },
    data: { k: 'live' },
  });

  test('records a new release with these objects alone, and leaves their fields to the next upgrade', async () => {
    const cluster = new FakeCluster();
    const context = contextOf(cluster);
    cluster.add(live('settings'));
    const chart = await chartOf(both);
    const { plan } = await adopt(chart, new Map(), { name: 'a', objects: ['ConfigMap/settings'] }, context);
    expect(plan.records).toEqual([{ release: 'a', namespace: 'default', revision: 1, action: 'create' }]);
    expect(await historyOf('a', context)).toEqual([{ revision: '1 deployed', objects: ['settings'] }]);
    expect(cluster.find('settings')?.['data']).toEqual({ k: 'live' });
    expect(cluster.find('other')).toBeUndefined();
    await upgrade(chart, new Map(), { name: 'a' }, context);
    expect(cluster.find('settings')?.['data']).toEqual({ k: 'v' });
    expect(cluster.find('other')).toBeDefined();
  });

  test.each([
    ['what the chart does not render', 'ConfigMap/strange', { details: { why: 'not-in-chart' } }],
    ['what is not in the cluster', 'ConfigMap/other', { details: { why: 'not-in-cluster' } }],
    ['what belongs to another release', 'ConfigMap/settings', { code: 'ownership-conflict' }],
  ])('refuses %s', async (_what, name, failure) => {
    const cluster = new FakeCluster();
    const context = contextOf(cluster);
    const owner = { 'meta.helm.sh/release-name': 'third', 'meta.helm.sh/release-namespace': 'default' };
    cluster.add(live('settings', owner));
    cluster.add(live('strange'));
    const adopting = adopt(await chartOf(both), new Map(), { name: 'a', objects: [name] }, context);
    await expect(adopting).rejects.toMatchObject(failure);
    expect(await historyOf('a', context)).toEqual([]);
  });

  test('--take-ownership takes what belongs to another release', async () => {
    const cluster = new FakeCluster();
    const context = contextOf(cluster);
    const owner = { 'meta.helm.sh/release-name': 'third', 'meta.helm.sh/release-namespace': 'default' };
    cluster.add(live('settings', owner));
    const options = { name: 'a', objects: ['ConfigMap/settings'], takeOwnership: true };
    await adopt(await chartOf(both), new Map(), options, context);
    expect(ownerOf(cluster, 'settings')).toBe('a');
  });

  test.each([
    ['a release that does not exist', false],
    ['a release that does', true],
  ])('refused at each write, it is undone until the revision is deployed: %s', async (_what, exists) => {
    const marked = { labels: { 'app.kubernetes.io/managed-by': 'hand', tier: 'data' }, annotations: { note: 'mine' } };
    let undone = 0;
    for (let writes = 0; ; writes += 1) {
      const cluster = new FakeCluster();
      const context = contextOf(cluster);
      if (exists)
        await install(await chartOf({ 'templates/own.yaml': configMap('own') }), new Map(), { name: 'a' }, context);
      const before = await historyOf('a', context);
      cluster.add({ ...live('settings'), metadata: { ...live('settings').metadata, ...marked } });
      cluster.add(live('other', { 'meta.helm.sh/release-name': 'b', 'meta.helm.sh/release-namespace': 'default' }));
      const options = { name: 'a', objects: ['ConfigMap/settings', 'ConfigMap/other'], takeOwnership: true };
      const refused = refusedAt(cluster, writes);
      const chart = await chartOf({ ...both, ...(exists && { 'templates/own.yaml': configMap('own') }) });
      const ran = await adopt(chart, new Map(), options, contextOf(refused.cluster)).catch((error: unknown) => error);
      if (!refused.isRefused()) break;
      expect(ran).toMatchObject({ code: 'api-error' });
      if ((await historyOf('a', context)).length === before.length) {
        undone += 1;
        expect(await historyOf('a', context)).toEqual(before);
        expect(cluster.find('settings')?.metadata).toMatchObject(marked);
        expect(ownerOf(cluster, 'settings')).toBeUndefined();
        expect(ownerOf(cluster, 'other')).toBe('b');
      }
      await adopt(chart, new Map(), options, context);
      expect(['settings', 'other'].map((name) => ownerOf(cluster, name))).toEqual(['a', 'a']);
    }
    // The record, two objects, and the record once more.
    expect(undone).toBe(4);
  });

  test('an adoption that was killed, and is refused when it goes on, is undone too', async () => {
    const cluster = new FakeCluster();
    const context = contextOf(cluster);
    for (const name of ['settings', 'other']) cluster.add(live(name));
    const options = { name: 'a', objects: ['ConfigMap/settings', 'ConfigMap/other'] };
    const chart = await chartOf(both);
    await adopt(chart, new Map(), options, contextOf(killedAt(cluster, 2).cluster)).catch(() => {});
    expect((await historyOf('a', context)).map(({ revision }) => revision)).toEqual(['1 pending-install']);
    await adopt(chart, new Map(), options, contextOf(refusedAt(cluster, 0).cluster)).catch(() => {});
    expect(await historyOf('a', context)).toEqual([]);
    expect(['settings', 'other'].map((name) => ownerOf(cluster, name))).toEqual([undefined, undefined]);
  });

  test('killed at each write, the next run finishes it', async () => {
    let kills = 0;
    for (let writes = 0; ; writes += 1) {
      const cluster = new FakeCluster();
      const context = contextOf(cluster);
      cluster.add(live('settings'));
      cluster.add(live('other'));
      const options = { name: 'a', objects: ['ConfigMap/settings', 'ConfigMap/other'] };
      const killed = killedAt(cluster, writes);
      const chart = await chartOf(both);
      await adopt(chart, new Map(), options, contextOf(killed.cluster)).catch(() => {});
      if (!killed.isKilled()) break;
      kills += 1;
      if ((await historyOf('a', context))[0]?.revision.includes('pending'))
        await expect(uninstall({ name: 'a' }, context)).rejects.toThrow('an adoption of release "a" was interrupted');
      await adopt(chart, new Map(), options, context);
      expect(await historyOf('a', context)).toEqual([{ revision: '1 deployed', objects: ['settings', 'other'] }]);
      expect(['settings', 'other'].map((name) => ownerOf(cluster, name))).toEqual(['a', 'a']);
    }
    expect(kills).toBeGreaterThanOrEqual(4);
  });
});

describe('uninstall --keep-objects', () => {
  const labelled = configMap('settings').replace('  name: settings\n', '  name: settings\n  labels: {tier: data}\n');

  async function installed() {
    const cluster = new FakeCluster();
    const context = contextOf(cluster);
    await install(await chartOf({ ...both, 'templates/a.yaml': labelled }), new Map(), { name: 'a' }, context);
    return { cluster, context };
  }

  test.each<[string, KeepObjects, readonly string[]]>([
    ['all', true, ['ConfigMap/other', 'ConfigMap/settings']],
    ['those of several choices', ['tier=data', 'configmap/other'], ['ConfigMap/other', 'ConfigMap/settings']],
    ['those of a kind in lower case', 'configmap/other', ['ConfigMap/other']],
    ['those of a selector', 'tier in (data, cache)', ['ConfigMap/settings']],
    ['those that are named', 'ConfigMap/other', ['ConfigMap/other']],
    ['none', false, []],
  ])('%s stay, and belong to no release', async (_what, keepObjects, left) => {
    const { cluster, context } = await installed();
    const dry = await uninstall({ name: 'a', keepObjects, dryRun: true }, context);
    const { info } = await uninstall({ name: 'a', keepObjects }, context);
    expect(dry.info.includes('would be kept')).toBe(left.length > 0);
    expect(info).toBe(
      dry.info.replace(
        'would be kept, and belong to no release then',
        'were kept on request, and belong to no release now',
      ),
    );
    expect(cluster.names()).toEqual(left);
    expect(await historyOf('a', context)).toEqual([]);
    for (const name of left) {
      expect(info).toContain(`[ConfigMap] ${name.split('/')[1]}\n`);
      const { labels, annotations } = cluster.find(name.split('/')[1] as string)?.metadata ?? {};
      expect([labels?.['app.kubernetes.io/managed-by'], annotations?.['meta.helm.sh/release-name']]).toEqual([
        undefined,
        undefined,
      ]);
    }
  });

  describe('after an upgrade that failed before it deleted what its chart has no more', () => {
    async function failedUpgrade() {
      const { cluster, context } = await installed();
      const smaller = await chartOf({
        'templates/a.yaml': labelled.replace('metadata:', 'data: {new: value}\nmetadata:'),
      });
      await expect(
        upgrade(smaller, new Map(), { name: 'a' }, contextOf(refusedAt(cluster, 1).cluster)),
      ).rejects.toThrow();
      expect(await historyOf('a', context)).toEqual([
        { revision: '1 deployed', objects: ['settings', 'other'] },
        { revision: '2 failed', objects: ['settings'] },
      ]);
      return { cluster, context };
    }

    test.each<[string, KeepObjects, readonly string[]]>([
      ['all', true, ['ConfigMap/other', 'ConfigMap/settings']],
      ['those that are named', 'ConfigMap/other', ['ConfigMap/other']],
      ['those of a selector', 'tier=data', ['ConfigMap/settings']],
    ])('%s stay, and are told once', async (_what, keepObjects, left) => {
      const { cluster, context } = await failedUpgrade();
      const dry = await uninstall({ name: 'a', keepObjects, dryRun: true }, context);
      const { info } = await uninstall({ name: 'a', keepObjects }, context);
      expect(info).toBe(
        dry.info.replace(
          'would be kept, and belong to no release then',
          'were kept on request, and belong to no release now',
        ),
      );
      expect(info).not.toContain('not owned');
      expect(cluster.names()).toEqual(left);
      for (const name of left) expect(ownerOf(cluster, name.split('/')[1] as string)).toBeUndefined();
    });

    test('killed at each write, the next uninstall spares them even without the option', async () => {
      let kills = 0;
      for (let writes = 0; ; writes += 1) {
        const { cluster, context } = await failedUpgrade();
        const killed = killedAt(cluster, writes);
        await uninstall({ name: 'a', keepObjects: true }, contextOf(killed.cluster)).catch(() => {});
        if (!killed.isKilled()) break;
        const isBegun = (await historyOf('a', context)).at(-1)?.revision === '2 uninstalling';
        if (!isBegun) continue;
        kills += 1;
        await uninstall({ name: 'a', ignoreNotFound: true }, context);
        expect(cluster.names()).toEqual(['ConfigMap/other', 'ConfigMap/settings']);
      }
      expect(kills).toBeGreaterThanOrEqual(2);
    });
  });

  test('another release adopts what stayed', async () => {
    const { cluster, context } = await installed();
    await uninstall({ name: 'a', keepObjects: true }, context);
    const objects = ['ConfigMap/settings', 'ConfigMap/other'];
    await adopt(await chartOf({ ...both, 'templates/a.yaml': labelled }), new Map(), { name: 'b', objects }, context);
    expect(ownerOf(cluster, 'settings')).toBe('b');
  });

  test('refuses the name of an object that the release does not have, and begins nothing', async () => {
    const { cluster, context } = await installed();
    const seen = cluster.seen.length;
    await expect(uninstall({ name: 'a', keepObjects: 'Secret/nope' }, context)).rejects.toMatchObject({
      details: { why: 'no-such-object' },
    });
    expect(cluster.seen).toHaveLength(seen);
  });

  test.each([
    ['Namespace', 'apiVersion: v1\nkind: Namespace\nmetadata: {name: inner}\n', 'ConfigMap/held'],
    [
      'CustomResourceDefinition',
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: inner}\nspec: {group: ex.org, names: {kind: Thing}}\n',
      'Thing/held',
    ],
  ])('refuses to keep what is deleted with its %s, unless that is kept too', async (kind, holder, held) => {
    const { context } = await installed();
    const thing = kind === 'Namespace' ? 'apiVersion: v1\nkind: ConfigMap' : 'apiVersion: ex.org/v1\nkind: Thing';
    const manifest = `${holder}---\n${thing}\nmetadata: {name: held, namespace: inner}\n`;
    const [release] = await (await context.storage()).revisions('a');
    const history = [{ ...(release as Release), manifest }];
    expect(() => prepareUninstall({ name: 'a', keepObjects: held }, history)).toThrow(
      expect.objectContaining({
        details: { release: 'a', why: 'holder-goes', objects: [`${kind}/inner`] },
      }),
    );
    const both = prepareUninstall({ name: 'a', keepObjects: `${held},${kind}/inner` }, history);
    expect(both.kept).toHaveLength(2);
    expect(prepareUninstall({ name: 'a', keepObjects: `${kind}/inner` }, history).manifests).toHaveLength(1);
  });

  test('refuses a selector that matches nothing, and names the labels that there are', async () => {
    const { cluster, context } = await installed();
    const refused = { details: { why: 'no-such-object' }, message: expect.stringContaining('the labels tier=data') };
    for (const dryRun of [true, false])
      await expect(uninstall({ name: 'a', keepObjects: 'tier=dat', dryRun }, context)).rejects.toMatchObject(refused);
    expect(cluster.names()).toEqual(expect.arrayContaining(['ConfigMap/other', 'ConfigMap/settings']));
    expect(await historyOf('a', context)).toMatchObject([{ revision: '1 deployed' }]);
  });

  test.each(['', ' ', ['tier=data', '']])('%j chooses nothing, and is refused', async (keepObjects) => {
    const { context } = await installed();
    await expect(uninstall({ name: 'a', keepObjects }, context)).rejects.toMatchObject({ code: 'bad-options' });
    expect(await historyOf('a', context)).toMatchObject([{ revision: '1 deployed' }]);
  });

  test('a selector and a name in one text are refused with the way to give both', async () => {
    const { context } = await installed();
    await expect(uninstall({ name: 'a', keepObjects: 'tier=data,ConfigMap/other' }, context)).rejects.toMatchObject({
      code: 'invalid-selector',
      message: expect.stringContaining('repeat the option'),
    });
  });

  test('one that fails keeps them in its record too, and names them and the command that goes on', async () => {
    const { cluster, context } = await installed();
    const refusing = new Proxy(cluster, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (key === 'delete') return async () => Promise.reject(denied());
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const failure = uninstall({ name: 'a', keepObjects: 'tier=data' }, contextOf(refusing as Cluster));
    await expect(failure).rejects.toMatchObject({
      message: expect.stringContaining('ConfigMap/settings'),
      details: { remedies: [{ verb: 'uninstall', arguments: ['a', '--keep-objects=tier=data'] }] },
    });
    const [left] = await (await context.storage()).revisions('a');
    expect(left?.info.status).toBe('uninstalling');
    const isKept = (name: string) =>
      readStoredManifest(left?.manifest ?? '').some(
        ({ object }) => object.metadata.name === name && isProtected(object),
      );
    expect([isKept('settings'), isKept('other')]).toEqual([true, false]);
    expect(ownerOf(cluster, 'settings')).toBeUndefined();
    await uninstall({ name: 'a', keepObjects: 'tier=data' }, context);
    expect(cluster.names()).toEqual(['ConfigMap/settings']);
  });

  test('killed at each write, the next uninstall spares the objects even without the option', async () => {
    let kills = 0;
    for (let writes = 3; ; writes += 1) {
      const { cluster, context } = await installed();
      const killed = killedAt(cluster, writes);
      await uninstall({ name: 'a', keepObjects: 'tier=data' }, contextOf(killed.cluster)).catch(() => {});
      if (!killed.isKilled()) break;
      kills += 1;
      await uninstall({ name: 'a', ignoreNotFound: true }, context);
      expect(cluster.names()).toEqual(['ConfigMap/settings']);
    }
    expect(kills).toBeGreaterThanOrEqual(1);
  });
});
