import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { ResourceState } from '../../src/execute/events.ts';
import { refusal } from '../cluster/fake-cluster.ts';
import { chartOf, configMap, openWorld, type World } from './harness.ts';

// An object that is being deleted when a change comes to it: it goes whatever is written to it.

const slow = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'slow' };
const chart = (data = 'k: v') =>
  chartOf({ 'templates/slow.yaml': configMap('slow', data), 'templates/other.yaml': configMap('other', data) });

/** A release of which one object has been going since a run that was killed. */
async function openDying(options: { serverSide?: boolean } = {}): Promise<World> {
  const world = openWorld();
  await install(await chart(), new Map(), { name: 'rel', ...options }, world.context);
  await world.cluster.patch(slow, 'merge', { metadata: { finalizers: ['foregroundDeletion'] } });
  await world.cluster.delete(slow);
  world.events.length = 0;
  return world;
}

const statesOf = ({ events }: World, name: string): readonly ResourceState[] =>
  events.flatMap((event) => (event.kind === 'resource' && event.id.name === name ? [event.state] : []));

/** Lets the object go once the run waits for that; what the change does then. */
async function goesDuring(world: World, change: Promise<unknown>): Promise<void> {
  const uid = world.cluster.find('slow')?.metadata.uid;
  await expect.poll(() => statesOf(world, 'slow')).toContain('waiting');
  world.cluster.remove('slow');
  await change;
  const { metadata } = world.cluster.find('slow') ?? {};
  expect(metadata).toMatchObject({ name: 'slow', annotations: { 'meta.helm.sh/release-name': 'rel' } });
  expect(metadata?.uid).not.toBe(uid);
  expect(metadata?.deletionTimestamp).toBeUndefined();
  expect(statesOf(world, 'slow').at(-1)).toBe('created');
}

test.each([
  ['an upgrade', {}, 'k: v'],
  ['an upgrade that changes it', {}, 'k: w'],
  ['client-side apply', { serverSide: false }, 'k: w'],
] as const)('%s waits until it is gone and creates it anew', async (_what, options, data) => {
  const world = await openDying(options);
  const { length } = world.cluster.calls;
  await goesDuring(world, upgrade(await chart(data), new Map(), { name: 'rel' }, world.context));
  const calls = world.cluster.calls.slice(length).filter(({ kind, name }) => kind === 'ConfigMap' && name !== '');
  if (!('serverSide' in options))
    // What is alive costs one request.
    expect(calls.map(({ verb, name }) => `${verb} ${name}`).sort()).toEqual([
      'apply other',
      'apply slow',
      'apply slow',
    ]);
});

test('so does a rollback', async () => {
  const world = await openDying();
  await goesDuring(world, rollback({ name: 'rel', revision: 1 }, world.context));
});

test('what the server refuses of it does not matter', async () => {
  const world = await openDying();
  world.cluster.failOn('apply', 'slow', refusal(422, 'Invalid', { ...slow, metadata: slow }, 'is immutable'), 1);
  await goesDuring(world, upgrade(await chart(), new Map(), { name: 'rel' }, world.context));
});

test('one that does not go in time fails, and says what keeps it', async () => {
  const world = await openDying();
  const change = upgrade(await chart(), new Map(), { name: 'rel', timeoutMs: 20 }, world.context);
  await expect(change).rejects.toMatchObject({
    code: 'apply-failed',
    details: { kind: 'ConfigMap', name: 'slow', reason: 'Terminating', status: 409 },
    message: expect.stringContaining('foregroundDeletion'),
  });
});

test('an object that is alive is refused as before', async () => {
  const world = openWorld();
  await install(await chart(), new Map(), { name: 'rel' }, world.context);
  world.cluster.failOn('apply', 'slow', refusal(422, 'Invalid', { ...slow, metadata: slow }, 'is immutable'));
  const change = upgrade(await chart(), new Map(), { name: 'rel' }, world.context);
  await expect(change).rejects.toThrow('is immutable');
});

test('what a failed upgrade deletes and puts back has longer than --timeout to go', async () => {
  const world = openWorld();
  await install(await chart(), new Map(), { name: 'rel' }, world.context);
  await world.cluster.patch(slow, 'merge', { metadata: { finalizers: ['foregroundDeletion'] } });
  world.events.length = 0;
  const without = await chartOf({ 'templates/other.yaml': configMap('other', 'k: v') });
  const options = { name: 'rel', wait: 'ordered', rollbackOnFailure: true, timeoutMs: 100 } as const;
  const change = upgrade(without, new Map(), options, world.context).catch((error: unknown) => error);
  await expect.poll(() => statesOf(world, 'slow')).toContain('waiting');
  await delay(300);
  world.cluster.remove('slow');
  expect(await change).toMatchObject({ code: 'upgrade-rolled-back' });
  expect(world.cluster.find('slow')?.metadata.deletionTimestamp).toBeUndefined();
});
