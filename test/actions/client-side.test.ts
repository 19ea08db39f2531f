import { expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { chartOf, openWorld, type World } from './harness.ts';

const deployment = (image: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - {name: main, image: ${image}, env: [{name: OWN, value: x}]}\n`;
const chart = (image: string) => chartOf({ 'templates/a.yaml': deployment(image) });
const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string }[];
}
const containersOf = (object: KubernetesObject | undefined): readonly Container[] => {
  const spec = object?.['spec'] as { template: { spec: { containers: Container[] } } } | undefined;
  return spec?.template.spec.containers ?? [];
};

/** Before each of the first `times` patches of the Deployment, somebody else adds a variable to its container. */
function changedMeanwhile(world: World, times: number): void {
  const patch = world.cluster.patch.bind(world.cluster);
  let left = times;
  world.cluster.patch = async (id, type, change, options) => {
    if (id.name === 'web' && left > 0) {
      left -= 1;
      const containers = containersOf(world.cluster.find('web')).map((container) => ({
        ...container,
        env: [...(container.env ?? []), { name: `THEIRS_${left}`, value: 'y' }],
      }));
      await patch(web, 'merge', { spec: { template: { spec: { containers } } } }, {});
    }
    return patch(id, type, change, options);
  };
}

const installed = async (): Promise<World> => {
  const world = openWorld();
  await install(await chart('one'), new Map(), { name: 'rel', serverSide: false }, world.context);
  return world;
};

test.each([1, 6])('what others change between reading and writing is kept: %i times', async (times) => {
  const world = await installed();
  changedMeanwhile(world, times);
  await upgrade(await chart('two'), new Map(), { name: 'rel' }, world.context);
  const [container] = containersOf(world.cluster.find('web'));
  expect(container?.image).toBe('two');
  expect(container?.env?.map(({ name }) => name).sort()).toEqual(
    ['OWN', ...Array.from({ length: times }, (_, index) => `THEIRS_${index}`)].sort(),
  );
});

test('an object that never stands still is given up, with what others wrote left alone', async () => {
  const world = await installed();
  const timers = { now: () => 0, setTimeout: (task: () => void) => setImmediate(task), clearTimeout: () => {} };
  Object.assign(world.cluster, { timers });
  changedMeanwhile(world, Number.POSITIVE_INFINITY);
  await expect(upgrade(await chart('two'), new Map(), { name: 'rel' }, world.context)).rejects.toThrow(
    /cannot patch "web" with kind Deployment: .*the object has been modified/,
  );
  expect(containersOf(world.cluster.find('web'))[0]).toMatchObject({ image: 'one' });
});
