import { describe, expect, test } from 'vitest';
import { drift } from '../../src/actions/drift.ts';
import { install } from '../../src/actions/install.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { ResourceMapping } from '../../src/cluster/types.ts';
import { chartOf, configMap, openWorld, type World } from './harness.ts';

const ingress = (apiVersion: string): string => `apiVersion: ${apiVersion}\nkind: Ingress\nmetadata: {name: door}\n`;
const served = (group: string, version: string, kind: string): ResourceMapping => ({
  group,
  version,
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
  verbs: ['get', 'list', 'delete'],
});
const owned = {
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  annotations: { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'default' },
};

/** A release with an object of a kind that the cluster then serves no more. */
async function installedWith(text: string, kind: ResourceMapping): Promise<World> {
  const world = openWorld();
  world.cluster.extraKinds.push(kind);
  const chart = await chartOf({ 'templates/a.yaml': text, 'templates/b.yaml': configMap('settings') });
  await install(chart, new Map(), { name: 'web' }, world.context);
  world.cluster.remove('door');
  world.cluster.extraKinds.pop();
  return world;
}

/** The same object as its new group has it. */
function serveAnew(world: World): void {
  world.cluster.add({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'door', ...owned } });
}

const notes = ({ events }: World): readonly string[] =>
  events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));

describe('a kind that the cluster serves no more', () => {
  const beta = served('extensions', 'v1beta1', 'Ingress');

  test('is deleted in the version that is served', async () => {
    const world = await installedWith(ingress('extensions/v1beta1'), beta);
    serveAnew(world);
    await uninstall({ name: 'web' }, world.context);
    expect(world.cluster.names()).toEqual([]);
    expect(notes(world)).toEqual([]);
  });

  test('in another version of its group is found too', async () => {
    const world = await installedWith(
      ingress('networking.k8s.io/v1beta1'),
      served('networking.k8s.io', 'v1beta1', 'Ingress'),
    );
    serveAnew(world);
    await uninstall({ name: 'web' }, world.context);
    expect(world.cluster.names()).toEqual([]);
  });

  test('stays when the new revision has it under its new name, and goes when it does not', async () => {
    const world = await installedWith(ingress('extensions/v1beta1'), beta);
    serveAnew(world);
    const moved = await chartOf({ 'templates/a.yaml': ingress('networking.k8s.io/v1') });
    await upgrade(moved, new Map(), { name: 'web' }, world.context);
    expect(world.cluster.names()).toEqual([
      'Ingress/door',
      'Secret/sh.helm.release.v1.web.v1',
      'Secret/sh.helm.release.v1.web.v2',
    ]);
    await upgrade(
      await chartOf({ 'templates/a.yaml': configMap('settings') }),
      new Map(),
      { name: 'web' },
      world.context,
    );
    expect(world.cluster.names()).not.toContain('Ingress/door');
  });

  test('that has no successor counts as gone, which is told', async () => {
    const world = await installedWith(
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: door}\n',
      served('example.com', 'v1', 'Widget'),
    );
    await upgrade(
      await chartOf({ 'templates/b.yaml': configMap('settings') }),
      new Map(),
      { name: 'web' },
      world.context,
    );
    expect(notes(world)).toEqual([
      'the cluster no longer serves Widget (example.com/v1); Widget/door counts as deleted',
    ]);
    await uninstall({ name: 'web' }, world.context);
    expect(world.cluster.names()).toEqual([]);
  });

  test('is compared in the version that is served', async () => {
    const world = await installedWith(ingress('extensions/v1beta1'), beta);
    serveAnew(world);
    const { objects } = await drift({ name: 'web' }, world.context);
    expect(objects).toEqual([]);
  });

  test('that has no successor is unknown', async () => {
    const text = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: door}\n';
    const world = await installedWith(text, served('example.com', 'v1', 'Widget'));
    const { objects } = await drift({ name: 'web' }, world.context);
    expect(objects).toMatchObject([{ id: { kind: 'Widget', name: 'door' }, state: 'unknown' }]);
  });

  describe('is rolled back to', () => {
    const warnings = ({ events }: World): readonly string[] =>
      events.flatMap((event) => (event.kind === 'warning' ? [event.text] : []));
    const bare = () => chartOf({ 'templates/b.yaml': configMap('settings') });

    test('in the version that is served, which the new record holds', async () => {
      const world = await installedWith(ingress('extensions/v1beta1'), beta);
      await upgrade(await bare(), new Map(), { name: 'web' }, world.context);
      const { release } = await rollback({ name: 'web', revision: 1 }, world.context);
      expect(world.cluster.names()).toContain('Ingress/door');
      expect(release.manifest).toContain('apiVersion: networking.k8s.io/v1\nkind: Ingress');
      expect(release.manifest).not.toContain('extensions/v1beta1');
      expect(warnings(world)).toEqual([
        'the cluster no longer serves Ingress (extensions/v1beta1); Ingress/door is sent as networking.k8s.io/v1',
      ]);
    });

    test('without a successor: the rest is brought back, and this is told', async () => {
      const world = await installedWith(
        'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: door}\n',
        served('example.com', 'v1', 'Widget'),
      );
      await upgrade(
        await chartOf({ 'templates/c.yaml': configMap('other') }),
        new Map(),
        { name: 'web' },
        world.context,
      );
      const { release } = await rollback({ name: 'web', revision: 1 }, world.context);
      expect(world.cluster.names()).toContain('ConfigMap/settings');
      expect(world.cluster.names()).not.toContain('ConfigMap/other');
      expect(release.manifest).not.toContain('Widget');
      expect(release.manifest).toContain('name: settings');
      expect(warnings(world)).toContain(
        'the cluster no longer serves Widget (example.com/v1); Widget/door is not restored',
      );
    });
  });
});
