import { describe, expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import type { Release, ReleaseStorage } from '../../src/release/types.ts';
import { chartOf, openWorld, type World } from '../actions/harness.ts';

const key = 'helm.sh/run-hooks-in-parallel';
const hook = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  annotations: {helm.sh/hook: post-rollback}\n`;
const chart = (own: string, ofSubchart: string) =>
  chartOf({
    'Chart.yaml': `apiVersion: v2\nname: foo\nversion: 1.0.0\n${own}`,
    'templates/a.yaml': hook('a'),
    'templates/b.yaml': hook('b'),
    'charts/sub/Chart.yaml': `apiVersion: v2\nname: sub\nversion: 1.0.0\n${ofSubchart}`,
    'charts/sub/templates/c.yaml': hook('c'),
    'charts/sub/templates/d.yaml': hook('d'),
  });
const field = 'runHooksInParallel: true\n';

async function installed(own: string, ofSubchart: string): Promise<{ world: World; storage: ReleaseStorage }> {
  const world = openWorld({ readyAtOnce: true });
  await install(await chart(own, ofSubchart), new Map(), { name: 'rel' }, world.context);
  return { world, storage: await world.context.storage() };
}

/** The names of the hooks of a rollback to revision 1, by batch. */
async function hooksOfRollback(world: World): Promise<readonly (readonly string[])[]> {
  const { plan } = await rollback({ name: 'rel', revision: 1, dryRun: 'plan' }, world.context);
  return plan.steps.flatMap((step) =>
    step.kind === 'run-hooks' ? step.batches.map((batch) => batch.flat().map(({ name }) => name)) : [],
  );
}

describe('the modes of hooks in a record', () => {
  test.each([
    [
      'of the chart',
      field,
      '',
      'true',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'of a subchart',
      '',
      field,
      '{"foo/charts/sub":"true"}',
      [
        ['c', 'd'],
        ['a', 'b'],
      ],
    ],
    ['of both', field, field, '{"foo":"true","foo/charts/sub":"true"}', [['a', 'b', 'c', 'd']]],
    [
      'of the chart, whose field is against its annotation',
      `annotations: {${key}: 'true'}\nrunHooksInParallel: false\n`,
      '',
      'false',
      [['a', 'b', 'c', 'd']],
    ],
  ])('%s stand in an annotation, which Helm keeps', async (_which, own, ofSubchart, annotation, batches) => {
    const { world, storage } = await installed(own, ofSubchart);
    const first = (await storage.get('rel', 1)) as Release;
    expect(first.chart.metadata.annotations?.[key]).toBe(annotation);
    await storage.create({ ...first, version: 2 });
    expect(await hooksOfRollback(world)).toEqual(batches);
  });
});

test('that Helm dropped the modes of a revision is said, where another one of the chart has them', async () => {
  const { world, storage } = await installed(field, '');
  const first = (await storage.get('rel', 1)) as Release;
  const { annotations: _dropped, ...metadata } = first.chart.metadata;
  await storage.update({ ...first, info: { ...first.info, status: 'superseded' } });
  await storage.create({ ...first, version: 2, chart: { ...first.chart, metadata } });
  await storage.create({
    ...first,
    version: 3,
    chart: { ...first.chart, metadata: { ...metadata, version: '2.0.0' } },
  });
  const lost =
    'revision 2 of rel does not record runHooksInParallel, although revision 1 of the same chart does (Helm drops it from its records), so its hooks run one after another';
  expect((await rollback({ name: 'rel', revision: 2, dryRun: 'plan' }, world.context)).plan.warnings).toEqual([lost]);
  expect((await rollback({ name: 'rel', revision: 1, dryRun: 'plan' }, world.context)).plan.warnings).toEqual([]);
  expect((await uninstall({ name: 'rel', dryRun: true }, world.context)).plan?.warnings).toEqual([]);
});
