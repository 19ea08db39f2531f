import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { actionContext } from '../../src/actions/action-context.ts';
import { install } from '../../src/actions/install.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import type { Context } from '../../src/change/context.ts';
import { orderFileOf, readOrderFile } from '../../src/chart/order-file.ts';
import type { Chart } from '../../src/chart/types.ts';
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

const object = (kind: string, name: string, annotations = ''): string =>
  `apiVersion: ${kind === 'Deployment' ? 'apps/v1' : 'v1'}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  annotations: {${annotations}}\n${kind === 'Deployment' ? deploymentSpec(name) : ''}`;
const deploymentSpec = (name: string): string =>
  `spec:\n  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}}\n    spec: {containers: [{name: main, image: nginx}]}\n`;
const chart = (needs?: string): Promise<Chart> =>
  chartOf({
    'templates/web.yaml': object('Deployment', 'web', needs === undefined ? '' : `tshelm.dev/needs: '${needs}'`),
    'templates/settings.yaml': object('ConfigMap', 'settings'),
  });
const ordered = { name: 'rel', wait: 'ordered', timeoutMs: 20_000 } as const;
const secret = (name: string, namespace = 'default') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
});

/** The states of objects in their order: `web created`. */
const states = (): readonly string[] =>
  events.flatMap((event) => (event.kind === 'resource' ? [`${event.id.name} ${event.state}`] : []));
const sees = async (state: string): Promise<void> => {
  await expect.poll(states, { timeout: 10_000 }).toContain(state);
};

test('a resource is not sent before what it needs is there, and others do not wait', async () => {
  const run = install(await chart('Secret/tls'), new Map(), ordered, context);
  await sees('tls waiting');
  await sees('settings created');
  expect(states()).not.toContain('web applying');
  await cluster.create(secret('tls'));
  await run;
  expect(states().indexOf('web applying')).toBeGreaterThan(states().indexOf('tls ready'));
  await uninstall({ name: 'rel' }, context);
  await cluster.delete({ ...secret('tls').metadata, apiVersion: 'v1', kind: 'Secret' });
});

test('a need that never comes ends with the cause, and nothing of the object is sent', async () => {
  const run = install(
    await chart('Deployment/postgres.db, Widget/one'),
    new Map(),
    { ...ordered, timeoutMs: 300 },
    context,
  );
  await expect(run).rejects.toMatchObject({
    code: 'wait-timeout',
    message: expect.stringContaining('resource Deployment/db/postgres not ready. status: NotFound'),
  });
  await expect(run).rejects.toThrow('the cluster does not serve its kind');
  expect(states()).not.toContain('web applying');
  const [record] = await (await context.storage()).revisions('rel');
  expect(record?.info.status).toBe('failed');
  await uninstall({ name: 'rel' }, context);
});

test('a need that never comes is known with the line of the order file', async () => {
  const order = "needs: ['http://127.0.0.1:9/']\n";
  const run = install(
    withOrderFile(await chart(), readOrderFile(order, 'order.yaml')),
    new Map(),
    { ...ordered, timeoutMs: 300 },
    context,
  );
  const places = [{ kind: 'file', file: 'order.yaml', line: 1 }];
  await expect(run).rejects.toMatchObject({
    code: 'wait-timeout',
    details: { problems: [{ code: 'not-ready', places }] },
  });
  await uninstall({ name: 'rel' }, context);
});

test('the whole release waits for what its order file needs, hooks too, and a rollback does it again', async () => {
  let status = 503;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`;
  const files = { 'templates/hook.yaml': object('ConfigMap', 'before', 'helm.sh/hook: pre-install') };
  const plain = await chartOf({ ...files, 'templates/web.yaml': object('Deployment', 'web') });
  const withNeeds = withOrderFile(plain, orderFileOf({ needs: [url, 'release/db'] }, 'order.yaml'));
  const run = install(withNeeds, new Map(), { ...ordered, wait: undefined }, context);
  await sees(`${url} waiting`);
  await sees('db waiting');
  expect(events.some(({ kind }) => kind === 'hook')).toBe(false);
  await install(
    await chartOf({ 'templates/other.yaml': object('ConfigMap', 'other') }),
    new Map(),
    { name: 'db' },
    {
      ...context,
      onEvent: undefined,
    },
  );
  status = 204;
  await run;
  expect(new Set(asked)).toEqual(new Set(['GET /healthz']));

  await upgrade(plain, new Map(), { ...ordered, wait: 'ordered' }, context);
  events.length = 0;
  asked.length = 0;
  await rollback({ name: 'rel', revision: 1, timeoutMs: 20_000 }, context);
  expect(asked).toEqual(['GET /healthz']);
  expect(states().indexOf('web applying')).toBeGreaterThan(states().indexOf('db ready'));

  asked.length = 0;
  await uninstall({ name: 'rel' }, context);
  expect(asked).toEqual([]);
  server.close();
});

test('a chart may not name a URL', async () => {
  const run = install(await chart('https://10.0.0.1/healthz'), new Map(), ordered, context);
  await expect(run).rejects.toMatchObject({ code: 'invalid-ordering' });
  expect(states()).toEqual([]);
});

test('what is an object of the release is waited for like a group', async () => {
  const own = await chartOf({
    'templates/web.yaml': object('Deployment', 'web', "tshelm.dev/needs: 'Deployment/db.default'"),
    'templates/db.yaml': object('Deployment', 'db'),
  });
  await install(own, new Map(), ordered, context);
  expect(states().indexOf('web applying')).toBeGreaterThan(states().indexOf('db ready'));
  await uninstall({ name: 'rel' }, context);
});

test('objects that need each other are refused', async () => {
  const own = await chartOf({
    'templates/web.yaml': object('Deployment', 'web', "tshelm.dev/needs: 'Deployment/db'"),
    'templates/db.yaml': object('Deployment', 'db', "tshelm.dev/needs: 'Deployment/web'"),
  });
  await expect(install(own, new Map(), ordered, context)).rejects.toMatchObject({
    code: 'dependency-cycle',
    details: { cycle: ['Deployment/web', 'Deployment/db'] },
  });
});
