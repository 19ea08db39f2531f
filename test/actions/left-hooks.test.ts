import { describe, expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { testRelease } from '../../src/actions/test-release.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import { refusal } from '../cluster/fake-cluster.ts';
import { chartOf, configMap, openWorld, type World } from './harness.ts';

// The object of a hook that an earlier run has left, because its only policy is hook-failed.

const events =
  'helm.sh/hook: "pre-install,pre-upgrade,pre-rollback,pre-delete,test", helm.sh/hook-delete-policy: hook-failed';
const chart = (data: string) =>
  chartOf({ 'templates/a.yaml': configMap('a'), 'templates/h.yaml': configMap('h', data, events) });

async function installed(serverSide: boolean): Promise<World> {
  const world = openWorld({ isLocked: true });
  await install(await chart('k: "1"'), new Map(), { name: 'rel', serverSide }, world.context);
  return world;
}

const changes = {
  upgrade: async ({ context }: World) => upgrade(await chart('k: "2"'), new Map(), { name: 'rel' }, context),
  rollback: ({ context }: World) => rollback({ name: 'rel', revision: 1 }, context),
  test: async ({ context }: World) => {
    const { failure } = await testRelease({ name: 'rel' }, context);
    if (failure !== undefined) throw failure;
  },
  uninstall: ({ context }: World) => uninstall({ name: 'rel' }, context),
};

describe.each(Object.entries(changes))('%s', (name, change) => {
  test('with server-side apply takes it over, each time', async () => {
    const world = await installed(true);
    const { uid } = world.cluster.find('h')?.metadata ?? {};
    for (let times = name === 'uninstall' ? 2 : 1; times <= 2; times += 1) await change(world);
    expect(world.cluster.find('h')?.metadata.uid).toBe(uid);
    if (name === 'upgrade') expect(world.cluster.find('h')).toMatchObject({ data: { k: '2' } });
  });

  // An uninstall uses server-side apply whatever the release was deployed with, as in Helm.
  if (name === 'uninstall') return;
  test('without it fails, each time: no run deletes what it did not create', async () => {
    const world = await installed(false);
    const { uid } = world.cluster.find('h')?.metadata ?? {};
    for (let times = 1; times <= 3; times += 1) {
      await expect(change(world)).rejects.toThrow('configmaps "h" already exists');
      expect(world.cluster.find('h')?.metadata.uid).toBe(uid);
    }
  });
});

test('one that cannot be changed fails each time, and says what is in the way', async () => {
  const world = await installed(true);
  const h = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'h' } };
  world.cluster.failOn('apply', 'h', refusal(422, 'Invalid', h, 'field is immutable'));
  for (let times = 1; times <= 2; times += 1) {
    await expect(changes.upgrade(world)).rejects.toMatchObject({
      message: expect.stringContaining(
        'pre-upgrade hooks failed: warning: Hook pre-upgrade app/templates/h.yaml failed:',
      ),
      details: { problems: [{ code: 'left-over' }] },
    });
    expect(world.cluster.find('h')).toBeDefined();
  }
});

test('one that is being deleted is waited out', async () => {
  const world = await installed(true);
  const { uid } = world.cluster.find('h')?.metadata ?? {};
  const h = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'h' };
  await world.cluster.patch(h, 'merge', { metadata: { finalizers: ['example.com/slow'] } });
  await world.cluster.delete(h);
  world.events.length = 0;
  const running = changes.upgrade(world);
  await expect.poll(() => world.events.some((event) => event.kind === 'hook' && event.state === 'waiting')).toBe(true);
  world.cluster.remove('h');
  await running;
  expect(world.cluster.find('h')?.metadata.uid).not.toBe(uid);
});
