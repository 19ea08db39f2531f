import { describe, expect, test } from 'vitest';
import { diffUpgrade } from '../../src/actions/diff.ts';
import { install } from '../../src/actions/install.ts';
import type { UpgradeOptions } from '../../src/actions/options/upgrade.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import type { GoMap, Value } from '../../src/go/value.ts';
import { withStatus } from '../../src/release/history.ts';
import type { Release } from '../../src/release/types.ts';
import { refusal } from '../cluster/fake-cluster.ts';
import { chartOf, configMap, job, openWorld, type World } from './harness.ts';

type Files = Readonly<Record<string, string>>;
const first: Files = { 'templates/a.yaml': configMap('old'), 'templates/b.yaml': configMap('both', 'k: "1"') };
const second: Files = { 'templates/b.yaml': configMap('both', 'k: "2"'), 'templates/c.yaml': configMap('new') };

async function installed(world = openWorld(), files = first, values: GoMap = new Map()): Promise<World> {
  await install(await chartOf(files), values, { name: 'web' }, world.context);
  return world;
}

const upgradeTo = async (
  world: World,
  files: Files,
  options: Partial<UpgradeOptions> = {},
  values: GoMap = new Map(),
) => upgrade(await chartOf(files), values, { name: 'web', ...options }, world.context);

const revisions = async ({ context }: World): Promise<readonly Release[]> => (await context.storage()).revisions('web');
const statuses = async (world: World): Promise<readonly string[]> =>
  (await revisions(world)).map(({ version, info }) => `${version} ${info.status}`);
const maps = (world: World): readonly string[] => world.cluster.names().filter((name) => name.startsWith('ConfigMap/'));

describe('upgrade', () => {
  test('creates, changes, and deletes what the new chart lacks', async () => {
    const world = await installed();
    const { release } = await upgradeTo(world, second);
    expect(maps(world)).toEqual(['ConfigMap/both', 'ConfigMap/new']);
    expect(world.cluster.find('both')).toMatchObject({ data: { k: '2' } });
    expect(release).toMatchObject({ version: 2, applyMethod: 'ssa', info: { description: 'Upgrade complete' } });
    expect(await statuses(world)).toEqual(['1 superseded', '2 deployed']);
  });

  test.each([undefined, 'false'] as const)(
    'what somebody has deleted is created anew (--server-side %s)',
    async (serverSide) => {
      const world = await installed();
      world.cluster.remove('both');
      await upgradeTo(world, second, serverSide === undefined ? {} : { serverSide });
      const told = world.events.flatMap((event) =>
        event.kind === 'resource' && event.id.name === 'both' ? [event.state] : [],
      );
      expect(told).toEqual(['applying', 'created', 'applying', 'created']);
    },
  );

  test('what is deleted is deleted after the rest is applied, unless the live object says keep', async () => {
    const kept = configMap('kept', 'k: v', 'helm.sh/resource-policy: keep');
    const world = await installed(openWorld(), { ...first, 'templates/k.yaml': kept });
    await upgradeTo(world, second);
    const calls = world.cluster.calls.map(({ verb, name }) => `${verb} ${name}`);
    expect(calls.indexOf('delete old')).toBeGreaterThan(calls.lastIndexOf('apply new'));
    expect(maps(world)).toContain('ConfigMap/kept');
  });

  test('what another release has taken since is not deleted, and a plan says whose it is before it is taken back', async () => {
    const world = await installed();
    const other = await chartOf({ 'templates/a.yaml': configMap('old'), 'templates/b.yaml': configMap('both') });
    await install(other, new Map(), { name: 'other', takeOwnership: true }, world.context);
    const planned = await diffUpgrade(await chartOf(second), new Map(), { name: 'web' }, world.context);
    await upgradeTo(world, second);
    expect(maps(world)).toEqual(['ConfigMap/both', 'ConfigMap/new', 'ConfigMap/old']);
    const adopted = { from: { release: 'other', namespace: 'default' } };
    expect(planned.objects).toMatchObject([
      { id: { name: 'both' }, adopted },
      { id: { name: 'new' }, change: 'added' },
      { id: { name: 'old' }, change: 'kept' },
    ]);
  });

  test('a failed upgrade is recorded; the deployed revision stays deployed', async () => {
    const world = await installed();
    const broken = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'both' } };
    world.cluster.failOn('apply', 'both', refusal(422, 'Invalid', broken, 'is invalid'), 1);
    await expect(upgradeTo(world, second, { cleanupOnFail: true })).rejects.toMatchObject({ code: 'apply-failed' });
    const last = (await revisions(world)).at(-1);
    expect(last?.info.description).toMatch(/^Upgrade "web" failed: server-side apply failed for object default\/both/);
    expect(await statuses(world)).toEqual(['1 deployed', '2 failed']);
    expect(maps(world)).toEqual(['ConfigMap/both', 'ConfigMap/old']);
    await upgradeTo(world, second);
    expect(await statuses(world)).toEqual(['1 superseded', '2 failed', '3 deployed']);
  });

  test('several failures are recorded in one line, as Helm joins them', async () => {
    const world = await installed();
    for (const name of ['both', 'new']) {
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      world.cluster.failOn('apply', name, refusal(422, 'Invalid', map, `${name} is invalid`), 1);
    }
    await expect(upgradeTo(world, second)).rejects.toThrow(
      /both is invalid\nfailed to create resource: .* new is invalid$/,
    );
    const last = (await revisions(world)).at(-1);
    expect(last?.info.description).toMatch(/both is invalid && failed to create resource: .* new is invalid$/);
  });

  test('an object that has gone behind our back and is refused fails as a new one', async () => {
    const world = await installed();
    const both = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'both', namespace: 'default' } };
    await world.cluster.delete({ ...both, ...both.metadata });
    world.cluster.failOn('apply', 'both', refusal(422, 'Invalid', both, 'is invalid'), 1);
    await expect(upgradeTo(world, second)).rejects.toMatchObject({
      message: expect.stringMatching(/^failed to create resource: server-side apply failed for object default\/both/),
    });
  });

  test('--rollback-on-failure goes back to the last good revision', async () => {
    const world = await installed();
    const broken = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } };
    world.cluster.failOn('apply', 'new', refusal(422, 'Invalid', broken, 'is invalid'), 1);
    await expect(upgradeTo(world, second, { rollbackOnFailure: true })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^release web failed, and has been rolled back due to rollback-on-failure being set: failed to create resource: server-side apply failed/,
      ),
    });
    expect(await statuses(world)).toEqual(['1 superseded', '2 failed', '3 deployed']);
    expect(world.cluster.find('both')).toMatchObject({ data: { k: '1' } });
  });

  test('what undoes a failure waits for a server that is gone no longer than --timeout, in all', async () => {
    const world = await installed();
    const limits: string[] = [];
    const cluster: Cluster = world.cluster;
    cluster.limitAbsence = (limitMs) => {
      limits.push(`${limitMs} from ${world.cluster.seen.length}`);
      return () => limits.push('called off');
    };
    const broken = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } };
    world.cluster.failOn('apply', 'new', refusal(422, 'Invalid', broken, 'is invalid'), 1);
    const before = world.cluster.seen.length;
    await expect(upgradeTo(world, second, { rollbackOnFailure: true, timeoutMs: 7_000 })).rejects.toThrow();
    expect(limits).toEqual([expect.stringMatching(/^7000 from \d+$/), 'called off']);
    const from = Number(limits[0]?.split(' ').at(-1));
    expect(from).toBeGreaterThan(before);
    expect(from).toBeLessThan(world.cluster.seen.length);
  });

  test('--rollback-on-failure with --force-conflicts goes back to a client-side revision, too', async () => {
    const world = openWorld();
    await install(await chartOf(first), new Map(), { name: 'web', serverSide: false }, world.context);
    const broken = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } };
    world.cluster.failOn('apply', 'new', refusal(422, 'Invalid', broken, 'is invalid'), 2);
    await expect(upgradeTo(world, second, { serverSide: 'true' })).rejects.toThrow('is invalid');
    const again = upgradeTo(world, second, { forceConflicts: true, rollbackOnFailure: true });
    await expect(again).rejects.toThrow('has been rolled back');
    expect(await statuses(world)).toEqual(['1 superseded', '2 failed', '3 failed', '4 deployed']);
  });

  test('--history-max keeps that many revisions', async () => {
    const world = await installed();
    for (let round = 0; round < 4; round++) await upgradeTo(world, second, { maxHistory: 2 });
    expect(await statuses(world)).toEqual(['4 superseded', '5 deployed']);
  });

  test('an upgrade under way is left alone', async () => {
    const world = await installed();
    const [release] = await revisions(world);
    await (await world.context.storage()).update(withStatus(release as Release, 'pending-upgrade'));
    await expect(upgradeTo(world, second)).rejects.toMatchObject({
      code: 'operation-in-progress',
      details: { revision: 1, status: 'pending-upgrade', holder: 'Helm' },
      message: expect.stringMatching(/^another operation \(install\/upgrade\/rollback\) is in progress/),
    });
  });

  test('without a release it fails; with --install it installs', async () => {
    const world = openWorld();
    await expect(upgradeTo(world, first)).rejects.toMatchObject({ message: '"web" has no deployed releases' });
    expect(await upgradeTo(world, first, { install: true })).toMatchObject({ isInstalled: true });
    await uninstall({ name: 'web', keepHistory: true }, world.context);
    await expect(upgradeTo(world, first)).rejects.toMatchObject({ message: '"web" has no deployed releases' });
    await upgradeTo(world, first, { install: true });
    expect(await statuses(world)).toEqual(['1 superseded', '2 deployed']);
  });

  test('hooks: failure before anything else changes, in Helm’s words', async () => {
    const world = await installed();
    const running = upgradeTo(world, { ...second, 'templates/h.yaml': job('migrate', 'helm.sh/hook: pre-upgrade') });
    await world.cluster.sees('migrate');
    world.cluster.makeFailed('migrate');
    await expect(running).rejects.toMatchObject({
      message: expect.stringMatching(/^pre-upgrade hooks failed: resource Job\/default\/migrate not ready/),
    });
    expect(world.cluster.find('new')).toBeUndefined();
  });

  test('labels are merged, and null removes one', async () => {
    const world = openWorld();
    await install(await chartOf(first), new Map(), { name: 'web', labels: { a: '1', b: '2' } }, world.context);
    const { release } = await upgradeTo(world, second, { labels: { b: 'null', c: '3' } });
    expect(release.labels).toEqual({ a: '1', c: '3' });
  });

  test('a new resource that belongs to somebody else is refused before anything is recorded', async () => {
    const world = await installed();
    world.cluster.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } });
    await expect(upgradeTo(world, second)).rejects.toMatchObject({
      message: expect.stringMatching(/^unable to continue with update: ConfigMap "new" in namespace "default" exists/),
    });
    expect(await statuses(world)).toEqual(['1 deployed']);
    await upgradeTo(world, second, { takeOwnership: true });
  });
});

// helm get values after helm upgrade with these flags: user values a=1,b=1 first, then b=2; chart values c=1, then c=2.
describe('the values of an upgrade', () => {
  const chart = (c: number): Files => ({
    'values.yaml': `c: ${c}\n`,
    'templates/a.yaml': configMap('m', 'c: "{{ .Values.c }}"'),
  });
  const values = (entries: Record<string, Value>): GoMap => new Map(Object.entries(entries));
  test.each<[string, Partial<UpgradeOptions>, GoMap, Record<string, Value>, string]>([
    ['no values: the old ones', {}, values({}), { a: 1, b: 1 }, '2'],
    ['values: only those', {}, values({ b: 2 }), { b: 2 }, '2'],
    ['--reset-values', { resetValues: true }, values({}), {}, '2'],
    ['--reuse-values keeps the old chart values too', { reuseValues: true }, values({ b: 2 }), { b: 2, a: 1 }, '1'],
    ['--reset-then-reuse-values', { resetThenReuseValues: true }, values({ b: 2 }), { b: 2, a: 1 }, '2'],
  ])('%s', async (_what, options, given, config, c) => {
    const world = await installed(openWorld(), chart(1), values({ a: 1, b: 1 }));
    const { release } = await upgradeTo(world, chart(2), options, given);
    expect(Object.fromEntries(release.config)).toEqual(config);
    expect(world.cluster.find('m')).toMatchObject({ data: { c } });
  });
});

describe('rollback', () => {
  const upgraded = async (): Promise<World> => {
    const world = await installed();
    await upgradeTo(world, second);
    return world;
  };

  test('brings back the revision before, as a new one', async () => {
    const world = await upgraded();
    const { release } = await rollback({ name: 'web' }, world.context);
    expect(release).toMatchObject({
      version: 3,
      info: { status: 'deployed', description: 'Rollback to 1', rollbackRevision: 1 },
    });
    expect(await statuses(world)).toEqual(['1 superseded', '2 superseded', '3 deployed']);
    expect(maps(world)).toEqual(['ConfigMap/both', 'ConfigMap/old']);
    expect(world.cluster.find('both')).toMatchObject({ data: { k: '1' } });
  });

  test.each<[string, object, string]>([
    ['no such release', { name: 'nope' }, 'release: not found'],
    ['no such revision', { revision: 7 }, 'release has no 7 version'],
    ['a negative revision', { revision: -1 }, 'invalid release revision'],
    ['a long description', { description: 'x'.repeat(257) }, 'description must be 256 characters or less, got 257'],
  ])('%s', async (_what, options, message) => {
    const world = await upgraded();
    await expect(rollback({ name: 'web', ...options }, world.context)).rejects.toMatchObject({ message });
    expect(await statuses(world)).toEqual(['1 superseded', '2 deployed']);
  });

  test('a failed rollback is recorded as failed', async () => {
    const world = await upgraded();
    const broken = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'both' } };
    world.cluster.failOn('apply', 'both', refusal(422, 'Invalid', broken, 'is invalid'), 1);
    await expect(rollback({ name: 'web' }, world.context)).rejects.toMatchObject({ code: 'apply-failed' });
    expect(await statuses(world)).toEqual(['1 superseded', '2 superseded', '3 failed']);
    expect((await revisions(world)).at(-1)?.info.description).toMatch(
      /^Rollback "web" failed: server-side apply failed/,
    );
  });

  test('--dry-run changes nothing', async () => {
    const world = await upgraded();
    await rollback({ name: 'web', dryRun: 'client' }, world.context);
    expect(await statuses(world)).toEqual(['1 superseded', '2 deployed']);
  });
});
