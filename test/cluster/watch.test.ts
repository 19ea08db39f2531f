import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../src/cluster/api-error.ts';
import { Transport } from '../../src/cluster/http/transport.ts';
import type { ListedObjects, WatchEvent } from '../../src/cluster/types.ts';
import { watchKind } from '../../src/cluster/watch.ts';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { systemTimers, type Timers } from '../../src/support/timers.ts';
import { type Answer, events, hangUp, refuse, type ScriptedServer, scriptedServer } from './scripted-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

const object = (name: string, resourceVersion: string, uid = name): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', resourceVersion, uid },
});
const listed = (resourceVersion: string, ...items: KubernetesObject[]): ListedObjects => ({ items, resourceVersion });
const change = (type: string, changed: KubernetesObject) => ({ type, object: changed });
const bookmark = (resourceVersion: string) => change('BOOKMARK', object('', resourceVersion));

/** Runs a watch over scripted lists and answers until `count` events have come. */
async function watched(
  lists: readonly (ListedObjects | Error)[],
  answers: readonly Answer[],
  count: number,
  { from, timersFor }: { from?: KubernetesObject; timersFor?: (server: ScriptedServer) => Timers } = {},
): Promise<{ events: string[]; server: ScriptedServer; debug: string[]; slept: number[] }> {
  const server = await scriptedServer(...answers);
  const transport = new Transport(server.access());
  opened.push(server, transport);
  const controller = new AbortController();
  const debug: string[] = [];
  const seen: string[] = [];
  const slept: number[] = [];
  let asked = 0;
  const watch = watchKind({
    transport,
    path: '/api/v1/pods',
    apiVersion: 'v1',
    kind: 'Pod',
    from,
    list: async () => {
      const next = lists[Math.min(asked++, lists.length - 1)];
      if (next === undefined || next instanceof Error) throw next;
      return next;
    },
    selectors: {},
    onDebug: (text) => debug.push(text),
    signal: controller.signal,
    random: () => 1,
    timers: timersFor?.(server),
    sleep: async (milliseconds) => void slept.push(milliseconds),
  });
  for await (const event of watch) {
    seen.push(textOf(event));
    if (seen.length === count) controller.abort();
  }
  return { events: seen, server, debug, slept };
}

const textOf = (event: WatchEvent): string =>
  event.kind === 'synced'
    ? 'synced'
    : `${event.kind} ${event.object.metadata.name}@${event.object.metadata.resourceVersion}`;

test('first what is there, then what changes', async () => {
  const { events: seen, server } = await watched(
    [listed('5', object('a', '1'))],
    [
      events(
        [change('ADDED', object('b', '6')), change('MODIFIED', object('a', '7')), change('DELETED', object('b', '8'))],
        true,
      ),
    ],
    5,
  );
  expect(seen).toEqual(['present a@1', 'synced', 'present b@6', 'present a@7', 'gone b@8']);
  expect(new URL(server.seen[0]?.url ?? '', 'http://x').searchParams.get('resourceVersion')).toBe('5');
});

test('a watch that ends goes on from the last resource version, bookmarks included', async () => {
  const { events: seen, server } = await watched(
    [listed('5')],
    [events([change('ADDED', object('a', '6')), bookmark('9')]), events([change('ADDED', object('b', '10'))], true)],
    3,
  );
  expect(seen).toEqual(['synced', 'present a@6', 'present b@10']);
  expect(server.seen.map(({ url }) => new URL(url, 'http://x').searchParams.get('resourceVersion'))).toEqual([
    '5',
    '9',
  ]);
});

test.each([
  ['as the answer', refuse(410, 'Expired', 'too old resource version')],
  [
    'as an event',
    events([{ type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old resource version' } }]),
  ],
])('410 Gone %s: the list is read again, and what went meanwhile is reported', async (_where, gone) => {
  const { events: seen } = await watched(
    [
      listed('5', object('a', '1'), object('b', '2'), object('c', '3')),
      listed('20', object('a', '1'), object('b', '12'), object('c', '13', 'other')),
    ],
    [gone, events([change('ADDED', object('d', '21'))], true)],
    8,
  );
  expect(seen.slice(4)).toEqual(['present b@12', 'gone c@3', 'present c@13', 'present d@21']);
});

test('a server that knows no version for long is not flooded with lists', async () => {
  const gone = refuse(410, 'Expired', 'too old resource version');
  const { slept } = await watched(
    [listed('5'), listed('6'), listed('7'), listed('8')],
    [gone, gone, gone, events([change('ADDED', object('a', '9'))], true)],
    2,
  );
  expect(slept).toEqual([400, 800]);
});

test('where watches are cut off at once, the list says what they would have', async () => {
  const cut = events([]);
  const { events: seen } = await watched(
    [listed('5', object('a', '1')), listed('20', object('a', '12'))],
    [cut, cut, cut, cut, events([change('MODIFIED', object('a', '21'))], true)],
    4,
  );
  expect(seen).toEqual(['present a@1', 'synced', 'present a@12', 'present a@21']);
});

const refusal = (status: number): ApiError =>
  new ApiError({ status, reason: 'Forbidden', message: 'no', causes: [], method: 'GET', path: '/api/v1/pods' });

test('a list that was allowed before may be refused for a moment', async () => {
  const { events: seen } = await watched(
    [listed('5'), refusal(403), refusal(401), listed('6', object('a', '6'))],
    [refuse(410, 'Expired', 'too old resource version')],
    2,
  );
  expect(seen).toEqual(['synced', 'present a@6']);
});

test('a list that stays refused fails', async () => {
  const script = [refuse(410, 'Expired', 'too old resource version')];
  await expect(watched([listed('5'), refusal(403)], script, 2)).rejects.toThrow('no');
});

test('who begins with what was written, and may neither watch nor list, learns it at once', async () => {
  const forbidden = refuse(403, 'Forbidden', 'pods is forbidden: User "u" cannot watch resource "pods"');
  await expect(watched([refusal(403)], [forbidden], 9, { from: object('a', '5') })).rejects.toThrow('no');
});

test('who begins with what was written, and may not watch, reads the list at once, and then every two seconds', async () => {
  const forbidden = refuse(403, 'Forbidden', 'pods is forbidden: User "u" cannot watch resource "pods"');
  const lists = [listed('6', object('a', '6')), listed('7', object('a', '7'))];
  const { events: seen, slept } = await watched(lists, [forbidden, forbidden], 4, { from: object('a', '5') });
  expect(seen).toEqual(['present a@5', 'synced', 'present a@6', 'present a@7']);
  expect(slept).toEqual([2_000]);
});

test('an object that went is reported after the list was read again', async () => {
  const { events: seen } = await watched(
    [listed('5', object('a', '1'), object('b', '2')), listed('20', object('a', '1'))],
    [refuse(410, 'Expired', 'too old resource version')],
    4,
  );
  expect(seen).toEqual(['present a@1', 'present b@2', 'synced', 'gone b@2']);
});

test('a broken connection is opened again', async () => {
  const { events: seen, debug } = await watched(
    [listed('5')],
    [hangUp, events([change('ADDED', object('a', '6'))], true)],
    2,
  );
  expect(seen).toEqual(['synced', 'present a@6']);
  expect(debug[0]).toContain('the watch of /api/v1/pods broke off; resuming');
});

test('half an event at the end of a connection is no event', async () => {
  const half: Answer = (response) => response.writeHead(200).end('{"type":"ADDED","object":{"metada');
  const { events: seen } = await watched([listed('5')], [half, events([change('ADDED', object('a', '6'))], true)], 2);
  expect(seen).toEqual(['synced', 'present a@6']);
});

test('where watching is forbidden the list is read again and again', async () => {
  const { events: seen, debug } = await watched(
    [listed('5'), listed('6', object('a', '6'))],
    [refuse(403, 'Forbidden', 'pods is forbidden: User "u" cannot watch resource "pods"')],
    2,
  );
  expect(seen).toEqual(['synced', 'present a@6']);
  expect(debug).toEqual([
    expect.stringMatching(/^\/api\/v1\/pods .*every 2 s: pods is forbidden: User "u" cannot watch resource "pods"$/),
  ]);
});

test('a list that is forbidden fails', async () => {
  const server = await scriptedServer(hangUp);
  const transport = new Transport(server.access());
  opened.push(server, transport);
  const watch = watchKind({
    transport,
    path: '/x',
    apiVersion: 'v1',
    kind: 'Pod',
    list: async () => Promise.reject(new Error('forbidden')),
    selectors: {},
    onDebug: () => {},
    signal: new AbortController().signal,
  });
  await expect(watch.next()).rejects.toThrow('forbidden');
});

test('from an object that was just written, without a list', async () => {
  const { events: seen, server } = await watched(
    [],
    [events([change('MODIFIED', object('a', '8')), change('DELETED', object('a', '9'))])],
    4,
    { from: object('a', '7') },
  );
  expect(seen).toEqual(['present a@7', 'synced', 'present a@8', 'gone a@9']);
  expect(server.seen[0]?.url).toContain('resourceVersion=7');
});

describe('a connection that stays open and brings nothing', () => {
  /** Limits, a hundred times shorter, none of which ends before a request arrived; those that began are kept. */
  const eager =
    (begun: number[] = []) =>
    (server: ScriptedServer): Timers => ({
      ...systemTimers,
      setTimeout: (run, delayMs) => {
        begun.push(delayMs);
        const handle = setInterval(() => {
          if (server.seen.length === 0) return;
          clearInterval(handle);
          run();
        }, delayMs / 100);
        return handle;
      },
    });

  test('is found out by a list, and opened again from there', async () => {
    const { events: seen, server } = await watched(
      [listed('5', object('a', '1')), listed('9', object('a', '8'))],
      [events([], true)],
      3,
      { timersFor: eager() },
    );
    expect(seen).toEqual(['present a@1', 'synced', 'present a@8']);
    expect(server.seen).toHaveLength(1);
  });

  test('is left alone, at growing intervals, while there is nothing that it could bring', async () => {
    const begun: number[] = [];
    const same = listed('5', object('a', '1'));
    const { events: seen, server } = await watched(
      [same, same, same, same, listed('9', object('a', '8'))],
      [events([], true)],
      3,
      { timersFor: eager(begun) },
    );
    expect(seen.at(-1)).toBe('present a@8');
    expect(begun).toEqual([3_000, 6_000, 12_000, 24_000]);
    expect(server.seen).toHaveLength(1);
  });

  test('that cannot be listed either goes on being watched', async () => {
    const refused = new ApiError({
      status: 403,
      reason: 'Forbidden',
      message: 'no',
      causes: [],
      method: 'GET',
      path: '/',
    });
    const { events: seen } = await watched(
      [listed('5', object('a', '1')), refused, listed('9', object('a', '8'))],
      [events([], true)],
      3,
      { timersFor: eager() },
    );
    expect(seen.at(-1)).toBe('present a@8');
  });
});
