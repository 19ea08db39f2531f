import { describe, expect, test } from 'vitest';
import { type InstallOptions, install } from '../../../src/actions/install.ts';
import { chartOf, configMap, openWorld, type World } from '../../actions/harness.ts';
import { refusal } from '../../cluster/fake-cluster.ts';

const object = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const chart = chartOf({
  'templates/one.yaml': configMap('one', 'k: v', 'helm.sh/resource-group: first'),
  'templates/two.yaml': configMap(
    'two',
    'k: v',
    'helm.sh/resource-group: second, depends-on.helm.sh/resource-groups: first',
  ),
});
const run = async (world: World, options: Partial<InstallOptions>) =>
  install(await chart, new Map(), { name: 'web', ...options }, world.context);
/** What was sent twice: once to try it. */
function tried({ cluster }: World): readonly string[] {
  const sent = cluster.calls.filter(({ verb }) => verb === 'apply').map(({ name }) => name);
  return [...new Set(sent.filter((name, index) => sent.indexOf(name) < index))].sort();
}

describe('objects are tried before anything is sent', () => {
  test.each<[string, Partial<InstallOptions>, readonly string[]]>([
    ['those of later batches', { wait: 'ordered' }, ['two']],
    ['all, with always', { wait: 'ordered', preflight: 'always' }, ['one', 'two']],
    ['all, with always and without an order', { wait: 'hookOnly', preflight: 'always' }, ['one', 'two']],
    ['none without an order', { wait: 'watcher' }, []],
    ['none with never', { wait: 'ordered', preflight: 'never' }, []],
  ])('%s', async (_which, options, expected) => {
    const world = openWorld({ readyAtOnce: true });
    await run(world, options);
    expect(tried(world)).toEqual(expected);
  });

  test('those of later batches inside a subchart of the first one', async () => {
    const world = openWorld({ readyAtOnce: true });
    const group = (name: string, after = ''): string =>
      configMap(
        name,
        'k: v',
        `helm.sh/resource-group: ${name}${after && `, depends-on.helm.sh/resource-groups: ${after}`}`,
      );
    const parent = await chartOf({
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'charts/db/templates/one.yaml': group('one'),
      'charts/db/templates/two.yaml': group('two', 'one'),
    });
    await install(parent, new Map(), { name: 'web', wait: 'ordered' }, world.context);
    expect(tried(world)).toEqual(['two']);
  });

  test('what the API server refuses is told, and nothing is recorded or sent', async () => {
    const world = openWorld({ readyAtOnce: true });
    world.cluster.failOn('apply', 'two', refusal(422, 'Invalid', object('two'), 'is invalid: spec.replicas'));
    await expect(run(world, { wait: 'ordered' })).rejects.toMatchObject({
      code: 'preflight-refused',
      message: expect.stringMatching(
        /^the API server would refuse an object of the plan, so nothing was changed \(--preflight=never skips this check\):\n {2}ConfigMap\/two in default: .*spec\.replicas/,
      ),
    });
    expect(world.cluster.seen).toEqual([]);
    expect(await (await world.context.storage()).revisions('web')).toEqual([]);
  });

  test.each([
    [404, 'NotFound', 'namespaces "later" not found'],
    [403, 'Forbidden', 'error looking up service account default/later: serviceaccount "later" not found'],
    [500, 'InternalError', 'failed calling webhook "later.example.com": connection refused'],
  ])('what may come with an earlier batch is no refusal: %s %s', async (status, reason, text) => {
    const world = openWorld({ readyAtOnce: true });
    world.cluster.failOn('apply', 'two', refusal(status, reason, object('two'), text), 1);
    await run(world, { wait: 'ordered' });
    expect(world.cluster.names()).toContain('ConfigMap/two');
  });
});
