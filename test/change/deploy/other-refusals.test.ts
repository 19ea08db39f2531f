import { expect, test } from 'vitest';
import { install } from '../../../src/actions/install.ts';
import { addedDetail } from '../../../src/support/errors.ts';
import { chartOf, configMap, openWorld } from '../../actions/harness.ts';
import { refusal } from '../../cluster/fake-cluster.ts';
import { shown } from '../../problem/shown.ts';

const invalid = (name: string) =>
  refusal(422, 'Invalid', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }, 'is invalid');

test.each([
  ['without an order, the others are tried once', 'hookOnly', ['wrong', 'other']],
  ['in an ordered run they were tried before', 'ordered', ['wrong']],
] as const)('%s', async (_what, wait, refused) => {
  const world = openWorld({ readyAtOnce: true });
  const chart = await chartOf({
    'templates/a.yaml': configMap('wrong', 'k: v', 'helm.sh/resource-group: a'),
    'templates/b.yaml': configMap('other', 'k: v', 'helm.sh/resource-group: b, depends-on.helm.sh/resource-groups: a'),
  });
  // In an ordered run each has passed the preflight when it is refused.
  const isTried = wait === 'ordered';
  const { apply } = world.cluster;
  world.cluster.apply = async (object, options) => {
    const isWrong = object.kind === 'ConfigMap' && (!isTried || options?.dryRun !== true);
    if (isWrong) world.cluster.failOn('apply', object.metadata.name, invalid(object.metadata.name), 1);
    return apply.call(world.cluster, object, options);
  };
  const error: unknown = await install(chart, new Map(), { name: 'web', wait }, world.context).catch(
    (thrown) => thrown,
  );
  const problems = addedDetail(error, 'problems') ?? [];
  expect([...new Set(problems.map((problem) => shown(problem)?.name ?? ''))].sort()).toEqual([...refused].sort());
});
