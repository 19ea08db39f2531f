import { describe, expect, test } from 'vitest';
import { getMetadata, getRelease, getValues } from '../../src/actions/get.ts';
import { history } from '../../src/actions/history.ts';
import { install } from '../../src/actions/install.ts';
import { list } from '../../src/actions/list.ts';
import type { ListOptions } from '../../src/actions/options/readings.ts';
import { resourceTables, status } from '../../src/actions/status.ts';
import { testRelease } from '../../src/actions/test-release.ts';
import type { OnEvent } from '../../src/execute/events.ts';
import { refusal } from '../cluster/fake-cluster.ts';
import { releaseOf } from '../release/releases.ts';
import { chartOf, configMap, openWorld, type World } from './harness.ts';

const deployed = (name: string, version: number, day: number) =>
  releaseOf(name, version, 'deployed', {
    info: { status: 'deployed', lastDeployed: `2026-01-0${day}T00:00:00Z` },
  });

async function withReleases(): Promise<World> {
  const world = openWorld();
  const storage = await world.context.storage();
  await storage.create(releaseOf('web', 1, 'superseded'));
  await storage.create(releaseOf('web', 2, 'superseded'));
  await storage.create(deployed('web', 3, 3));
  await storage.create(deployed('api', 1, 4));
  await storage.create(releaseOf('db', 1, 'failed', { labels: { team: 'data' } }));
  return world;
}

describe('list', () => {
  test.each<[string, ListOptions, string[]]>([
    ['the newest of each, by name', {}, ['api 1', 'db 1', 'web 3']],
    ['by status', { statuses: ['failed'] }, ['db 1']],
    ['superseded ones have no newest', { statuses: ['superseded'] }, ['web 1', 'web 2']],
    ['superseded and others: the newest', { statuses: ['superseded', 'deployed'] }, ['api 1', 'web 3']],
    ['a filter of names', { matches: (name) => /^[a-d]/.test(name) }, ['api 1', 'db 1']],
    ['a selector', { labelSelector: 'team=data' }, ['db 1']],
    ['--reverse', { reverse: true }, ['web 3', 'db 1', 'api 1']],
    ['--date: the newest last', { byDate: true }, ['db 1', 'web 3', 'api 1']],
    ['--date --reverse', { byDate: true, reverse: true }, ['api 1', 'web 3', 'db 1']],
    ['--max and --offset', { limit: 1, offset: 1 }, ['db 1']],
    ['an offset past the end', { offset: 9 }, []],
  ])('%s', async (_what, options, expected) => {
    const { context } = await withReleases();
    const found = await list(options, context);
    expect(found.map(({ name, version }) => `${name} ${version}`)).toEqual(expected);
  });
});

describe('history and get', () => {
  test('revisions, oldest first; --max counts from the newest', async () => {
    const { context } = await withReleases();
    const versions = async (max?: number) =>
      (await history({ name: 'web', max }, context)).map(({ version }) => version);
    expect(await versions()).toEqual([1, 2, 3]);
    expect(await versions(2)).toEqual([2, 3]);
  });

  test('one revision, or the newest', async () => {
    const { context } = await withReleases();
    expect((await getRelease({ name: 'web' }, context)).version).toBe(3);
    expect((await getRelease({ name: 'web', revision: 2 }, context)).version).toBe(2);
  });

  test.each<[string, (world: World) => Promise<unknown>, string]>([
    ['history', ({ context }) => history({ name: 'nope' }, context), 'release: not found'],
    ['history of no name', ({ context }) => history({ name: 'N' }, context), 'release name is invalid: N'],
    ['get', ({ context }) => getRelease({ name: 'nope' }, context), 'release: not found'],
    ['get a revision', ({ context }) => getRelease({ name: 'web', revision: 9 }, context), 'release: not found'],
    ['get no name', ({ context }) => getRelease({ name: 'N' }, context), 'releaseContent: Release name is invalid: N'],
    ['test', ({ context }) => testRelease({ name: 'nope' }, context), 'release: not found'],
  ])('%s fails in Helm’s words', async (_what, act, message) => {
    await expect(act(await withReleases())).rejects.toMatchObject({ message });
  });

  test('values: the user’s own, or all of them', async () => {
    const { context } = openWorld();
    const chart = await chartOf({ 'values.yaml': 'a: 1\nb: {c: 2}\n', 'templates/a.yaml': configMap('a') });
    await install(chart, new Map([['b', new Map([['d', 3]])]]), { name: 'web' }, context);
    expect(await getValues({ name: 'web' }, context)).toEqual(new Map([['b', new Map([['d', 3]])]]));
    expect(await getValues({ name: 'web', all: true }, context)).toEqual(
      new Map<string, unknown>([
        [
          'b',
          new Map([
            ['d', 3],
            ['c', 2],
          ]),
        ],
        ['a', 1],
      ]),
    );
  });

  test('metadata', async () => {
    const { context } = openWorld();
    const chart = await chartOf({ 'templates/a.yaml': configMap('a') });
    await install(chart, new Map(), { name: 'web', labels: { team: 'a' } }, context);
    expect(await getMetadata({ name: 'web' }, context)).toMatchObject({
      name: 'web',
      chart: 'app',
      version: '1.0.0',
      appVersion: '2.0',
      labels: { team: 'a' },
      revision: 1,
      status: 'deployed',
      deployedAt: expect.stringMatching(/^2026-01-0[1-3]T[\d:]{8}(Z|[+-]\d\d:\d\d)$/),
      applyMethod: 'ssa',
    });
  });
});

test('status has the live resources and the pods that they select, and leaves out what is gone', async () => {
  const world = openWorld();
  const deployment =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {selector: {matchLabels: {app: web}}}\n';
  const chart = await chartOf({
    'templates/a.yaml': configMap('a'),
    'templates/b.yaml': configMap('b'),
    'templates/d.yaml': deployment,
  });
  await install(chart, new Map(), { name: 'web' }, world.context);
  world.cluster.add({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1', labels: { app: 'web' } } });
  world.cluster.add({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'other', labels: { app: 'other' } } });
  world.cluster.remove('b');
  const { resources } = await status({ name: 'web' }, world.context);
  const names = [...resources].map(([kind, objects]) => [kind, objects.map(({ metadata }) => metadata.name)]);
  expect(names).toEqual([
    ['v1/ConfigMap', ['a']],
    ['v1/Deployment', ['web']],
    ['v1/Pod(related)', ['web-1']],
  ]);
});

test('status without the right to list pods warns and has the rest', async () => {
  const world = openWorld();
  const deployment =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {selector: {matchLabels: {app: web}}}\n';
  await install(await chartOf({ 'templates/d.yaml': deployment }), new Map(), { name: 'web' }, world.context);
  const pods = { apiVersion: 'v1', kind: 'Pod', metadata: { name: '' } };
  world.cluster.failOn('list', '', refusal(403, 'Forbidden', pods, 'is forbidden'));
  const warnings: string[] = [];
  const onEvent: OnEvent = (event) => event.kind === 'warning' && warnings.push(event.text);
  const { resources } = await status({ name: 'web', revision: 1 }, { ...world.context, onEvent });
  expect([...resources.keys()]).toEqual(['v1/Deployment']);
  expect(warnings).toEqual(['get the relation pod is failed: pods "" is forbidden']);
  world.cluster.failOn('get', 'web', refusal(403, 'Forbidden', { ...pods, metadata: { name: 'web' } }, 'is forbidden'));
  const tables = await resourceTables(resources, { ...world.context, onEvent });
  expect([...tables]).toEqual([['v1/Deployment', { columns: [], rows: [] }]]);
  expect(warnings.at(-1)).toMatch(/^get resource web failed: /);
});

describe('test', () => {
  const pod = (name: string, annotations: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, annotations: {${annotations}}}\nspec: {initContainers: [{name: init}], containers: [{name: main}]}\n`;
  const tested = async (files: Readonly<Record<string, string>>): Promise<World> => {
    const world = openWorld();
    await install(await chartOf(files), new Map(), { name: 'web' }, world.context);
    return world;
  };

  test('runs the wanted tests, keeps their logs, records the outcome', async () => {
    const world = await tested({
      'templates/a.yaml': pod('good', '"helm.sh/hook": test, "helm.sh/hook-delete-policy": hook-succeeded'),
      'templates/b.yaml': pod('unwanted', '"helm.sh/hook": test'),
    });
    world.cluster.setLogs('good', 'fine\n', 'main');
    const running = testRelease({ name: 'web', exclude: ['unwanted'], logs: true }, world.context);
    await world.cluster.sees('good');
    world.cluster.setStatus('good', { phase: 'Succeeded' });
    const { release, failure, logs } = await running;
    expect(failure).toBeUndefined();
    // Helm stores what a filter leaves out first.
    expect(release.hooks.map(({ name, lastRun }) => [name, lastRun.phase])).toEqual([
      ['unwanted', ''],
      ['good', 'Succeeded'],
    ]);
    expect(logs).toContainEqual({ pod: 'good', container: 'main', text: 'fine\n' });
    expect(world.cluster.find('good')).toBeUndefined();
  });

  test("a failed test is the result's failure; Helm 2's test-failure wants one", async () => {
    const world = await tested({
      'templates/a.yaml': pod('bad', '"helm.sh/hook": test'),
      'templates/b.yaml': pod('must-fail', '"helm.sh/hook": test-failure'),
    });
    const wanting = testRelease({ name: 'web', include: ['must-fail'] }, world.context);
    await world.cluster.sees('must-fail');
    world.cluster.makeFailed('must-fail');
    expect((await wanting).failure).toBeUndefined();
    const running = testRelease({ name: 'web', include: ['bad'] }, world.context);
    await world.cluster.sees('bad');
    world.cluster.makeFailed('bad');
    const { failure, release } = await running;
    expect(failure).toMatchObject({ message: expect.stringMatching(/^resource Pod\/default\/bad not ready/) });
    expect(release.hooks.map(({ lastRun }) => lastRun.phase)).toEqual(['Succeeded', 'Failed']);
  });
});
