import { expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import type { UpgradeOptions } from '../../src/actions/options/upgrade.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { Chart } from '../../src/chart/types.ts';
import type { GoMap } from '../../src/go/value.ts';
import type { Release } from '../../src/release/types.ts';
import { chartOf, configMap, job, openWorld, type World } from '../actions/harness.ts';
import { refusal } from '../cluster/fake-cluster.ts';

const grouped = (name: string, group: string, after = ''): string =>
  configMap(
    name,
    'k: "{{ .Values.k }}"',
    `helm.sh/resource-group: ${group}${after && `, "helm.sh/depends-on/resource-groups": '["${after}"]'`}`,
  );

/** Three groups one after another, with a hook before and one behind them. */
const chart = (files: Readonly<Record<string, string>> = {}): Promise<Chart> =>
  chartOf({
    'values.yaml': 'k: a\n',
    'templates/one.yaml': grouped('one', 'first'),
    'templates/two.yaml': grouped('two', 'second', 'first'),
    'templates/three.yaml': grouped('three', 'third', 'second'),
    'templates/before.yaml': job('before', 'helm.sh/hook: "pre-install,pre-upgrade"'),
    'templates/after.yaml': job('after', 'helm.sh/hook: "post-install,post-upgrade"'),
    ...files,
  });

const values: GoMap = new Map([['k', 'b']]);
const invalid = (name: string) =>
  refusal(422, 'Invalid', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }, 'is invalid');
const open = (): World => openWorld({ isLocked: true, readyAtOnce: true });

/** What was written since `from`, the lock and the records left out. */
const written = ({ cluster }: World, from = 0): string[] =>
  cluster.seen.slice(from).filter((name) => !/^(tshelm|sh\.helm)\./.test(name));
const revisions = async ({ context }: World): Promise<readonly Release[]> => (await context.storage()).revisions('web');
const statuses = async (world: World): Promise<string[]> =>
  (await revisions(world)).map(({ version, info }) => `${version} ${info.status}`);

const upgradeTo = async (world: World, options: Partial<UpgradeOptions> = {}, given = values, to = chart()) =>
  upgrade(await to, given, { name: 'web', wait: 'ordered', preflight: 'never', ...options }, world.context);

/** An upgrade that fails at an object, once. */
async function failedAt(name: string): Promise<World> {
  const world = open();
  await install(await chart(), new Map(), { name: 'web', wait: 'ordered', preflight: 'never' }, world.context);
  world.cluster.failOn('apply', name, invalid(name), 1);
  await expect(upgradeTo(world)).rejects.toMatchObject({ code: 'apply-failed' });
  return world;
}

test.each([
  ['the second group', 'two', ['two', 'three', 'after']],
  ['the hook behind them', 'after', ['after']],
  ['the hook before them', 'before', ['before', 'one', 'two', 'three', 'after']],
])('an upgrade that failed at %s goes on there', async (_where, name, rest) => {
  const world = open();
  await install(await chart(), new Map(), { name: 'web', wait: 'ordered', preflight: 'never' }, world.context);
  world.cluster.failOn('apply', name, invalid(name), 1);
  await expect(upgradeTo(world)).rejects.toThrow();
  const from = world.cluster.seen.length;
  const { release } = await upgradeTo(world, { resume: true });
  expect(written(world, from)).toEqual(rest);
  expect(release.info).toMatchObject({ status: 'deployed', description: 'Upgrade complete' });
  expect(await statuses(world)).toEqual(['1 superseded', '2 failed', '3 deployed']);
  expect(release.operation).toBeUndefined();
});

test('without --resume all of it is done again', async () => {
  const world = await failedAt('two');
  const from = world.cluster.seen.length;
  await upgradeTo(world);
  expect(written(world, from)).toEqual(['before', 'one', 'two', 'three', 'after']);
});

test('what is resumed can fail and be resumed again', async () => {
  const world = await failedAt('two');
  world.cluster.failOn('apply', 'three', invalid('three'), 1);
  await expect(upgradeTo(world, { resume: true })).rejects.toMatchObject({ code: 'apply-failed' });
  const from = world.cluster.seen.length;
  await upgradeTo(world, { resume: true });
  expect(written(world, from)).toEqual(['three', 'after']);
  expect(await statuses(world)).toEqual(['1 superseded', '2 failed', '3 failed', '4 deployed']);
});

test('with --eager too, what is done is done', async () => {
  const world = open();
  await install(await chart(), new Map(), { name: 'web', wait: 'ordered', preflight: 'never' }, world.context);
  world.cluster.failOn('apply', 'three', invalid('three'), 1);
  await expect(upgradeTo(world, { eager: true })).rejects.toThrow();
  const from = world.cluster.seen.length;
  await upgradeTo(world, { eager: true, resume: true });
  expect(written(world, from)).toEqual(['three', 'after']);
});

test('an install that failed is resumed as an install; its values need not be said again', async () => {
  const world = open();
  world.cluster.failOn('apply', 'three', invalid('three'), 1);
  await expect(
    install(await chart(), values, { name: 'web', wait: 'ordered', preflight: 'never' }, world.context),
  ).rejects.toThrow();
  const from = world.cluster.seen.length;
  const { release } = await upgradeTo(world, { resume: true, install: true }, new Map());
  expect(written(world, from)).toEqual(['three', 'after']);
  expect(release.info.description).toBe('Install complete');
  expect(world.cluster.find('three')).toMatchObject({ data: { k: 'b' } });
});

test('a killed run is resumed: progress is in its record before more is begun', async () => {
  const world = open();
  await install(await chart(), new Map(), { name: 'web', wait: 'ordered', preflight: 'never' }, world.context);
  const apply = world.cluster.apply.bind(world.cluster);
  const storage = await world.context.storage();
  let left: Release | undefined;
  world.cluster.apply = async (object, options) => {
    // As the record stands when the last group begins.
    if (object.metadata.name === 'three') left = await storage.get('web', 2);
    return apply(object, options);
  };
  await upgradeTo(world);
  expect(left?.info.status).toBe('pending-upgrade');
  await storage.delete('web', 2);
  const [first] = await revisions(world);
  await storage.update({ ...(first as Release), info: { ...(first as Release).info, status: 'deployed' } });
  await storage.create(left as Release);
  world.cluster.apply = apply;
  const from = world.cluster.seen.length;
  await upgradeTo(world, { resume: true });
  expect(written(world, from)).toEqual(['three', 'after']);
  expect(await statuses(world)).toEqual(['1 superseded', '2 failed', '3 deployed']);
});

test.each<[string, GoMap, () => Promise<Chart>, readonly string[]]>([
  ['other values', new Map([['k', 'c']]), chart, ['values']],
  ['another chart', values, () => chart({ 'templates/one.yaml': grouped('uno', 'first') }), ['chart']],
  ['both', new Map([['k', 'c']]), () => chart({ 'values.yaml': 'k: z\n' }), ['chart', 'values']],
])('refused with %s', async (_what, given, other, differ) => {
  const world = await failedAt('two');
  await expect(upgradeTo(world, { resume: true }, given, other())).rejects.toMatchObject({
    code: 'cannot-resume',
    details: { revision: 2, differ },
  });
  expect(await statuses(world)).toEqual(['1 deployed', '2 failed']);
});

test('refused when nothing failed, when Helm failed, and when there is nothing', async () => {
  const world = open();
  await expect(upgradeTo(world, { resume: true })).rejects.toMatchObject({ code: 'release-not-found' });
  await install(await chart(), new Map(), { name: 'web' }, world.context);
  await expect(upgradeTo(world, { resume: true })).rejects.toMatchObject({
    code: 'nothing-to-resume',
    message:
      'release "web" has nothing to resume: its last revision is 1, and its status is deployed; upgrade without resuming',
  });
  const [last] = (await revisions(world)) as [Release];
  await (await world.context.storage()).update({ ...last, info: { ...last.info, status: 'failed' } });
  await expect(upgradeTo(world, { resume: true })).rejects.toMatchObject({
    code: 'nothing-to-resume',
    message: expect.stringContaining('tshelm did not write it'),
  });
});

test('with --install, what was never begun is installed: a pipeline may always say --resume', async () => {
  const world = open();
  const { isInstalled } = await upgradeTo(world, { install: true, resume: true });
  expect(isInstalled).toBe(true);
  expect(await statuses(world)).toEqual(['1 deployed']);
});

test.each([
  ['--resume', { resume: true }],
  ['another upgrade', {}],
])('a failed Job of a batch is created anew by %s', async (_way, options) => {
  const world = openWorld({ isLocked: true });
  const migrating = chart({
    'templates/two.yaml': job(
      'two',
      `helm.sh/resource-group: second, "helm.sh/depends-on/resource-groups": '["first"]'`,
    ),
    'templates/before.yaml': '',
    'templates/after.yaml': '',
  });
  const running = install(await migrating, values, { name: 'web', wait: 'ordered' }, world.context);
  await world.cluster.sees('two');
  const failed = world.cluster.find('two')?.metadata.uid;
  world.cluster.makeFailed('two');
  await expect(running).rejects.toMatchObject({ code: 'wait-failed' });

  const again = upgradeTo(world, options, values, migrating);
  await expect.poll(() => world.cluster.find('two')?.metadata.uid).not.toBe(failed);
  await expect.poll(() => world.cluster.find('two')).toBeDefined();
  world.cluster.makeReady('two');
  await again;
  expect((await statuses(world)).at(-1)).toBe('2 deployed');
});

test.each([
  ['has no pod that runs', { active: 1, ready: 0 }, {}, true],
  ['has a pod that runs, and is changed', { active: 1, ready: 1 }, { image: 'mended' }, true],
  ['has a pod that runs', { active: 1, ready: 1 }, {}, false],
  ['is complete by now', { active: 0, conditions: [{ type: 'Complete', status: 'True' }] }, {}, false],
])('a Job of a batch that was given up and %s', async (_state, status, changed: { image?: string }, isAnew) => {
  const world = openWorld({ isLocked: true });
  const migrating = (image = 'busybox') =>
    chart({
      'templates/two.yaml': job(
        'two',
        `helm.sh/resource-group: second, "helm.sh/depends-on/resource-groups": '["first"]'`,
      ).replace('busybox', image),
      'templates/three.yaml': '',
      'templates/before.yaml': '',
      'templates/after.yaml': '',
    });
  await expect(
    install(await migrating(), values, { name: 'web', wait: 'ordered', timeoutMs: 100 }, world.context),
  ).rejects.toMatchObject({ code: 'wait-timeout' });
  const before = world.cluster.find('two')?.metadata.uid;
  world.cluster.setStatus('two', status);

  const from = world.cluster.calls.length;
  const again = upgradeTo(world, {}, values, migrating(changed.image));
  await expect
    .poll(() => world.cluster.calls.slice(from).filter(({ verb, name }) => verb === 'apply' && name === 'two').length)
    .toBe(1);
  await expect.poll(() => world.cluster.find('two')).toBeDefined();
  world.cluster.makeReady('two');
  await again;
  expect(world.cluster.find('two')?.metadata.uid !== before).toBe(isAnew);
  expect((await statuses(world)).at(-1)).toBe('2 deployed');
});
