import { expect, test } from 'vitest';
import { diffUpgrade } from '../../src/actions/diff.ts';
import { install } from '../../src/actions/install.ts';
import type { UpgradeOptions } from '../../src/actions/options/upgrade.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { testRelease } from '../../src/actions/test-release.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { Context } from '../../src/change/context.ts';
import { withStatus } from '../../src/release/history.ts';
import type { Holder } from '../../src/release/lock/holder.ts';
import { newLease } from '../../src/release/lock/lease.ts';
import { leaseLocks } from '../../src/release/lock/release-locks.ts';
import type { OperationRecord, Release, ReleaseStatus } from '../../src/release/types.ts';
import { refusal } from '../cluster/fake-cluster.ts';
import { FakeClock } from '../release/lock/fake-clock.ts';
import { chartOf, configMap, openWorld, type World } from './harness.ts';

const chart = () => chartOf({ 'templates/cm.yaml': configMap('one') });

/** A world whose lock goes by a clock that can be moved. */
function lockedWorld(): World & { readonly clock: FakeClock } {
  const world = openWorld({ isLocked: true });
  const clock = new FakeClock();
  const context: Context = { ...world.context, locks: leaseLocks(world.cluster, { namespace: 'default', clock }) };
  return { ...world, context, clock };
}

const statuses = async ({ context }: World): Promise<string[]> =>
  (await (await context.storage()).revisions('web')).map(({ version, info }) => `${version} ${info.status}`);
const warnings = ({ events }: World): string[] =>
  events.flatMap((event) => (event.kind === 'warning' ? [event.text] : []));

async function installed(): Promise<ReturnType<typeof lockedWorld>> {
  const world = lockedWorld();
  await install(await chart(), new Map(), { name: 'web' }, world.context);
  return world;
}

const upgradeAgain = async (world: World, options: Partial<UpgradeOptions> = {}) =>
  upgrade(await chart(), new Map(), { name: 'web', ...options }, world.context);

const leaseOf = (name: string) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: `tshelm.${name}` },
});

const gone: OperationRecord = { holder: 'bob@far pid 7 cafe', isLeased: true, timeoutSeconds: 300 };

/** The last revision as an operation leaves it that is killed. */
async function leave(world: World, status: ReleaseStatus, operation?: OperationRecord): Promise<void> {
  const storage = await world.context.storage();
  const last = (await storage.revisions('web')).at(-1) as Release;
  const info = { ...last.info, deleted: status === 'uninstalling' ? '2026-01-01T00:00:00Z' : undefined };
  await storage.update({ ...withStatus({ ...last, info }, status), operation });
}

const liveLease = async (world: World): Promise<Holder> => {
  const lock = await (world.context.locks as NonNullable<Context['locks']>).acquire({
    release: 'web',
    operation: 'upgrade',
    waitMs: 0,
    onNote: () => {},
  });
  return lock.holder;
};

test('nothing is left of the lock after each operation, and the records are as Helm writes them', async () => {
  const world = await installed();
  await upgradeAgain(world);
  await rollback({ name: 'web' }, world.context);
  await testRelease({ name: 'web' }, world.context);
  expect(world.cluster.find('tshelm.web')).toBeUndefined();
  for (const { operation } of await (await world.context.storage()).revisions('web')) expect(operation).toBeUndefined();
  await uninstall({ name: 'web' }, world.context);
  expect(world.cluster.names()).toEqual([]);
});

test.each<[string, (context: Context) => Promise<unknown>]>([
  ['install', async (context) => install(await chart(), new Map(), { name: 'web' }, context)],
  ['upgrade', async (context) => upgrade(await chart(), new Map(), { name: 'web' }, context)],
  ['rollback', (context) => rollback({ name: 'web', revision: 1 }, context)],
  ['uninstall', (context) => uninstall({ name: 'web' }, context)],
  ['test', (context) => testRelease({ name: 'web' }, context)],
])('%s is refused while somebody else works on the release', async (_name, act) => {
  const world = await installed();
  await liveLease(world);
  const before = world.cluster.names();
  await expect(act(world.context)).rejects.toMatchObject({
    code: 'operation-in-progress',
    message: expect.stringMatching(
      /^another operation \(install\/upgrade\/rollback\) is in progress: upgrade of "web" by /,
    ),
  });
  expect(world.cluster.names()).toEqual(before);
  expect(await statuses(world)).toEqual(['1 deployed']);
});

test('a dry run needs no lock', async () => {
  const world = await installed();
  await liveLease(world);
  await upgradeAgain(world, { dryRun: 'server' });
  await uninstall({ name: 'web', dryRun: true }, world.context);
});

test('a dry run foresees that what a killed run left is taken over, and writes nothing', async () => {
  const world = await installed();
  await upgradeAgain(world);
  await leave(world, 'pending-upgrade', gone);
  const { release } = await upgradeAgain(world, { dryRun: 'server' });
  expect(release.version).toBe(3);
  const { from, to } = await diffUpgrade(await chart(), new Map(), { name: 'web' }, world.context);
  expect([from?.revision, to.revision]).toEqual([2, 3]);
  expect(await statuses(world)).toEqual(['1 superseded', '2 pending-upgrade']);
});

test('a dry run is refused while an operation may be alive, and says whose and until when', async () => {
  const world = await installed();
  const { identity } = await liveLease(world);
  await leave(world, 'pending-upgrade', { ...gone, holder: identity });
  await expect(upgradeAgain(world, { dryRun: 'server' })).rejects.toMatchObject({
    code: 'operation-in-progress',
    message: expect.stringContaining('tshelm takes it over if it makes no progress for another'),
  });
});

test.each<[string, (world: World) => Promise<unknown>, string[]]>([
  // A failed revision that is the base of an upgrade is superseded by it, as in Helm.
  ['upgrade', (world) => upgradeAgain(world), ['1 superseded', '2 deployed']],
  ['rollback', (world) => rollback({ name: 'web', revision: 1 }, world.context), ['1 failed', '2 deployed']],
  ['uninstall', (world) => uninstall({ name: 'web' }, world.context), []],
])('%s takes over what a killed run has left', async (_name, act, after) => {
  const world = await installed();
  await leave(world, 'pending-install', gone);
  world.cluster.add(
    newLease(
      { release: 'web', namespace: 'default' },
      'install',
      { identity: gone.holder },
      new Date(world.clock.wallMs()),
    ),
  );
  await act(world);
  expect(await statuses(world)).toEqual(after);
  expect(warnings(world)).toContainEqual(
    'bob@far (pid 7) held the lock on "web" and has not renewed it for 15 s; taking over',
  );
  expect(world.cluster.find('tshelm.web')).toBeUndefined();
});

test('the revision that was taken over is failed and says so; what was deployed before stays the base', async () => {
  const world = await installed();
  const storage = await world.context.storage();
  const [first] = (await storage.revisions('web')) as [Release];
  await storage.create({ ...withStatus(first, 'pending-upgrade'), version: 2, operation: gone });
  await upgradeAgain(world);
  expect(await statuses(world)).toEqual(['1 superseded', '2 failed', '3 deployed']);
  expect((await storage.get('web', 2))?.info.description).toMatch(
    /^the upgrade by bob@far \(pid 7\) did not finish; taken over by .+@/,
  );
});

test('an install that was killed does not keep the name; one that failed does, as in Helm', async () => {
  const world = await installed();
  await leave(world, 'pending-install', gone);
  await install(await chart(), new Map(), { name: 'web' }, world.context);
  expect(await statuses(world)).toEqual(['1 failed', '2 deployed']);
  await leave(world, 'failed');
  await expect(install(await chart(), new Map(), { name: 'web' }, world.context)).rejects.toMatchObject({
    code: 'name-in-use',
  });
});

test('an uninstall that was killed can be followed by an upgrade', async () => {
  const world = await installed();
  await leave(world, 'uninstalling', gone);
  world.cluster.remove('one');
  await upgradeAgain(world, { install: true });
  expect(await statuses(world)).toEqual(['1 superseded', '2 deployed']);
  expect(world.cluster.find('one')).toBeDefined();
});

test('what Helm left pending is refused while it may be alive', async () => {
  const world = await installed();
  await leave(world, 'pending-upgrade');
  await expect(upgradeAgain(world)).rejects.toMatchObject({
    code: 'operation-in-progress',
    details: {
      revision: 1,
      status: 'pending-upgrade',
      holder: 'Helm',
      remedies: [{ option: 'waitLockMs' }, { option: 'staleAfterMs' }],
    },
  });
  expect(await statuses(world)).toEqual(['1 pending-upgrade']);
  expect(world.cluster.find('tshelm.web')).toBeUndefined();
});

test('what Helm left pending is taken over when nothing has moved for --stale-after', async () => {
  const world = await installed();
  await leave(world, 'pending-upgrade');
  const ahead: Context = { ...world.context, locks: undefined, clock: { now: () => new Date('2026-01-02T05:00:00Z') } };
  await expect(
    upgrade(await chart(), new Map(), { name: 'web', staleAfterMs: 86_400_000 }, ahead),
  ).rejects.toMatchObject({ code: 'operation-in-progress' });
  await upgrade(await chart(), new Map(), { name: 'web' }, ahead);
  expect(await statuses(world)).toEqual(['1 superseded', '2 deployed']);
  expect(warnings(world)).toEqual([expect.stringMatching(/^revision 1 is marked as failed: the upgrade by Helm did/)]);
});

test('a run whose lock is lost leaves the record to who has it now', async () => {
  const world = await installed();
  world.cluster.failOn('apply', 'one', new Error('never sent'), 0);
  const apply = world.cluster.apply.bind(world.cluster);
  world.cluster.apply = async (object, options) => {
    const applied = await apply(object, options);
    // The process stands still, and another takes the release over.
    world.clock.standStill(20_000);
    world.cluster.remove('tshelm.web');
    await liveLease(world);
    return applied;
  };
  await expect(upgradeAgain(world, { rollbackOnFailure: true, wait: 'hookOnly' })).rejects.toMatchObject({
    code: 'lock-lost',
  });
  expect(await statuses(world)).toEqual(['1 deployed', '2 pending-upgrade']);
});

test('a run whose record another one has written changes nothing more, whatever its Lease says', async () => {
  const world = await installed();
  const storage = await world.context.storage();
  const apply = world.cluster.apply.bind(world.cluster);
  world.cluster.apply = async (object, options) => {
    const applied = await apply(object, options);
    const record = (await storage.get('web', 2)) as Release;
    await storage.update(withStatus(record, 'failed', 'taken over'));
    return applied;
  };
  await expect(upgradeAgain(world, { rollbackOnFailure: true })).rejects.toMatchObject({
    code: 'lock-lost',
    message: expect.stringMatching(/^revision 2 of release "web" was changed by another run/),
  });
  expect(await statuses(world)).toEqual(['1 deployed', '2 failed']);
});

test('a record that is written while it is taken over belongs to a run that lives', async () => {
  const world = await installed();
  await leave(world, 'pending-upgrade', gone);
  const storage = await world.context.storage();
  const update = world.cluster.replace.bind(world.cluster);
  world.cluster.replace = async (object, options) => {
    world.cluster.replace = update;
    await storage.update({ ...((await storage.get('web', 1)) as Release), operation: { ...gone, isLeased: false } });
    return update(object, options);
  };
  await expect(upgradeAgain(world)).rejects.toMatchObject({ code: 'operation-in-progress' });
  expect(await statuses(world)).toEqual(['1 pending-upgrade']);
});

test('where the Lease may not be renewed, the record says that it alone locks the release', async () => {
  const world = await installed();
  const storage = await world.context.storage();
  const isLeased: (boolean | undefined)[] = [];
  const look = async () => void isLeased.push((await storage.get('web', 2))?.operation?.isLeased);
  world.cluster.failOn('replace', 'tshelm.web', refusal(403, 'Forbidden', leaseOf('web'), 'cannot update leases'));
  const apply = world.cluster.apply.bind(world.cluster);
  world.cluster.apply = async (object, options) => {
    await look();
    await world.clock.pass(5_000);
    await look();
    return apply(object, options);
  };
  await upgradeAgain(world);
  expect(isLeased).toEqual([true, false]);
  expect(await statuses(world)).toEqual(['1 superseded', '2 deployed']);
});
