import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionContext } from '../../src/actions/action-context.ts';
import { install } from '../../src/actions/install.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import type { ExecutionEvent } from '../../src/execute/events.ts';
import { expectHookOrder, hookFiles, hookTable } from '../plan/hook-table.ts';
import { type OrderingTable, orderingTables } from '../plan/ordering-tables.ts';
import { wrongOrder } from '../plan/wrong-order.ts';
import { chartOf } from './harness.ts';
import { openSandboxCluster } from './sandbox-cluster.ts';

let cluster: Cluster;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ cluster, close } = await openSandboxCluster());
});
afterAll(() => close());

/** A Deployment that becomes ready a little later than it is written. */
const slow = (name: string, annotations = ''): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\n  annotations: {${annotations}}\nspec:\n  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}, annotations: {sandbox.tshelm.dev/ready-after: 100ms}}\n    spec: {containers: [{name: main, image: nginx}]}\n`;
/** What was created between two times at which something became ready: the batches as the cluster saw them. */
function wavesOf(events: readonly ExecutionEvent[], created: 'created' | 'deleted'): readonly (readonly string[])[] {
  const waves: string[][] = [[]];
  let isOver = false;
  for (const event of events) {
    if (event.kind === 'batch-finished' && !event.unit.includes('/')) isOver = true;
    if (event.kind !== 'resource' || event.state !== created) continue;
    if (isOver) waves.push([]);
    isOver = false;
    waves.at(-1)?.push(event.id.name);
  }
  return waves.map((names) => names.sort());
}

describe('on the sandbox', () => {
  test.each(orderingTables(slow))('$title', async ({ files, batches }) => {
    const events: ExecutionEvent[] = [];
    const context = actionContext(cluster, { driver: 'memory', onEvent: (event) => events.push(event) });
    await install(await chartOf(files), new Map(), { name: 'rel', wait: 'ordered', timeoutMs: 20_000 }, context);
    expect(wavesOf(events, 'created')).toEqual(batches);
    const readyBefore = (name: string, other: string): boolean =>
      events.findIndex((event) => event.kind === 'resource' && event.state === 'ready' && event.id.name === name) <
      events.findIndex((event) => event.kind === 'resource' && event.state === 'created' && event.id.name === other);
    for (const [index, names] of batches.slice(1).entries()) {
      for (const name of batches[index] ?? []) for (const next of names) expect(readyBefore(name, next)).toBe(true);
    }
    events.length = 0;
    await uninstall({ name: 'rel' }, context);
    expect(wavesOf(events, 'deleted')).toEqual([...batches].reverse());
  });
});

/** The names that a run told this of, each at the place of the event. */
const placesOf = (
  events: readonly ExecutionEvent[],
  kind: 'resource' | 'hook',
  state: string,
): ReadonlyMap<string, number> =>
  new Map(
    events.flatMap((event, index) =>
      event.kind === kind && event.state === state ? [[event.id.name, index] as const] : [],
    ),
  );

/** Lets a Deployment begin anew with pods that are ready at once. */
async function makeReady(name: string): Promise<void> {
  const annotations = { 'sandbox.tshelm.dev/ready-after': '0s' };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name, namespace: 'default' };
  await cluster.patch(deployment, 'merge', { spec: { template: { metadata: { annotations } } } });
}

test('with --eager, layer2 of seed 002 does not wait for X, and layer3 does', async () => {
  const events: ExecutionEvent[] = [];
  const onEvent = (event: ExecutionEvent): void => {
    events.push(event);
    if (event.kind === 'resource' && event.state === 'ready' && event.id.name === 'bar') void makeReady('x');
  };
  const context = actionContext(cluster, { driver: 'memory', onEvent });
  const lasting = (name: string, annotations?: string): string =>
    name === 'x' ? slow(name, annotations).replace('100ms', '1h') : slow(name, annotations);
  const { files } = orderingTables(lasting)[1] as OrderingTable;
  const options = { name: 'eager', wait: 'ordered', eager: true, timeoutMs: 20_000 } as const;
  await install(await chartOf(files), new Map(), options, context);
  const [created, ready] = [placesOf(events, 'resource', 'created'), placesOf(events, 'resource', 'ready')];
  // x is ready only after bar: it would never be if bar had waited for it.
  const isBefore = (name: string, other: string): boolean => Number(ready.get(name)) < Number(created.get(other));
  expect([isBefore('foo', 'bar'), isBefore('x', 'fizz')]).toEqual([true, true]);
  await uninstall({ name: 'eager', wait: 'watcher' }, context);
});

describe('hooks, seed 000, on the sandbox', () => {
  const hook = (name: string, weight: number): string =>
    `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\n  annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: "${weight}"}\nspec: {template: {metadata: {annotations: {sandbox.tshelm.dev/ready-after: 100ms}}, spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}\n`;
  test.each(
    hookTable.flatMap((row) => [
      { ...row, spelling: 'runHooksInParallel', mode: (text: string) => `runHooksInParallel: ${text}` },
      {
        ...row,
        spelling: 'helm.sh/run-hooks-in-parallel',
        mode: (text: string) => `annotations: {helm.sh/run-hooks-in-parallel: "${text}"}`,
      },
    ]),
  )('A $A, B $B, C $C by $spelling: $order', async ({ mode, ...row }) => {
    const events: ExecutionEvent[] = [];
    const context = actionContext(cluster, { driver: 'memory', onEvent: (event) => events.push(event) });
    const chart = await chartOf(hookFiles(row, hook, mode));
    await install(chart, new Map(), { name: 'hooks', timeoutMs: 20_000 }, context);
    const [began, ready] = [placesOf(events, 'hook', 'started'), placesOf(events, 'hook', 'succeeded')];
    const lives = new Map([...began].map(([name, at]) => [name, { began: at, ready: Number(ready.get(name)) }]));
    expectHookOrder(row.order, lives);
    await uninstall({ name: 'hooks', deleteHooks: true }, context);
  });
});

test('an object with both readiness annotations is judged by them in an ordered run, and only there', async () => {
  const rules = (success: string, failure: string): string =>
    `helm.sh/readiness-success: '["${success}"]', helm.sh/readiness-failure: '["${failure}"]'`;
  const context = actionContext(cluster, { driver: 'memory' });
  const chart = await chartOf({
    'templates/web.yaml': slow('ruled', rules('{.readyReplicas} >= 1', '{.observedGeneration} >= 1')),
  });
  const failing = install(chart, new Map(), { name: 'ruled', wait: 'ordered', timeoutMs: 20_000 }, context);
  await expect(failing).rejects.toThrow('its failure condition {.observedGeneration} >= 1 is true');
  await uninstall({ name: 'ruled', wait: 'watcher' }, context);
  await install(chart, new Map(), { name: 'plain', wait: 'watcher', timeoutMs: 20_000 }, context);
});

test('everything wrong in a chart is told in one run, and nothing is sent', async () => {
  const events: ExecutionEvent[] = [];
  const context = actionContext(cluster, { driver: 'memory', onEvent: (event) => events.push(event) });
  const running = install(await chartOf(wrongOrder.files), new Map(), { name: 'wrong', wait: 'ordered' }, context);
  const { message } = await running.then(
    () => new Error('it was installed'),
    (error: Error) => error,
  );
  for (const line of wrongOrder.told) expect(message).toContain(line);
  expect(events.filter(({ kind }) => kind === 'resource')).toEqual([]);
  expect(await (await context.storage()).revisions('wrong')).toEqual([]);
});
