import { describe, expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { Chart } from '../../src/chart/types.ts';
import type { ExecutionEvent } from '../../src/execute/events.ts';
import type { Release } from '../../src/release/types.ts';
import { compareText } from '../../src/support/order.ts';
import { type FakeCluster, refusal } from '../cluster/fake-cluster.ts';
import { chartOf, configMap, openWorld, type World } from './harness.ts';

const deployment = (name: string, annotations: Readonly<Record<string, unknown>> = {}): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\n  annotations: ${JSON.stringify(annotations)}\nspec: {replicas: 1}\n`;
const chartYaml = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
const subchart = (name: string): Record<string, string> => ({
  [`charts/${name}/Chart.yaml`]: chartYaml(name),
  [`charts/${name}/templates/${name}.yaml`]: deployment(name),
});

/** Seed 004's example: `[nginx, rabbitmq] [bar] [orphaned, foo]`. */
const foo = (own = deployment('foo')): Promise<Chart> =>
  chartOf({
    'Chart.yaml': chartYaml(
      'foo',
      'annotations: {helm.sh/depends-on/subcharts: [bar, rabbitmq]}\ndependencies:\n- {name: nginx, version: 1.0.0}\n- {name: rabbitmq, version: 1.0.0}\n- {name: bar, version: 1.0.0, depends-on: [nginx, rabbitmq]}\n- {name: orphaned, version: 1.0.0}\n',
    ),
    ...subchart('nginx'),
    ...subchart('rabbitmq'),
    ...subchart('bar'),
    ...subchart('orphaned'),
    'templates/foo.yaml': own,
  });

/** Seed 002's example with a subchart `x`: `[layer1, x] [layer2, layer3]`. */
const layers = (): Promise<Chart> =>
  chartOf({
    'Chart.yaml': chartYaml('app', 'dependencies: [{name: x, version: 1.0.0}]\n'),
    ...subchart('x'),
    'templates/foo.yaml': deployment('foo', { 'helm.sh/layer': 'layer1' }),
    'templates/bar.yaml': deployment('bar', { 'helm.sh/layer': 'layer2', 'helm.sh/dependson/layer': 'layer1' }),
    'templates/fizz.yaml': deployment('fizz', {
      'helm.sh/layer': 'layer3',
      'helm.sh/dependson/layer': ['layer1'],
      'helm.sh/dependson/chart': 'x',
    }),
  });

const noValues = new Map();
/** Where a run told of a resource's state among its events; -1 where it did not. */
const indexOf = ({ events }: World, name: string, state: string): number =>
  events.findIndex((event) => event.kind === 'resource' && event.id.name === name && event.state === state);
const told = (world: World, name: string, state: string): Promise<void> =>
  expect.poll(() => indexOf(world, name, state)).toBeGreaterThanOrEqual(0);
const stored = async ({ context }: World, version = 1): Promise<Release> =>
  (await (await context.storage()).get('rel', version)) as Release;
/** Names of what was deleted of the release, in order. */
const deleted = (cluster: FakeCluster): readonly string[] =>
  cluster.calls.filter(({ verb, kind }) => verb === 'delete' && kind !== 'Secret').map(({ name }) => name);
const statesOf = ({ sequencing }: Release): readonly string[] =>
  (sequencing as { states: { unit: string; node?: string; state: string }[] }).states.map(
    ({ unit, node, state }) => `${[unit, node].filter(Boolean).join(' ')}: ${state}`,
  );

/** What Helm leaves behind: the same manifest as a second revision, and no order in either. */
async function upgradeByHelm(world: World): Promise<void> {
  const { sequencing: _sequencing, ...first } = await stored(world);
  const storage = await world.context.storage();
  await storage.update({ ...first, info: { ...first.info, status: 'superseded' } });
  await storage.create({ ...first, version: 2 });
}

async function readyWhenSeen(cluster: FakeCluster, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await cluster.sees(name);
    cluster.makeReady(name);
  }
}

/** What a note is about: objects, annotations, revisions and strategies. */
const namesIn = (note: string): string =>
  (
    note
      .replaceAll(/wait: '(\w+)'/g, 'wait=$1')
      .match(/[A-Z]\w+\/\w+|helm\.sh\/[\w-]+|revision (?:\d+ )?of \w+|wait=\w+/g) ?? []
  ).join(' ');
const isOfRevision = (names: string): boolean => names.startsWith('revision ');

describe('install', () => {
  test('a batch begins when all of the one before is ready', async () => {
    const world = openWorld();
    const { cluster } = world;
    const run = install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    await readyWhenSeen(cluster, 'nginx');
    await cluster.sees('rabbitmq');
    await told(world, 'nginx', 'ready');
    await readyWhenSeen(cluster, 'rabbitmq', 'bar');
    await cluster.sees('orphaned');
    await cluster.sees('foo');
    await readyWhenSeen(cluster, 'orphaned', 'foo');
    const { release } = await run;
    expect(release.info.status).toBe('deployed');
    expect(indexOf(world, 'bar', 'applying')).toBeGreaterThan(indexOf(world, 'rabbitmq', 'ready'));
    expect(indexOf(world, 'foo', 'applying')).toBeGreaterThan(indexOf(world, 'bar', 'ready'));
    expect(
      world.events.flatMap((event) => (event.kind === 'batch-started' && event.unit === 'foo' ? [event.names] : [])),
    ).toEqual([['nginx', 'rabbitmq'], ['bar'], ['orphaned', 'foo']]);
  });

  test('the record keeps the manifest in order, the batches and how far each unit got', async () => {
    const world = openWorld({ readyAtOnce: true });
    await install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    const release = await stored(world);
    expect(release.manifest.match(/(?<=# Source: ).*/g)).toEqual([
      'foo/charts/nginx/templates/nginx.yaml',
      'foo/charts/rabbitmq/templates/rabbitmq.yaml',
      'foo/charts/bar/templates/bar.yaml',
      'foo/charts/orphaned/templates/orphaned.yaml',
      'foo/templates/foo.yaml',
    ]);
    expect(release.sequencing).toMatchObject({
      strategy: 'ordered',
      batches: [[{ name: 'nginx' }, { name: 'rabbitmq' }], [{ name: 'bar' }], [{ name: 'orphaned' }, { name: 'foo' }]],
    });
    expect(statesOf(release)).toEqual(
      ['foo', 'foo/nginx', 'foo/rabbitmq', 'foo/bar', 'foo/orphaned'].map((unit) => `${unit}: ready`),
    );
    const [first] = (release.sequencing as { states: { startedAt?: string; endedAt?: string }[] }).states;
    expect(first?.startedAt && first.endedAt && first.startedAt < first.endedAt).toBe(true);
  });

  test('between two batches the record tells how far each unit is, in one write', async () => {
    const world = openWorld();
    const { cluster } = world;
    const isWrite = (verb: string): boolean => !['get', 'list', 'watch'].includes(verb);
    const writes = (): number => cluster.calls.filter(({ verb, kind }) => isWrite(verb) && kind === 'Secret').length;
    const run = install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    await cluster.sees('nginx');
    await cluster.sees('rabbitmq');
    const before = writes();
    await readyWhenSeen(cluster, 'nginx', 'rabbitmq');
    await cluster.sees('bar');
    await expect
      .poll(async () => statesOf(await stored(world)))
      .toEqual([
        'foo: installing',
        'foo/nginx: ready',
        'foo/rabbitmq: ready',
        'foo/bar: installing',
        'foo/orphaned: pending',
      ]);
    const { states } = (await stored(world)).sequencing as { states: { startedAt?: string; endedAt?: string }[] };
    expect(states[1]).toMatchObject({ startedAt: expect.any(String), endedAt: expect.any(String) });
    expect(writes() - before).toBe(1);
    await readyWhenSeen(cluster, 'bar', 'orphaned', 'foo');
    await run;
  });

  test('--eager: the record is written as units are done', async () => {
    const world = openWorld();
    const { cluster } = world;
    const run = install(await layers(), noValues, { name: 'rel', wait: 'ordered', eager: true }, world.context);
    await readyWhenSeen(cluster, 'foo');
    await expect.poll(async () => statesOf(await stored(world))).toContain('app layer1: ready');
    await readyWhenSeen(cluster, 'bar', 'x', 'fizz');
    await run;
  });

  test('--eager: a layer does not wait for a subchart that it does not name', async () => {
    const world = openWorld();
    const { cluster } = world;
    const run = install(await layers(), noValues, { name: 'rel', wait: 'ordered', eager: true }, world.context);
    await readyWhenSeen(cluster, 'foo', 'bar');
    await told(world, 'bar', 'ready');
    await readyWhenSeen(cluster, 'x', 'fizz');
    await run;
    expect(indexOf(world, 'fizz', 'applying')).toBeGreaterThan(indexOf(world, 'x', 'ready'));
    expect(statesOf(await stored(world))).toEqual([
      'app: ready',
      'app/x: ready',
      'app layer1: ready',
      'app layer2: ready',
      'app layer3: ready',
    ]);
  });

  test('a Job counts as ready only when it is complete', async () => {
    const world = openWorld();
    const { cluster } = world;
    const chart = await chartOf({
      'templates/job.yaml':
        'apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate, annotations: {helm.sh/weight: -1}}\n',
      'templates/web.yaml': configMap('web'),
    });
    const run = install(chart, noValues, { name: 'rel' }, world.context);
    await cluster.sees('migrate');
    await told(world, 'migrate', 'waiting');
    cluster.makeReady('migrate');
    await run;
    expect(indexOf(world, 'web', 'applying')).toBeGreaterThan(indexOf(world, 'migrate', 'ready'));
  });

  test('a Namespace of one group is there before the objects of another that begins with it', async () => {
    const world = openWorld({ readyAtOnce: true, strictNamespaces: true });
    const chart = await chartOf({
      'Chart.yaml': chartYaml('app', 'dependencies: [{name: x, version: 1.0.0}]\n'),
      'charts/x/Chart.yaml': chartYaml('x'),
      'charts/x/templates/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: in-it, namespace: other}\n',
      'templates/ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n',
    });
    await install(chart, noValues, { name: 'rel', wait: 'ordered' }, world.context);
    expect(world.cluster.names()).toContain('ConfigMap/in-it');
  });

  test.each([
    { eager: false, where: 'batch 1 of 3 of foo (nginx, rabbitmq)' },
    { eager: true, where: 'nginx of foo' },
  ])('the first failure stops the run and names its batch and cause (eager: $eager)', async ({ eager, where }) => {
    const world = openWorld();
    const { cluster } = world;
    const run = install(await foo(), noValues, { name: 'rel', wait: 'ordered', eager, graceMs: 0 }, world.context);
    const outcome = expect(run).rejects.toMatchObject({ code: 'wait-failed' });
    await cluster.sees('nginx');
    cluster.makeFailed('nginx', 'no such image');
    await outcome;
    expect(cluster.seen).not.toContain('bar');
    const release = await stored(world);
    expect(release.info.status).toBe('failed');
    expect(release.info.description).toContain(`failed: ${where}: resource`);
    expect(release.info.description).toContain('no such image');
    expect(statesOf(release)).toEqual([
      'foo: failed',
      'foo/nginx: failed',
      'foo/rabbitmq: stopped',
      'foo/bar: pending',
      'foo/orphaned: pending',
    ]);
  });

  test('--readiness-timeout limits one batch', async () => {
    const world = openWorld();
    const options = { name: 'rel', wait: 'ordered', timeoutMs: 60_000, readinessTimeoutMs: 30 } as const;
    await expect(install(await foo(), noValues, options, world.context)).rejects.toMatchObject({
      code: 'wait-timeout',
    });
  });

  test('--readiness-timeout limits no other wait, and says so', async () => {
    const notes: string[] = [];
    const world = openWorld();
    const onEvent = (event: ExecutionEvent): void => {
      if (event.kind === 'note') notes.push(event.text);
    };
    const run = install(
      await foo(),
      noValues,
      { name: 'rel', wait: 'watcher', timeoutMs: 60_000, readinessTimeoutMs: 1 },
      { ...world.context, onEvent },
    );
    const begunAt = performance.now();
    await world.cluster.sees('foo');
    await expect.poll(() => performance.now() - begunAt).toBeGreaterThan(1);
    await readyWhenSeen(world.cluster, 'nginx', 'rabbitmq', 'bar', 'orphaned', 'foo');
    await run;
    expect(notes).toContain("eager and readinessTimeoutMs only work with wait: 'ordered'");
  });

  test('an interruption says in which batch it came', async () => {
    const interrupt = new AbortController();
    const world = openWorld({ signal: interrupt.signal });
    const run = install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    const outcome = expect(run).rejects.toMatchObject({ name: 'AbortError' });
    await readyWhenSeen(world.cluster, 'nginx', 'rabbitmq');
    await world.cluster.sees('bar');
    interrupt.abort();
    await outcome;
    expect((await stored(world)).info.description).toBe(
      'Release "rel" failed: interrupted (context canceled) in batch 2 of 3 of foo (bar) at "apply 5 resources" (3 done)',
    );
  });

  test('--rollback-on-failure uninstalls in the reverse order', async () => {
    const world = openWorld();
    const { cluster } = world;
    const run = install(
      await foo(),
      noValues,
      { name: 'rel', wait: 'ordered', rollbackOnFailure: true, graceMs: 0 },
      world.context,
    );
    const outcome = expect(run).rejects.toMatchObject({ code: 'install-rolled-back' });
    await readyWhenSeen(cluster, 'nginx', 'rabbitmq');
    await cluster.sees('bar');
    cluster.makeFailed('bar');
    await outcome;
    expect(deleted(cluster)).toEqual(['bar', 'nginx', 'rabbitmq']);
  });

  test('keys that the API server refuses reach neither the cluster nor the record', async () => {
    const world = openWorld({ readyAtOnce: true });
    await install(await layers(), noValues, { name: 'rel', wait: 'hookOnly' }, world.context);
    expect(world.cluster.find('fizz')?.metadata.annotations).toMatchObject({
      'helm.sh/layer': 'layer3',
      'dependson.helm.sh/layer': '["layer1"]',
      'dependson.helm.sh/chart': '["x"]',
    });
    expect((await stored(world)).manifest).not.toContain('helm.sh/dependson/');
  });
});

describe('the choice', () => {
  const notes = ({ events }: World): readonly string[] =>
    events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));

  test('layers choose it, and one line says so', async () => {
    const world = openWorld({ readyAtOnce: true });
    const { plan } = await install(await layers(), noValues, { name: 'rel' }, world.context);
    expect(plan.strategy).toBe('ordered');
    expect(notes(world).map(namesIn)).toEqual(['Deployment/bar helm.sh/layer wait=ordered wait=hookOnly']);
  });

  test('an explicit --wait wins, and one line says what it passes over', async () => {
    const world = openWorld({ readyAtOnce: true });
    const { plan, release } = await install(await layers(), noValues, { name: 'rel', wait: 'watcher' }, world.context);
    expect([plan.strategy, release.sequencing]).toEqual(['watcher', undefined]);
    expect(notes(world).map(namesIn)).toEqual(['Deployment/bar helm.sh/layer wait=watcher wait=ordered']);
  });

  test('subcharts in an order act only where it is asked for; one line hints at it', async () => {
    const world = openWorld({ readyAtOnce: true });
    const { plan } = await install(await foo(), noValues, { name: 'rel' }, world.context);
    expect(plan.strategy).toBe('hookOnly');
    expect(notes(world)).toEqual([
      "chart foo declares an order (Chart.yaml depends-on), which only takes effect with wait: 'ordered'",
    ]);
  });

  test.each([
    [
      'one that Helm may have packaged',
      'apiVersion: v2\ndependencies:\n- name: a\n  repository: ""\n  version: 1.0.0\n- name: b\n  repository: ""\n  version: 1.0.0\nname: pair-77\nversion: 1.0.0\n',
      true,
    ],
    ['one that somebody wrote', 'name: pair-77\napiVersion: v2\nversion: 1.0.0\n', false],
  ])('an order that was asked for and is nowhere is told: %s', async (_which, chartYaml, mayBeLost) => {
    const world = openWorld({ readyAtOnce: true });
    const chart = await chartOf({
      'Chart.yaml': chartYaml,
      'charts/a/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
      'charts/a/templates/a.yaml': configMap('a'),
      'charts/b/Chart.yaml': 'apiVersion: v2\nname: b\nversion: 1.0.0\n',
      'charts/b/templates/b.yaml': configMap('b'),
    });
    const options = { name: 'rel', wait: 'ordered' } as const;
    const { plan } = await install(chart, noValues, options, world.context);
    const texts = [...notes(world), ...plan.warnings].filter((text) => text.includes('-77'));
    expect(texts).toHaveLength(1);
    expect(plan.warnings).toEqual(mayBeLost ? texts : []);
    const strict = install(chart, noValues, { ...options, strictPlan: true, dryRun: 'client' }, world.context);
    await expect(
      strict.then(
        () => undefined,
        ({ code }) => code,
      ),
    ).resolves.toBe(mayBeLost ? 'plan-hazards' : undefined);
  });

  test('a failure in a chart with a single batch names the chart alone', async () => {
    const world = openWorld();
    world.cluster.failOn('apply', 'a', new Error('no room'));
    const chart = await chartOf({ 'Chart.yaml': 'name: solo\nversion: 1.0.0\n', 'templates/a.yaml': configMap('a') });
    // The preflight sends the objects of the first batch too, and would meet the failure first.
    const options = { name: 'rel', wait: 'ordered', preflight: 'never' } as const;
    await expect(install(chart, noValues, options, world.context)).rejects.toThrow(/^chart solo: .*no room/);
  });

  test('a chart that cannot be ordered fails before anything is sent', async () => {
    const world = openWorld();
    const chart = await chartOf({
      'templates/a.yaml': deployment('a', { 'helm.sh/layer': 'l', 'helm.sh/dependson/layer': 'l' }),
    });
    await expect(install(chart, noValues, { name: 'rel' }, world.context)).rejects.toMatchObject({
      code: 'dependency-cycle',
    });
    expect(world.cluster.seen).toEqual([]);
  });
});

describe('upgrade, rollback, uninstall', () => {
  const installed = async (): Promise<World> => {
    const world = openWorld({ readyAtOnce: true });
    await install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    return world;
  };

  test('an upgrade deletes what is gone in the reverse of the old order', async () => {
    const world = await installed();
    const chart = await chartOf({ 'Chart.yaml': chartYaml('foo'), 'templates/foo.yaml': deployment('foo') });
    await upgrade(chart, noValues, { name: 'rel', wait: 'ordered' }, world.context);
    expect(deleted(world.cluster)).toEqual(['orphaned', 'bar', 'nginx', 'rabbitmq']);
  });

  test('an upgrade after one that failed deletes what that left in the reverse of its order', async () => {
    const world = openWorld();
    const { cluster } = world;
    const ordered = { name: 'rel', wait: 'ordered', graceMs: 0 } as const;
    const only = await chartOf({ 'Chart.yaml': chartYaml('foo'), 'templates/foo.yaml': deployment('bar') });
    const first = install(only, noValues, ordered, world.context);
    await readyWhenSeen(cluster, 'bar');
    await first;
    const failing = expect(upgrade(await foo(), noValues, ordered, world.context)).rejects.toMatchObject({
      code: 'wait-failed',
    });
    await readyWhenSeen(cluster, 'nginx', 'rabbitmq', 'bar');
    await cluster.sees('foo');
    cluster.makeFailed('foo', 'no such image');
    await failing;
    cluster.calls.length = 0;
    const other = await chartOf({ 'Chart.yaml': chartYaml('foo'), 'templates/foo.yaml': configMap('one') });
    await upgrade(other, noValues, ordered, world.context);
    expect(deleted(cluster).slice(0, 2).sort()).toEqual(['foo', 'orphaned']);
    expect(deleted(cluster).slice(2)).toEqual(['bar', 'nginx', 'rabbitmq']);
  });

  test('a rollback goes by the plan of the revision it goes back to', async () => {
    const world = await installed();
    await upgrade(
      await chartOf({ 'templates/one.yaml': configMap('one') }),
      noValues,
      { name: 'rel', wait: 'watcher' },
      world.context,
    );
    const { seen } = world.cluster;
    seen.length = 0;
    const { plan, release } = await rollback({ name: 'rel', revision: 1 }, world.context);
    expect(plan.strategy).toBe('ordered');
    expect(seen.filter((name) => !name.startsWith('sh.helm'))).toEqual(
      ['nginx', 'rabbitmq', 'bar', 'foo', 'orphaned'].sort((a, b) => seen.indexOf(a) - seen.indexOf(b)),
    );
    expect(seen.indexOf('bar')).toBeLessThan(seen.indexOf('foo'));
    expect(statesOf(release)).toContain('foo/bar: ready');
  });

  test('an uninstall goes backwards, each batch gone before the next', async () => {
    const world = await installed();
    await uninstall({ name: 'rel' }, world.context);
    const order = deleted(world.cluster);
    expect([order.slice(0, 2).sort(), order.slice(2)]).toEqual([
      ['foo', 'orphaned'],
      ['bar', 'nginx', 'rabbitmq'],
    ]);
  });

  test('an uninstall whose batch takes too long stops there: later batches stay, and post-delete hooks wait for the next', async () => {
    const world = openWorld({ readyAtOnce: true });
    const files = {
      'templates/a.yaml': deployment('a', { 'helm.sh/weight': '-1' }),
      'templates/b.yaml': deployment('b'),
      'templates/hook.yaml': configMap('dropped', 'k: v', 'helm.sh/hook: post-delete'),
    };
    await install(await chartOf(files), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    const b = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'b' };
    await world.cluster.patch(b, 'merge', { metadata: { finalizers: ['foregroundDeletion'] } });
    for (let times = 1; times <= 2; times += 1) {
      await expect(uninstall({ name: 'rel', timeoutMs: 20 }, world.context)).rejects.toMatchObject({
        code: 'wait-timeout',
        message: expect.stringMatching(
          /^failed to delete release: rel: batch 1 of 2 of app \(weight 0\): resource Deployment/,
        ),
      });
      expect(world.cluster.names()).toEqual(expect.arrayContaining(['Deployment/a', 'Deployment/b']));
      expect(world.cluster.seen).not.toContain('dropped');
      const { info, sequencing } = await stored(world);
      expect(info.status).toBe('uninstalling');
      expect(info.description).toMatch(/^Uninstallation stopped: failed to delete release: rel: batch 1 of 2/);
      expect(sequencing).toMatchObject({ states: [] });
    }
    world.cluster.remove('b');
    await uninstall({ name: 'rel' }, world.context);
    expect(world.cluster.names()).toEqual(['ConfigMap/dropped']);
  });

  test.each([false, true])(
    'what a failed upgrade created is deleted in the reverse order: rolled back %s',
    async (rollbackOnFailure) => {
      const world = openWorld({ readyAtOnce: true });
      const itemOf = (name: string): string => `- {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}\n`;
      const list = (...names: string[]): string =>
        `apiVersion: v1\nkind: List\nmetadata: {annotations: {helm.sh/weight: "1"}}\nitems:\n${names.map(itemOf).join('')}`;
      const files = { 'templates/first.yaml': deployment('first'), 'templates/list.yaml': list('old') };
      await install(await chartOf(files), noValues, { name: 'rel', wait: 'ordered' }, world.context);
      const grown = {
        ...files,
        'templates/list.yaml': list('old', 'listed'),
        ...Object.fromEntries(
          [2, 3, 4].map((weight) => [
            `templates/${weight}.yaml`,
            deployment(`w${weight}`, { 'helm.sh/weight': `${weight}` }),
          ]),
        ),
      };
      const last = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'w4' } };
      world.cluster.failOn('apply', 'w4', refusal(422, 'Invalid', last, 'no'));
      world.events.length = 0;
      const options = {
        name: 'rel',
        wait: 'ordered',
        cleanupOnFail: true,
        preflight: 'never',
        rollbackOnFailure,
      } as const;
      await expect(upgrade(await chartOf(grown), noValues, options, world.context)).rejects.toThrow('no');
      expect(deleted(world.cluster)).toEqual(['w3', 'w2', 'listed']);
      expect(world.cluster.names()).toEqual(expect.arrayContaining(['ConfigMap/old', 'Deployment/first']));
      // Each is gone before the next is asked for.
      expect(indexOf(world, 'w3', 'deleted')).toBeLessThan(indexOf(world, 'w2', 'deleting'));
    },
  );

  describe('what undoes a failed run is carried out as the run', () => {
    /** All in one batch, and `z` after it, which fails. */
    const failing = (names: readonly string[]): Promise<Chart> =>
      chartOf({
        ...Object.fromEntries(
          names.map((name) => [`templates/${name}.yaml`, deployment(name, { 'helm.sh/weight': '-1' })]),
        ),
        'templates/z.yaml': deployment('z'),
      });
    const options = { name: 'rel', wait: 'ordered', rollbackOnFailure: true, preflight: 'never' } as const;
    const opened = (): World => {
      const world = openWorld({ readyAtOnce: true });
      const z = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'z' } };
      world.cluster.failOn('apply', 'z', refusal(422, 'Invalid', z, 'no'));
      return world;
    };

    test('with its concurrency', async () => {
      const world = opened();
      const remove = world.cluster.delete.bind(world.cluster);
      let now = 0;
      let most = 0;
      world.cluster.delete = async (id, deleteOptions) => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        now -= 1;
        return remove(id, deleteOptions);
      };
      const run = install(await failing(['a', 'b', 'c']), noValues, { ...options, concurrency: 1 }, world.context);
      await expect(run).rejects.toMatchObject({ code: 'install-rolled-back' });
      expect([deleted(world.cluster).toSorted(), most]).toEqual([['a', 'b', 'c'], 1]);
    });

    test('with its readiness timeout', async () => {
      const world = opened();
      const apply = world.cluster.apply.bind(world.cluster);
      world.cluster.apply = (object, applyOptions) => {
        const metadata = { ...object.metadata, finalizers: ['example.com/slow'] };
        return apply(object.metadata.name === 'a' ? { ...object, metadata } : object, applyOptions);
      };
      const run = install(await failing(['a']), noValues, { ...options, readinessTimeoutMs: 20 }, world.context);
      await expect(run).rejects.toThrow('timed out after 20ms');
    });

    test('eagerly', async () => {
      const world = opened();
      const run = install(await failing(['a']), noValues, { ...options, eager: true }, world.context);
      await expect(run).rejects.toMatchObject({ code: 'install-rolled-back' });
      expect(world.events.filter(({ kind }) => kind === 'batch-started')).toEqual([]);
      expect(deleted(world.cluster)).toEqual(['a']);
    });
  });

  test('--wait=hookOnly deletes everything at once', async () => {
    const world = await installed();
    const { plan } = await uninstall({ name: 'rel', wait: 'hookOnly' }, world.context);
    expect(plan?.steps.flatMap((step) => (step.kind === 'delete' ? [step.unit.batches.length] : []))).toEqual([1]);
    expect(plan?.steps.map(({ kind }) => kind)).toEqual(['record', 'delete']);
  });

  test.each([
    ['kept by the revision before', true],
    ['dropped there too, as Helm does when it supersedes one', false],
  ])('a release that Helm upgraded is uninstalled in the order that is known: %s', async (_what, isKept) => {
    const world = openWorld({ readyAtOnce: true });
    await install(
      await foo(`${configMap('settings')}---\n${deployment('foo')}`),
      noValues,
      { name: 'rel', wait: 'ordered' },
      world.context,
    );
    const storage = await world.context.storage();
    const { sequencing, ...first } = await stored(world);
    const placeOf = (document: string): string =>
      `${document.includes('ConfigMap') ? 0 : 1} ${/^# Source: (.*)$/m.exec(document)?.[1]}`;
    const sorted = first.manifest.split(/(?=^---\n)/m).sort((a, b) => compareText(placeOf(a), placeOf(b)));
    await storage.update({ ...first, ...(isKept && { sequencing }), info: { ...first.info, status: 'superseded' } });
    await storage.create({ ...first, version: 2, manifest: sorted.join('') });
    const { plan } = await uninstall({ name: 'rel' }, world.context);
    expect(plan?.strategy).toBe('ordered');
    const order = deleted(world.cluster);
    expect(order.indexOf('foo')).toBeLessThan(order.indexOf('bar'));
    expect(order.at(-3)).toBe('bar');
    expect(order.slice(-2).sort()).toEqual(['nginx', 'rabbitmq']);
  });

  test.each([
    [
      'by the edges of the same chart in another revision',
      '1.0.0',
      false,
      ['orphaned foo', 'bar', 'nginx rabbitmq'],
      0,
    ],
    ['one by one where that was another chart', '2.0.0', false, ['foo', 'orphaned', 'bar', 'rabbitmq', 'nginx'], 0],
    ['one by one where that lacked a subchart', '1.0.0', true, ['foo', 'bar', 'rabbitmq', 'orphaned', 'nginx'], 1],
  ])('a release that Helm upgraded without its edges goes %s', async (_what, version, isNew, batches, warnings) => {
    const world = openWorld({ readyAtOnce: true });
    await install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    const storage = await world.context.storage();
    const { sequencing: _dropped, ...first } = await stored(world);
    const { metadata } = first.chart;
    const annotations = { 'helm.sh/depends-on/subcharts': '["bar", "rabbitmq"]' };
    const documents = first.manifest.split(/(?=^---\n)/m);
    const sourceOf = (document: string): string => /^# Source: (.*)$/m.exec(document)?.[1] ?? '';
    await storage.update({
      ...first,
      ...(isNew && { manifest: documents.filter((document) => !document.includes('orphaned')).join('') }),
      info: { ...first.info, status: 'superseded' },
    });
    await storage.create({
      ...first,
      version: 2,
      chart: { ...first.chart, metadata: { ...metadata, version, annotations } },
      manifest: documents.sort((a, b) => compareText(sourceOf(a), sourceOf(b))).join(''),
    });
    const { plan } = await uninstall({ name: 'rel', wait: 'ordered' }, world.context);
    const unit = plan?.steps.flatMap((step) => (step.kind === 'delete' ? [step.unit] : []))[0];
    expect(
      unit?.batches.map(({ nodes }) => nodes.map((n) => (n.kind === 'unit' ? n.unit.name : n.name)).join(' ')),
    ).toEqual(batches);
    const told = world.events.filter(({ kind }) => kind === 'warning');
    expect(told).toHaveLength(warnings);
  });

  test('groups whose manifest stands as Helm would sort it are uninstalled in order too, after Helm has dropped the order', async () => {
    const world = openWorld({ readyAtOnce: true });
    const groups = await chartOf({
      'templates/a.yaml': deployment('a', { 'helm.sh/resource-group': 'a' }),
      'templates/b.yaml': deployment('b', {
        'helm.sh/resource-group': 'b',
        'helm.sh/depends-on/resource-groups': ['a'],
      }),
    });
    await install(groups, noValues, { name: 'rel', wait: 'ordered' }, world.context);
    await upgradeByHelm(world);
    expect((await uninstall({ name: 'rel' }, world.context)).plan?.strategy).toBe('ordered');
    expect(deleted(world.cluster)).toEqual(['b', 'a']);
  });

  test('subcharts whose manifest stands as Helm would sort it go by the revision that was first in order', async () => {
    const world = openWorld({ readyAtOnce: true });
    const chart = await chartOf({
      'Chart.yaml':
        'apiVersion: v2\nname: pair\nversion: 1.0.0\ndependencies:\n- {name: a, version: 1.0.0}\n- {name: b, version: 1.0.0, depends-on: [a]}\n',
      'charts/a/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
      'charts/a/templates/a.yaml': deployment('a'),
      'charts/b/Chart.yaml': 'apiVersion: v2\nname: b\nversion: 1.0.0\n',
      'charts/b/templates/b.yaml': deployment('b'),
    });
    await install(chart, noValues, { name: 'rel', wait: 'ordered' }, world.context);
    await upgradeByHelm(world);
    expect((await uninstall({ name: 'rel' }, world.context)).plan?.strategy).toBe('ordered');
    expect(deleted(world.cluster)).toEqual(['b', 'a']);
  });

  test('a release that was never ordered is uninstalled at once', async () => {
    const world = openWorld({ readyAtOnce: true });
    await install(await foo(), noValues, { name: 'rel' }, world.context);
    expect((await uninstall({ name: 'rel' }, world.context)).plan?.strategy).toBe('hookOnly');
  });
});

describe('a release that was deployed in order, without --wait', () => {
  const notes = ({ events }: World): readonly string[] =>
    events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
  const begun = ({ events }: World): readonly string[] =>
    events.flatMap((event) => (event.kind === 'resource' && event.state === 'applying' ? [event.id.name] : []));

  test('is upgraded, rolled back and uninstalled in order; each says so', async () => {
    const world = openWorld({ readyAtOnce: true });
    await install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    await upgrade(await foo(), noValues, { name: 'rel' }, world.context);
    expect((await stored(world, 2)).labels).toMatchObject({ 'tshelm.dev/wait': 'ordered' });
    expect(begun(world).slice(5)[2]).toBe('bar');
    await rollback({ name: 'rel', revision: 1 }, world.context);
    await uninstall({ name: 'rel' }, world.context);
    expect(notes(world).map(namesIn).filter(isOfRevision)).toEqual([
      'revision 1 of rel wait=ordered wait=hookOnly',
      'revision 1 of rel wait=ordered wait=hookOnly',
      'revision 3 of rel wait=ordered wait=hookOnly',
    ]);
  });

  test('a revision that Helm made is not said to be in order: the one before it is named', async () => {
    const world = openWorld({ readyAtOnce: true });
    await install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    await upgradeByHelm(world);
    const { plan } = await upgrade(await foo(), noValues, { name: 'rel' }, world.context);
    const back = await rollback({ name: 'rel', revision: 2, wait: 'hookOnly' }, world.context);
    expect([plan.strategy, back.plan.strategy]).toEqual(['ordered', 'hookOnly']);
    expect(notes(world).map(namesIn).filter(isOfRevision)).toEqual([
      'revision 1 of rel wait=ordered wait=hookOnly',
      'revision 1 of rel wait=ordered wait=hookOnly',
    ]);
  });

  test('where the revision that was in order is gone, none is named', async () => {
    const world = openWorld({ readyAtOnce: true });
    await install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    await upgradeByHelm(world);
    const storage = await world.context.storage();
    await storage.delete('rel', 1);
    await uninstall({ name: 'rel' }, world.context);
    expect(notes(world).map(namesIn)).toContain('revision of rel wait=ordered wait=hookOnly');
  });

  test('an explicit --wait that passes over its order says so in one line', async () => {
    const world = openWorld({ readyAtOnce: true });
    await install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    await rollback({ name: 'rel', revision: 1, wait: 'hookOnly' }, world.context);
    await rollback({ name: 'rel', revision: 1, wait: 'ordered' }, world.context);
    await uninstall({ name: 'rel', wait: 'watcher' }, world.context);
    expect(notes(world).map(namesIn)).toEqual([
      'revision 1 of rel wait=ordered wait=hookOnly',
      'revision 3 of rel wait=ordered wait=watcher',
    ]);
  });

  test('a revision that was not deployed in order is not rolled back to in order', async () => {
    const world = openWorld({ readyAtOnce: true });
    await install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    await upgrade(await foo(), noValues, { name: 'rel', wait: 'hookOnly' }, world.context);
    await upgrade(await foo(), noValues, { name: 'rel' }, world.context);
    world.events.length = 0;
    const plans = [];
    for (const revision of [2, 3]) plans.push((await rollback({ name: 'rel', revision }, world.context)).plan.strategy);
    expect(plans).toEqual(['hookOnly', 'hookOnly']);
    expect(notes(world)).toEqual([]);
    expect((await rollback({ name: 'rel', revision: 1 }, world.context)).plan.strategy).toBe('ordered');
  });

  test('what a stored manifest declares is told too, where --wait passes over it, and where it decides', async () => {
    const world = openWorld({ readyAtOnce: true });
    const layers = await chartOf({ 'templates/a.yaml': configMap('a', 'k: v', 'helm.sh/layer: one') });
    await install(layers, noValues, { name: 'rel', wait: 'hookOnly' }, world.context);
    world.events.length = 0;
    await rollback({ name: 'rel', revision: 1, wait: 'watcher' }, world.context);
    await rollback({ name: 'rel', revision: 1 }, world.context);
    await uninstall({ name: 'rel', wait: 'hookOnly' }, world.context);
    expect(notes(world).map(namesIn)).toEqual([
      'ConfigMap/a helm.sh/layer wait=watcher wait=ordered',
      'ConfigMap/a helm.sh/layer wait=ordered wait=hookOnly',
      'revision 3 of rel wait=ordered wait=hookOnly',
    ]);
  });

  test('--wait=hookOnly ends that', async () => {
    const world = openWorld({ readyAtOnce: true });
    await install(await foo(), noValues, { name: 'rel', wait: 'ordered' }, world.context);
    await upgrade(await foo(), noValues, { name: 'rel', wait: 'hookOnly' }, world.context);
    expect((await stored(world, 2)).labels).not.toHaveProperty('tshelm.dev/wait');
    await upgrade(await foo(), noValues, { name: 'rel' }, world.context);
    expect((await stored(world, 3)).sequencing).toBeUndefined();
  });
});
