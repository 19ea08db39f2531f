import { describe, expect, test } from 'vitest';
import { diffUpgrade } from '../../src/actions/diff.ts';
import { install } from '../../src/actions/install.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import { ApiError } from '../../src/cluster/api-error.ts';
import { chartOf, configMap, openWorld, type World } from './harness.ts';

const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: late}\n';

/** Revision 1 has `both` and `old` and a Deployment, which comes after them; revision 2 has `both` and `new`. */
async function upgraded(): Promise<World> {
  const world = openWorld();
  const first = { 'a.yaml': configMap('both', 'k: "1"'), 'b.yaml': configMap('old'), 'c.yaml': deployment };
  const second = { 'a.yaml': configMap('both', 'k: "2"'), 'b.yaml': configMap('new') };
  const chart = (files: Record<string, string>) =>
    chartOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [`templates/${name}`, text])));
  await install(await chart(first), new Map(), { name: 'web' }, world.context);
  await upgrade(await chart(second), new Map(), { name: 'web' }, world.context);
  return world;
}

const causeReasons: Record<number, string> = { 409: 'FieldManagerConflict', 422: 'FieldValueInvalid' };
const refusalOf = (status: number, reason: string, message: string, field: string, why: string): ApiError =>
  new ApiError({
    status,
    reason,
    message,
    method: 'PATCH',
    path: '/',
    causes: [{ field, message: why, reason: causeReasons[status] as string }],
  });
const immutable = refusalOf(
  422,
  'Invalid',
  'is invalid',
  'data',
  'Forbidden: field is immutable when `immutable` is set',
);

test('a rollback that fails says what state each object is in', async () => {
  const world = await upgraded();
  world.cluster.failOn('apply', 'both', immutable, 1);
  await expect(rollback({ name: 'web' }, world.context)).rejects.toMatchObject({
    code: 'apply-failed',
    details: {
      objects: [
        'ConfigMap/both in default: failed: data.k cannot be changed in place',
        'ConfigMap/old in default: as in revision 1',
        'Deployment/late in default: not reached; unchanged',
        'ConfigMap/new in default: not deleted yet; not part of this revision',
      ],
      report: expect.stringMatching(/^State of each object:\n {2}ConfigMap\/both/),
    },
  });
});

test('a rollback back and forth after that works', async () => {
  const world = await upgraded();
  world.cluster.failOn('apply', 'both', immutable, 1);
  await rollback({ name: 'web' }, world.context).catch(() => undefined);
  const { release } = await rollback({ name: 'web', revision: 1 }, world.context);
  expect(release.info.status).toBe('deployed');
  expect(world.cluster.find('late')).toBeDefined();
});

test.each([
  [
    'a field that cannot be changed',
    immutable,
    { kind: 'set-option', option: 'replaceObjects', value: 'ConfigMap/both' },
  ],
  [
    'a field that somebody else owns',
    refusalOf(409, 'Conflict', 'Apply failed', '.data.k', 'conflict with "other"'),
    { kind: 'set-option', option: 'forceConflicts' },
  ],
])('%s comes with the option that helps', async (_what, failure, remedy) => {
  const world = await upgraded();
  world.cluster.failOn('apply', 'both', failure, 1);
  await expect(rollback({ name: 'web' }, world.context)).rejects.toMatchObject({
    problems: [expect.objectContaining({ remedies: expect.arrayContaining([remedy]) as unknown })],
  });
});

test('an object that the API server prints whole does not hide what is wrong with it', async () => {
  const world = await upgraded();
  const printed = `{"spec":{"text":"${'x'.repeat(300)}"}}`;
  const message = `spec.template: Invalid value: ${printed}: field is immutable`;
  world.cluster.failOn('apply', 'both', refusalOf(422, 'Invalid', message, 'data', 'field is immutable'), 1);
  await expect(rollback({ name: 'web' }, world.context)).rejects.toThrow('Invalid value: {…}: field is immutable');
});

test('--force-replace deletes and creates what cannot be replaced in place, but nothing that holds data', async () => {
  const claim =
    'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: both}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n';
  for (const [text, isReplaced] of [
    [configMap('both'), true],
    [claim, false],
  ] as const) {
    const world = openWorld();
    const chart = await chartOf({ 'templates/a.yaml': text });
    await install(chart, new Map(), { name: 'web', serverSide: false }, world.context);
    const { uid } = world.cluster.find('both')?.metadata ?? {};
    // The dry run before it is refused too.
    world.cluster.failOn('replace', 'both', immutable, 2);
    const running = upgrade(chart, new Map(), { name: 'web', forceReplace: true }, world.context);
    if (isReplaced) await running;
    else {
      const alsoSet = { allowDataLoss: 'true' };
      const remedies = [{ kind: 'set-option', option: 'replaceObjects', value: 'PersistentVolumeClaim/both', alsoSet }];
      await expect(running).rejects.toMatchObject({ problems: [{ code: 'field-immutable', remedies }] });
    }
    expect(world.cluster.find('both')?.metadata.uid !== uid).toBe(isReplaced);
  }
});

test('--force-replace leaves the claims of a StatefulSet, whatever its retention policy says, and a plan says replace', async () => {
  const world = openWorld();
  const chart = await chartOf({
    'templates/a.yaml':
      'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec: {persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}}\n',
  });
  await install(chart, new Map(), { name: 'web', serverSide: false }, world.context);
  const { uid } = world.cluster.find('db')?.metadata ?? {};
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: uid as string }];
  const metadata = { name: 'data-db-0', namespace: 'default', ownerReferences };
  world.cluster.add({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata });
  world.cluster.failOn('replace', 'db', immutable, 3);
  const options = { name: 'web', forceReplace: true };
  const { objects } = await diffUpgrade(chart, new Map(), options, world.context);
  expect(objects).toMatchObject([{ id: { name: 'db' }, replaced: { how: 'orphan' } }]);
  await upgrade(chart, new Map(), options, world.context);
  expect(world.cluster.find('db')?.metadata.uid).not.toBe(uid);
  expect(world.cluster.find('data-db-0')).toBeDefined();
});

/** What goes together neither here nor in Helm; the revision is recorded as failed there too, and no hook has run. */
describe.each(['upgrade', 'rollback'] as const)('a refused %s leaves a failed revision, as in Helm', (action) => {
  test.each([
    [
      '--force-replace with server-side apply',
      { forceReplace: true },
      'invalid operation: cannot use server-side apply and force replace together',
    ],
    [
      '--force-conflicts without',
      { serverSide: 'false', forceConflicts: true },
      'invalid client update option(s): forceConflicts enabled when serverSideApply disabled',
    ],
  ] as const)('%s', async (_what, flags, message) => {
    const world = await upgraded();
    const hook = configMap('hook', 'k: v', 'helm.sh/hook: "pre-upgrade, pre-rollback"');
    const chart = await chartOf({ 'templates/a.yaml': configMap('both'), 'templates/h.yaml': hook });
    const before = world.cluster.find('both')?.metadata.resourceVersion;
    const options = { name: 'web', ...flags };
    const change = (dryRun: 'none' | 'server' | 'plan') =>
      action === 'upgrade'
        ? upgrade(chart, new Map(), { ...options, dryRun }, world.context)
        : rollback({ ...options, dryRun }, world.context);
    const revisions = async () => (await world.context.storage()).revisions('web');
    const { length } = await revisions();
    await expect(change('plan')).rejects.toThrow(message);
    await change('server');
    expect(await revisions()).toHaveLength(length);
    await expect(change('none')).rejects.toMatchObject({ code: 'invalid-arguments', message });
    expect((await revisions()).at(-1)).toMatchObject({
      version: length + 1,
      info: {
        status: 'failed',
        description: `${action === 'upgrade' ? 'Upgrade' : 'Rollback'} "web" failed: ${message}`,
      },
    });
    expect(world.cluster.find('both')?.metadata.resourceVersion).toBe(before);
    expect(world.cluster.find('hook')).toBeUndefined();
  });
});
