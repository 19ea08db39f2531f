import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { actionContext } from '../../src/actions/action-context.ts';
import { install } from '../../src/actions/install.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { Context } from '../../src/change/context.ts';
import { readOrderFile } from '../../src/chart/order-file.ts';
import type { Cluster } from '../../src/cluster/types.ts';
import type { ExecutionEvent } from '../../src/execute/events.ts';
import { withOrderFile } from '../../src/plan/outside-order.ts';
import { chartOf } from './harness.ts';
import { openSandboxCluster } from './sandbox-cluster.ts';

let cluster: Cluster;
let close: () => Promise<void>;
let events: ExecutionEvent[];
let context: Context;

beforeAll(async () => {
  ({ cluster, close } = await openSandboxCluster());
});
afterAll(() => close());
beforeEach(() => {
  events = [];
  context = actionContext(cluster, { driver: 'memory', onEvent: (event) => events.push(event) });
});

const deployment = (name: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec:\n  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}}\n    spec: {containers: [{name: main, image: nginx}]}\n`;
const files = { 'templates/db.yaml': deployment('db'), 'templates/web.yaml': deployment('web') };
const order = (readiness: string) =>
  readOrderFile(
    `resources:
- select: {name: db}
  group: database
  readiness: ${readiness}
- select: {name: web}
  dependsOn: [database]
`,
    'order.yaml',
  );

const states = (): readonly string[] =>
  events.flatMap((event) => (event.kind === 'resource' ? [`${event.id.name} ${event.state}`] : []));
const reasons = (): readonly string[] =>
  events.flatMap((event) => (event.kind === 'resource' ? [event.reason ?? ''] : []));
const db = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'db' };
const filled = "has(metadata.labels) && 'filled' in metadata.labels";

/** Runs a change, and says that the database is filled once the run waits for that. */
async function fillingIn(change: () => Promise<unknown>): Promise<void> {
  const run = change();
  await expect.poll(reasons, { timeout: 10_000 }).toContain(`its health check's current is not true: ${filled}`);
  expect(states()).not.toContain('web applying');
  await cluster.patch(db, 'merge', { metadata: { labels: { filled: 'yes' } } });
  await run;
  expect(states().indexOf('web applying')).toBeGreaterThan(states().indexOf('db ready'));
}

test('CEL of an order file says when a resource is ready, also to a rollback without the file', async () => {
  const plain = await chartOf(files);
  const ordered = withOrderFile(plain, order(JSON.stringify({ current: filled })));
  await fillingIn(() => install(ordered, new Map(), { name: 'rel', timeoutMs: 20_000 }, context));
  await upgrade(plain, new Map(), { name: 'rel', wait: 'watcher', timeoutMs: 20_000 }, context);
  await cluster.patch(db, 'merge', { metadata: { labels: { filled: null } } });
  events.length = 0;
  await fillingIn(() => rollback({ name: 'rel', revision: 1, timeoutMs: 20_000 }, context));
});

test('a failed condition ends the run', async () => {
  const failing = withOrderFile(await chartOf(files), order(`{current: 'false', failed: 'spec.replicas == 1'}`));
  await expect(
    install(failing, new Map(), { name: 'failing', timeoutMs: 20_000, takeOwnership: true }, context),
  ).rejects.toThrow("its health check's failed is true: spec.replicas == 1");
  expect(states()).not.toContain('web applying');
});

test('an expression that cannot be compiled is refused with its line, before anything is sent', async () => {
  const wrong = withOrderFile(await chartOf(files), order(`{current: 'statu.phase == 1'}`));
  await expect(install(wrong, new Map(), { name: 'wrong' }, context)).rejects.toMatchObject({
    code: 'health-checks-invalid',
    message: 'order.yaml:2: current is not valid CEL: there is no field statu; did you mean status?',
  });
  expect(states()).toEqual([]);
});
