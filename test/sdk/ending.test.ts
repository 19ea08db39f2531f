import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operation, Tshelm, type TshelmEvent } from '../../src/index.ts';
import { sandbox } from '../../src/testing.ts';

const deployment = (annotations: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {${annotations}}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {${annotations}}}
    spec: {containers: [{name: web, image: nginx}]}
`;

const chartFiles = (annotations = '') => ({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'templates/web.yaml': deployment(annotations),
});

const never = 'sandbox.tshelm.dev/ready-after: 40000s';

type Call = (tshelm: Tshelm, signal: AbortSignal | undefined) => Promise<unknown>;

const chart = new Tshelm().chart(chartFiles());
const readings: readonly (readonly [string, Call])[] = [
  ['list', (tshelm, signal) => tshelm.list({ signal })],
  ['history', (tshelm, signal) => tshelm.history('web', { signal })],
  ['get', (tshelm, signal) => tshelm.get('web', { signal })],
  ['allValues', (tshelm, signal) => tshelm.allValues('web', { signal })],
  ['metadata', (tshelm, signal) => tshelm.metadata('web', { signal })],
  ['status', (tshelm, signal) => tshelm.status('web', { signal })],
  ['drift', (tshelm, signal) => tshelm.drift('web', { signal })],
  ['diff', (tshelm, signal) => tshelm.diff('web', chart, { signal })],
  ['diffRollback', (tshelm, signal) => tshelm.diffRollback('web', { signal })],
  ['plan', (tshelm, signal) => tshelm.plan('web', chart, { signal, action: 'upgrade' })],
  ['compareOrders', (tshelm, signal) => tshelm.compareOrders('web', chart, { signal, action: 'upgrade' })],
  ['suggestOrder', (tshelm, signal) => tshelm.suggestOrder(chart, { signal, fromRun: 'web' })],
  ['rehearse', (tshelm, signal) => tshelm.rehearse('web', chart, { signal, action: 'upgrade' })],
  ['render', (tshelm, signal) => tshelm.render(chart, { signal, useCluster: true })],
  ['template', (tshelm, signal) => tshelm.template(chart, { signal, useCluster: true })],
];
const calls: typeof readings = [
  ...readings,
  ['install', (tshelm, signal) => tshelm.install('web', chart, { signal })],
  ['upgrade', (tshelm, signal) => tshelm.upgrade('web', chart, { signal })],
  ['rollback', (tshelm, signal) => tshelm.rollback('web', { signal })],
  ['fixDrift', (tshelm, signal) => tshelm.fixDrift('web', { signal })],
  ['uninstall', (tshelm, signal) => tshelm.uninstall('web', { signal })],
  ['test', (tshelm, signal) => tshelm.test('web', { signal })],
  ['move', (tshelm, signal) => tshelm.move('web', 'other', ['ConfigMap/settings'], { signal })],
  ['rename', (tshelm, signal) => tshelm.rename('web', 'other', { signal })],
  ['adopt', (tshelm, signal) => tshelm.adopt('web', chart, ['ConfigMap/settings'], { signal })],
];

/** A server that takes connections and says nothing. */
describe('a server that does not answer', () => {
  const sockets = new Set<Socket>();
  const silent: Server = createServer((socket) => sockets.add(socket));
  const open = (): Tshelm => {
    const { port } = silent.address() as AddressInfo;
    return new Tshelm({ cluster: { server: `http://127.0.0.1:${port}` }, namespace: 'shop' });
  };

  beforeAll(async () => {
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });

  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test.each(calls)('%s ends with its signal', async (_name, call) => {
    await using tshelm = open();
    const stop = new AbortController();
    const reason = new Error('enough');
    const asked = once(silent, 'connection');
    const ended = call(tshelm, stop.signal).catch((error: unknown) => error);
    await asked;
    stop.abort(reason);
    expect(await ended).toBe(reason);
  });

  test.each(calls)('%s ends with close(), and is refused after it', async (_name, call) => {
    const tshelm = open();
    const asked = once(silent, 'connection');
    const ended = call(tshelm, undefined).catch((error: unknown) => error);
    await asked;
    await tshelm.close();
    expect(await ended).toMatchObject({ code: 'closed' });
    await expect(call(tshelm, undefined)).rejects.toMatchObject({ code: 'closed' });
  });
});

test.each([
  ...calls,
  ['load', (tshelm, signal) => tshelm.load('./nowhere', { signal })] satisfies (typeof calls)[number],
  ['check', (tshelm, signal) => tshelm.check('./nowhere', { signal })] satisfies (typeof calls)[number],
  ['suggestOrder', (tshelm, signal) => tshelm.suggestOrder('./nowhere', { signal })] satisfies (typeof calls)[number],
  ['lint', (tshelm, signal) => tshelm.lint('./nowhere', { signal })] satisfies (typeof calls)[number],
])('%s does not begin where its signal has aborted', async (_name, call) => {
  const reason = new Error('before');
  await expect(call(new Tshelm(), AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('what renders at once, and what has no signal, is refused after close() too', async () => {
  const tshelm = new Tshelm();
  await tshelm.close();
  const closed = expect.objectContaining({ code: 'closed' });
  expect(() => tshelm.renderSync(chart)).toThrow(closed);
  await expect(tshelm.repositories.list()).rejects.toEqual(closed);
  await expect(tshelm.stack({ folder: './nowhere' }).list()).rejects.toEqual(closed);
});

async function whenWaiting(operation: Operation<unknown>, act: () => void): Promise<unknown> {
  const isWaited = (event: TshelmEvent): boolean => event.kind === 'resource' && event.state === 'waiting';
  try {
    for await (const event of operation) if (isWaited(event)) act();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('changes that are ended while they wait', () => {
  const slow = new Tshelm().chart(chartFiles(never));

  test.each([
    ['ordered', new Error('mine')],
    ['ordered', 'a text'],
    ['ordered', new DOMException('default', 'AbortError')],
    ['watcher', new Error('mine')],
  ] as const)('%s, aborted with %s: it rejects with that', async (wait, reason) => {
    await using cluster = await sandbox({ time: 'simulated' });
    const stop = new AbortController();
    const operation = cluster.tshelm.install('web', slow, { wait, signal: stop.signal, timeoutMs: 1e7 });
    expect(await whenWaiting(operation, () => stop.abort(reason))).toBe(reason);
    expect(await cluster.tshelm.history('web')).toMatchObject([{ status: 'failed' }]);
  });

  test('with rollbackOnFailure, the release is put back before', async () => {
    await using cluster = await sandbox({ time: 'simulated' });
    await cluster.tshelm.install('web', chart, { wait: 'watcher' });
    const stop = new AbortController();
    const reason = new Error('mine');
    const options = { rollbackOnFailure: true, signal: stop.signal, timeoutMs: 1e7 };
    expect(await whenWaiting(cluster.tshelm.upgrade('web', slow, options), () => stop.abort(reason))).toBe(reason);
    const history = await cluster.tshelm.history('web');
    expect(history.map(({ status }) => status)).toEqual(['superseded', 'failed', 'deployed']);
  });

  test('close() waits until they are recorded as failed', async () => {
    await using cluster = await sandbox({ time: 'simulated' });
    const tshelm = new Tshelm({ cluster: cluster.cluster });
    const operation = tshelm.install('web', slow, { wait: 'watcher', timeoutMs: 1e7 });
    let closing: Promise<void> | undefined;
    const failure = await whenWaiting(operation, () => {
      closing ??= tshelm.close();
    });
    await closing;
    expect(failure).toMatchObject({ code: 'closed' });
    expect(await cluster.tshelm.history('web')).toMatchObject([{ status: 'failed' }]);
  });
});
