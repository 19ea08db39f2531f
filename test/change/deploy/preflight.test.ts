import { describe, expect, test } from 'vitest';
import { install } from '../../../src/actions/install.ts';
import type { InstallOptions } from '../../../src/actions/options/install.ts';
import { upgrade } from '../../../src/actions/upgrade.ts';
import { ApiError } from '../../../src/cluster/api-error.ts';
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
    ['those of an ordered run', { wait: 'ordered' }, ['one', 'two']],
    ['all, with always and without an order', { wait: 'hookOnly', preflight: 'always' }, ['one', 'two']],
    ['none without an order', { wait: 'watcher' }, []],
    ['none with never', { wait: 'ordered', preflight: 'never' }, []],
  ])('%s', async (_which, options, expected) => {
    const world = openWorld({ readyAtOnce: true });
    await run(world, options);
    expect(tried(world)).toEqual(expected);
  });

  test('those of a subchart', async () => {
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
    expect(tried(world)).toEqual(['one', 'two']);
  });

  test('what the API server refuses is told, and nothing is recorded or sent', async () => {
    const world = openWorld({ readyAtOnce: true });
    world.cluster.failOn('apply', 'two', refusal(422, 'Invalid', object('two'), 'is invalid: spec.replicas'));
    await expect(run(world, { wait: 'ordered' })).rejects.toMatchObject({
      code: 'preflight-refused',
      message: expect.stringMatching(
        /^the API server would refuse an object of the plan, so nothing was changed:\n {2}ConfigMap\/two in default: .*spec\.replicas/,
      ),
    });
    expect(world.cluster.seen).toEqual([]);
    expect(await (await world.context.storage()).revisions('web')).toEqual([]);
  });

  const conflict = new ApiError({
    ...refusal(409, 'Conflict', object('two'), 'Apply failed: field not found').failure,
    causes: [{ reason: 'FieldManagerConflict', field: '.data.k', message: 'conflict with "kubectl"' }],
  });
  const service = (text: string) =>
    new ApiError({ ...refusal(500, 'InternalError', object('two')).failure, message: text });

  test.each([
    [
      'a namespace or a kind that is not there',
      refusal(404, 'NotFound', object('two'), 'namespaces "later" not found'),
    ],
    ['a webhook that does not answer', service('Internal error occurred: failed calling webhook "later.example.com"')],
    ['a server that is busy', refusal(429, 'TooManyRequests', object('two'))],
  ])('what may come with an earlier batch is no refusal: %s', async (_what, answer) => {
    const world = openWorld({ readyAtOnce: true });
    world.cluster.failOn('apply', 'two', answer, 1);
    await run(world, { wait: 'ordered' });
    expect(world.cluster.names()).toContain('ConfigMap/two');
  });

  test('an API server that has just started has no address for a Service yet, which is no refusal', async () => {
    const world = openWorld({ readyAtOnce: true });
    const service = await chartOf({
      'templates/service.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: two}\nspec: {ports: [{port: 80}]}\n',
    });
    const unallocated = new ApiError({
      ...refusal(422, 'Invalid', { ...object('two'), kind: 'Service' }).failure,
      causes: [{ reason: 'FieldValueInvalid', field: 'spec.clusterIPs', message: 'allocator not ready' }],
    });
    world.cluster.failOn('apply', 'two', unallocated, 1);
    await install(service, new Map(), { name: 'web', wait: 'ordered' }, world.context);
    expect(world.cluster.names()).toContain('Service/two');
  });

  test.each([
    ['422', refusal(422, 'Invalid', object('two'), 'is invalid: spec.volumeMounts[0].name: Not found: "data"')],
    ['a conflict', conflict],
    ['a schema', refusal(500, 'Unknown', object('two'), 'no matches for kind, not found')],
    ['403', refusal(403, 'Forbidden', object('two'), 'cannot patch resource "configmaps": role "x" not found')],
  ])('the words "not found" make no refusal pass: %s', async (_what, answer) => {
    const world = openWorld({ readyAtOnce: true });
    world.cluster.failOn('apply', 'two', answer);
    await expect(run(world, { wait: 'ordered' })).rejects.toMatchObject({ code: 'preflight-refused' });
    expect(world.cluster.seen).toEqual([]);
  });

  test.each([
    ['comes with the release', 'web', true],
    ['is not in the release', 'other', false],
  ])('a pod that is refused with 403 whose account %s', async (_what, account, isDeployed) => {
    const inOrder = (name: string, after = ''): string =>
      `annotations: {helm.sh/resource-group: ${name}${after && `, depends-on.helm.sh/resource-groups: ${after}`}}`;
    const pods = await chartOf({
      'templates/sa.yaml': `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, ${inOrder('a')}}\n`,
      'templates/pod.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: two, ${inOrder('b', 'a')}}\nspec: {serviceAccountName: ${account}, containers: [{name: c, image: i}]}\n`,
    });
    const world = openWorld({ readyAtOnce: true });
    world.cluster.failOn('apply', 'two', refusal(403, 'Forbidden', { ...object('two'), kind: 'Pod' }), 1);
    const outcome = install(pods, new Map(), { name: 'web', wait: 'ordered' }, world.context);
    if (isDeployed) await outcome;
    else await expect(outcome).rejects.toMatchObject({ code: 'preflight-refused' });
  });
});

describe('where hooks come first, a run without an order tries its objects before them', () => {
  const hooked = chartOf({
    'templates/hook.yaml': configMap('hook', 'k: v', 'helm.sh/hook: "pre-install,pre-upgrade"'),
    'templates/two.yaml': configMap('two'),
  });
  const conflict = new ApiError({
    ...refusal(409, 'Conflict', object('two')).failure,
    causes: [{ reason: 'FieldManagerConflict', field: '.data.k' }],
  });

  test.each([
    ['a conflict', conflict],
    ['403', refusal(403, 'Forbidden', object('two'))],
    ['a new object that is invalid', refusal(422, 'Invalid', object('two'))],
  ])('%s: no hook runs, and the revision is recorded as failed', async (_what, answer) => {
    const world = openWorld({ readyAtOnce: true });
    world.cluster.failOn('apply', 'two', answer);
    const outcome = install(await hooked, new Map(), { name: 'web' }, world.context);
    await expect(outcome).rejects.toMatchObject({ code: 'preflight-refused' });
    expect(world.cluster.names()).not.toContain('ConfigMap/hook');
    const [release] = await (await world.context.storage()).revisions('web');
    expect(release?.info.status).toBe('failed');
  });

  test('an object that cannot be changed in place is left to the hook, which may delete it', async () => {
    const world = openWorld({ readyAtOnce: true });
    await install(await hooked, new Map(), { name: 'web' }, world.context);
    world.cluster.failOn('apply', 'two', refusal(422, 'Invalid', object('two')), 1);
    const { release } = await upgrade(await hooked, new Map(), { name: 'web' }, world.context);
    expect(release.info.status).toBe('deployed');
  });
});
