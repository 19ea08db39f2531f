import { describe, expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import type { UninstallOptions } from '../../src/actions/options/uninstall.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import type { ExecutionEvent } from '../../src/execute/events.ts';
import { refusal } from '../cluster/fake-cluster.ts';
import { chartOf, configMap, job, openWorld, type World } from './harness.ts';

const files = {
  'templates/a.yaml': configMap('settings'),
  'templates/b.yaml': configMap('precious', 'k: v', 'helm.sh/resource-policy: keep'),
};

async function installed(world: World, more: Readonly<Record<string, string>> = {}): Promise<World> {
  await install(await chartOf({ ...files, ...more }), new Map(), { name: 'web' }, world.context);
  return world;
}

const remove = (world: World, options: Partial<UninstallOptions> = {}) =>
  uninstall({ name: 'web', ...options }, world.context);

const statuses = async ({ context }: World) =>
  (await (await context.storage()).revisions('web')).map(({ version, info }) => `${version} ${info.status}`);

describe('uninstall', () => {
  test('deletes what belongs to the release, and its record; keeps what the policy keeps', async () => {
    const world = await installed(openWorld());
    const { release, info } = await remove(world);
    expect(world.cluster.names()).toEqual(['ConfigMap/precious']);
    expect(release?.info).toMatchObject({ status: 'uninstalled', description: 'Uninstallation complete' });
    expect(info).toBe('These resources were kept due to the resource policy:\n[ConfigMap] precious\n');
  });

  test('--keep-history keeps the record, with the time of the deletion', async () => {
    const world = await installed(openWorld());
    await remove(world, { keepHistory: true, description: 'gone' });
    const [release] = await (await world.context.storage()).revisions('web');
    expect(release?.info).toMatchObject({ status: 'uninstalled', description: 'gone', deleted: expect.any(String) });
    await expect(remove(world, { keepHistory: true })).rejects.toMatchObject({
      message: 'the release named "web" is already deleted',
    });
    await remove(world);
    expect(await statuses(world)).toEqual([]);
  });

  test('what belongs to somebody else stays, and is listed', async () => {
    const world = await installed(openWorld());
    const object = world.cluster.find('settings');
    const annotations = { ...object?.metadata.annotations, 'meta.helm.sh/release-name': 'other' };
    await world.cluster.patch(
      { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'settings' },
      'merge',
      { metadata: { annotations } },
    );
    const { info } = await remove(world);
    expect(world.cluster.find('settings')).toBeDefined();
    expect(info).toBe(
      'These resources were kept due to the resource policy:\n[ConfigMap] precious\n\n' +
        '1 resource(s) were not deleted because they are not owned by this release:\n[ConfigMap] settings\n',
    );
  });

  test('a role that may not update records takes the release away all the same, with a warning, as in Helm', async () => {
    const world = await installed(openWorld());
    const name = 'sh.helm.release.v1.web.v1';
    const record = { apiVersion: 'v1', kind: 'Secret', metadata: { name } };
    world.cluster.failOn('replace', name, refusal(403, 'Forbidden', record, 'cannot update secrets'));
    await remove(world);
    expect(world.cluster.names()).toEqual(['ConfigMap/precious']);
    const told = world.events.flatMap((event) => (event.kind === 'warning' ? [event.text] : []));
    expect(told).toEqual([expect.stringMatching(/^update: failed to update: .*cannot update secrets/)]);
  });

  test('what is gone already is no problem', async () => {
    const world = await installed(openWorld());
    world.cluster.remove('settings');
    const before = world.events.length;
    await remove(world);
    expect(await statuses(world)).toEqual([]);
    const states = world.events
      .slice(before)
      .flatMap((event) => (event.kind === 'resource' ? [`${event.id.name} ${event.state}`] : []));
    expect(states).toEqual(['settings absent']);
  });

  test.each<[string, Partial<UninstallOptions>, string]>([
    ['no such release', { name: 'nope' }, 'uninstall: Release not loaded: nope: release: not found'],
    ['no such release, dry run', { name: 'nope', dryRun: true }, 'release: not found'],
    ['an invalid name', { name: 'No_' }, 'uninstall: Release name is invalid: No_'],
  ])('%s', async (_what, options, message) => {
    await expect(remove(openWorld(), options)).rejects.toMatchObject({ message });
  });

  test('--ignore-not-found', async () => {
    expect(await remove(openWorld(), { ignoreNotFound: true })).toEqual({ info: '' });
  });

  test('--dry-run says what would be kept and changes nothing', async () => {
    const world = await installed(openWorld());
    const before = world.cluster.names();
    const { info, plan } = await remove(world, { dryRun: true });
    expect(info).toContain('[ConfigMap] precious');
    expect(plan?.steps).toMatchObject([{ kind: 'record', status: 'uninstalling' }, { kind: 'delete' }]);
    expect(world.cluster.names()).toEqual(before);
  });

  test('--wait ends when everything is gone', async () => {
    const world = await installed(openWorld());
    const settings = world.cluster.find('settings');
    world.cluster.add({ ...settings, metadata: { ...settings?.metadata, finalizers: ['example.com/hold'] } } as never);
    const running = remove(world, { wait: 'watcher' });
    let isDone = false;
    void running.then(() => (isDone = true));
    const isHeld = (event: ExecutionEvent): boolean =>
      event.kind === 'resource' && event.id.name === 'settings' && event.reason?.includes('example.com/hold') === true;
    await expect.poll(() => world.events.some(isHeld)).toBe(true);
    expect(isDone).toBe(false);
    world.cluster.remove('settings');
    await running;
  });

  test('a failed deletion leaves the release uninstalling', async () => {
    const world = await installed(openWorld());
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
    world.cluster.failOn('delete', 'settings', refusal(403, 'Forbidden', settings, 'is forbidden'));
    await expect(remove(world)).rejects.toMatchObject({
      message:
        'failed to delete release: web: failed to delete resource namespace=default, name=settings, kind=ConfigMap: ' +
        'configmaps "settings" is forbidden',
    });
    expect(await statuses(world)).toEqual(['1 uninstalling']);
  });

  test('a failed pre-delete hook ends it; --no-hooks gets past it', async () => {
    const world = await installed(openWorld(), { 'templates/h.yaml': job('goodbye', 'helm.sh/hook: pre-delete') });
    const running = remove(world);
    await world.cluster.sees('goodbye');
    world.cluster.makeFailed('goodbye');
    await expect(running).rejects.toMatchObject({
      message: expect.stringMatching(/^resource Job\/default\/goodbye not ready\. status: Failed/),
    });
    expect(await statuses(world)).toEqual(['1 uninstalling']);
    expect(world.cluster.find('settings')).toBeDefined();
    await remove(world, { noHooks: true });
    expect(await statuses(world)).toEqual([]);
  });

  test('a failed post-delete hook is reported, and the release is gone all the same', async () => {
    const world = await installed(openWorld(), { 'templates/h.yaml': job('goodbye', 'helm.sh/hook: post-delete') });
    const running = remove(world);
    await world.cluster.sees('goodbye');
    world.cluster.makeFailed('goodbye');
    await expect(running).rejects.toMatchObject({
      message: expect.stringMatching(
        /^uninstallation completed with 1 error\(s\): resource Job\/default\/goodbye not ready/,
      ),
    });
    expect(await statuses(world)).toEqual([]);
  });
});

describe('the objects of hooks', () => {
  const hooks = {
    'templates/hook.yaml': configMap('leftover', 'k: v', 'helm.sh/hook: pre-install'),
    'templates/kept.yaml': configMap('kept-hook', 'k: v', 'helm.sh/hook: pre-install, helm.sh/resource-policy: keep'),
  };
  const notes = ({ events }: World): readonly string[] =>
    events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));

  test('stay, which is told', async () => {
    const world = await installed(openWorld(), hooks);
    await remove(world);
    expect(world.cluster.names()).toEqual(['ConfigMap/kept-hook', 'ConfigMap/leftover', 'ConfigMap/precious']);
    expect(notes(world)).toEqual([
      expect.stringMatching(
        /ConfigMap\/leftover in default, ConfigMap\/kept-hook in default; `kubectl delete -n default configmap\/leftover`/,
      ),
    ]);
  });

  test('--delete-hooks deletes them, but not what its policy keeps', async () => {
    const world = await installed(openWorld(), hooks);
    await remove(world, { deleteHooks: true });
    expect(world.cluster.names()).toEqual(['ConfigMap/kept-hook', 'ConfigMap/precious']);
    expect(notes(world)).toEqual(['hook objects stay in the cluster: ConfigMap/kept-hook in default']);
  });

  test('those that another release owns by now are its own', async () => {
    const world = await installed(openWorld(), hooks);
    const leftover = world.cluster.find('leftover');
    const annotations = { 'meta.helm.sh/release-name': 'other', 'meta.helm.sh/release-namespace': 'default' };
    world.cluster.add({ ...leftover, metadata: { ...leftover?.metadata, annotations } } as never);
    await remove(world, { deleteHooks: true });
    expect(world.cluster.names()).toContain('ConfigMap/leftover');
  });

  test('of a release that was uninstalled before', async () => {
    const world = await installed(openWorld(), hooks);
    await remove(world, { keepHistory: true });
    await remove(world, { deleteHooks: true });
    expect(world.cluster.names()).not.toContain('ConfigMap/leftover');
  });
});
