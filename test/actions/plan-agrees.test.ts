import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionContext } from '../../src/actions/action-context.ts';
import { diffUpgrade } from '../../src/actions/diff.ts';
import { drift } from '../../src/actions/drift.ts';
import { install } from '../../src/actions/install.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import { ApiError } from '../../src/cluster/api-error.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import type { ExecutionEvent } from '../../src/execute/events.ts';
import { refusal } from '../cluster/fake-cluster.ts';
import { chartOf, configMap, openWorld } from './harness.ts';
import { openSandboxCluster } from './sandbox-cluster.ts';

let cluster: Cluster;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ cluster, close } = await openSandboxCluster());
});
afterAll(() => close());

const map = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata: {key: ${value}}\n`;

/** What a plan says of each object once something was done to them, and what the run then tells of it. */
async function plannedAndDone(name: string, files: Readonly<Record<string, string>>, between: () => Promise<unknown>) {
  const events: ExecutionEvent[] = [];
  const context = actionContext(cluster, { driver: 'memory', onEvent: (event) => events.push(event) });
  const chart = await chartOf(files);
  await install(chart, new Map(), { name }, context);
  await between();
  const drifted = await drift({ name }, context);
  const { objects } = await diffUpgrade(chart, new Map(), { name }, context);
  events.length = 0;
  await upgrade(chart, new Map(), { name }, context);
  const done = events.flatMap((event) => {
    const isEnd = event.kind === 'resource' && (event.state === 'configured' || event.state === 'unchanged');
    return isEnd ? [`${event.id.name} ${event.state}`] : [];
  });
  return {
    drifted: drifted.objects.map(({ id }) => id.name),
    planned: objects.map(({ id, change, notes }) => [id.name, change, ...notes].join(' ')),
    done: done.sort(),
  };
}

test('an object of which the managers alone change is written, so it counts as changed', async () => {
  const files = { 'templates/own.yaml': configMap('own'), 'templates/taken.yaml': configMap('taken') };
  const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'taken' };
  const noManagers = [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }];
  expect(await plannedAndDone('managers', files, () => cluster.patch(id, 'json', noManagers))).toEqual({
    drifted: [],
    planned: ['own unchanged', 'taken changed only the managers of its fields change'],
    done: ['own unchanged', 'taken configured'],
  });
});

test('a field that the chart lets go of, and that keeps its value, is named', async () => {
  const service = (spec: string): string =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: headless}\nspec: {${spec}selector: {app: a}, ports: [{port: 80}]}\n`;
  const context = actionContext(cluster, { driver: 'memory' });
  const before = await chartOf({ 'templates/s.yaml': service('clusterIP: None, ') });
  await install(before, new Map(), { name: 'headless' }, context);
  const after = await chartOf({ 'templates/s.yaml': service('') });
  const { objects } = await diffUpgrade(after, new Map(), { name: 'headless' }, context);
  expect(objects.map(({ change, notes }) => [change, ...notes])).toEqual([
    [
      'changed',
      'only the managers of its fields change: the chart no longer sets spec.clusterIP, which keeps its value',
    ],
  ]);
});

test.each([
  [
    'one after the other',
    'b',
    ['twice changed it is rendered several times, and each time written over'],
    'configured',
  ],
  ['in the same words', 'a', ['twice unchanged'], 'unchanged'],
])('an object that is rendered twice, %s, is one object', async (_how, second, planned, state) => {
  const files = { 'templates/map.yaml': `${map('a')}---\n${map(second)}` };
  expect(await plannedAndDone(`twice-${second}`, files, async () => {})).toEqual({
    drifted: [],
    planned,
    done: [`twice ${state}`, `twice ${state}`],
  });
  await cluster.delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'twice' });
});

test('an object that is being deleted is created anew: plan, drift and --skip-unchanged say so', async () => {
  const files = { 'templates/maps.yaml': `${configMap('going')}immutable: true\n---\n${configMap('stays')}` };
  const context = actionContext(cluster, { driver: 'memory' });
  const chart = await chartOf(files);
  await install(chart, new Map(), { name: 'going' }, context);
  const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'going' };
  await cluster.patch(id, 'merge', { metadata: { finalizers: ['example.com/held'] } });
  await cluster.delete(id);

  const changed = await chartOf({
    'templates/maps.yaml': `${configMap('going', 'k: w')}immutable: true\n---\n${configMap('stays')}`,
  });
  for (const next of [chart, changed]) {
    const { objects } = await diffUpgrade(next, new Map(), { name: 'going' }, context);
    expect(objects.map(({ id: { name }, change, problem }) => [name, change, problem])).toEqual([
      ['going', 'added', undefined],
      ['stays', 'unchanged', undefined],
    ]);
    expect(objects[0]?.notes).toEqual(['it is being deleted: it is created anew once it is gone']);
  }
  const { objects } = await drift({ name: 'going' }, context);
  expect(objects).toMatchObject([{ id, state: 'missing', reason: 'it is being deleted' }]);
  const skipped = await upgrade(chart, new Map(), { name: 'going', skipUnchanged: true, timeoutMs: 20 }, context).catch(
    (error: unknown) => error,
  );
  expect(skipped).toMatchObject({ code: 'apply-failed', details: { reason: 'Terminating' } });
  await cluster.patch(id, 'merge', { metadata: { finalizers: null } });
});

test('what is in a namespace that the release brings anew is not refused because the old one is being deleted', async () => {
  const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: inner}\n';
  const inside = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inside, namespace: inner}\n`;
  const context = actionContext(cluster, { driver: 'memory' });
  const chart = await chartOf({ 'templates/all.yaml': `${namespace}---\n${inside}` });
  await install(chart, new Map(), { name: 'inner' }, context);
  const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'inner', name: 'inside' };
  await cluster.patch(id, 'merge', { metadata: { finalizers: ['example.com/held'] } });
  await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'inner' });

  const { objects } = await diffUpgrade(chart, new Map(), { name: 'inner' }, context);
  expect(objects.map(({ id: { kind }, change, problem }) => [kind, change, problem])).toEqual([
    ['Namespace', 'added', undefined],
    ['ConfigMap', 'added', undefined],
  ]);
  await cluster.patch(id, 'merge', { metadata: { finalizers: null } });
});

test.each([
  ['that nothing of the release brings', '', undefined],
  ['of a Service of the release', 'hooks', true],
])('an object behind a webhook %s that does not answer', async (_whose, service, mayComeYet) => {
  const world = openWorld();
  const own = `apiVersion: v1\nkind: Service\nmetadata: {name: hooks}\nspec: {ports: [{port: 443}]}\n`;
  const chart = await chartOf({
    'templates/map.yaml': configMap('behind'),
    ...(service && { 'templates/service.yaml': own }),
  });
  await install(chart, new Map(), { name: 'behind' }, world.context);
  const { failure } = refusal(500, 'InternalError', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'behind' },
  });
  const message = `Internal error occurred: failed calling webhook "v.example.com": failed to call webhook: Post "https://hooks.default.svc:443/": connection refused`;
  world.cluster.failOn('apply', 'behind', new ApiError({ ...failure, message }), 2);
  const { objects } = await diffUpgrade(chart, new Map(), { name: 'behind' }, world.context);
  const behind = objects.find(({ id }) => id.name === 'behind');
  expect(behind).toMatchObject({ problem: expect.stringContaining(message) });
  expect(behind?.mayComeYet).toBe(mayComeYet);
  const { isDrifted, objects: drifted } = await drift({ name: 'behind' }, world.context);
  expect({ isDrifted, drifted }).toMatchObject({ isDrifted: true, drifted: [{ state: 'unknown' }] });
});
