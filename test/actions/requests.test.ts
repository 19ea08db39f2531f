import { expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import { chartOf, configMap, openWorld, type World } from './harness.ts';

const chart = await chartOf({
  'templates/settings.yaml': configMap('settings'),
  'templates/texts.yaml': configMap('texts'),
  'templates/before.yaml': configMap('before', 'a: b', '"helm.sh/hook": "pre-install,pre-upgrade"'),
});

/** What a run reads: lists of records, and objects that it looks for. */
async function readsOf(world: World, run: (context: World['context']) => Promise<unknown>): Promise<readonly string[]> {
  world.cluster.calls.length = 0;
  await run(world.context);
  const reads = world.cluster.calls.filter(({ verb }) => verb === 'get' || verb === 'list');
  return reads.map(({ verb, kind, name }) => [verb, kind, name].filter((part) => part !== '').join(' ')).sort();
}

test.each(['auto', 'always', 'never'] as const)(
  'upgrade --install --preflight=%s asks for nothing twice',
  async (preflight) => {
    const options = { name: 'web', preflight, serverSide: true };
    const world = openWorld({ isLocked: true });
    const once = ['get ConfigMap settings', 'get ConfigMap texts', 'list Secret'];
    expect(
      await readsOf(world, (context) => upgrade(chart, new Map(), { ...options, install: true }, context)),
    ).toEqual(once);
    const again = await readsOf(world, (context) => upgrade(chart, new Map(), { ...options, install: true }, context));
    expect(again).toEqual(preflight === 'never' ? ['list Secret'] : once);
    const other = openWorld({ isLocked: true });
    expect(await readsOf(other, (context) => install(chart, new Map(), options, context))).toEqual(once);
  },
);
