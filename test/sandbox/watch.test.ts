import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMap, TestSandbox } from './support.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.open();
});
afterEach(() => sandbox.sandbox.close());

const maps = '/api/v1/namespaces/default/configmaps';

interface Event {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: read by path
  readonly object: any;
}

/** The next `count` events of a watch, after `during` has run. */
async function watched(query: string, count: number, during: () => Promise<unknown>, headers = {}): Promise<Event[]> {
  const stop = new AbortController();
  const response = await fetch(`${sandbox.sandbox.url}${maps}?watch=true&${query}`, {
    signal: stop.signal,
    headers: { ...sandbox.authorization, ...headers },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await during();
  let text = '';
  while (text.split('\n').length - 1 < count) {
    const { value, done } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  stop.abort();
  await reader.cancel().catch(() => {});
  // Clients take complete lines only.
  return text
    .split('\n')
    .slice(0, -1)
    .slice(0, count)
    .map((line) => JSON.parse(line) as Event);
}

const summary = (events: readonly Event[]): string[] =>
  events.map(({ type, object }) => `${type} ${object.metadata.name}`);
const version = async (): Promise<string> => (await sandbox.get(maps)).body.metadata.resourceVersion as string;

describe('a watch', () => {
  test('without a version begins with what is there', async () => {
    await sandbox.post(maps, configMap('a'));
    const events = await watched('fieldSelector=metadata.name%3Da', 2, () =>
      sandbox.merge(`${maps}/a`, { data: { x: '1' } }),
    );
    expect(summary(events)).toEqual(['ADDED a', 'MODIFIED a']);
    expect(events[0]?.object.kind).toBe('ConfigMap');
  });

  test('from a version tells what changed since', async () => {
    const from = await version();
    await sandbox.post(maps, configMap('a'));
    await sandbox.delete(`${maps}/a`);
    const events = await watched(`resourceVersion=${from}`, 3, () => sandbox.post(maps, configMap('b')));
    expect(summary(events)).toEqual(['ADDED a', 'DELETED a', 'ADDED b']);
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  test('an object that leaves the selector is DELETED, one that comes is ADDED', async () => {
    const from = await version();
    const events = await watched(`resourceVersion=${from}&labelSelector=on%3Dyes`, 3, async () => {
      await sandbox.post(maps, configMap('a', {}, { labels: { on: 'yes' } }));
      await sandbox.merge(`${maps}/a`, { metadata: { labels: { on: 'no' } } });
      await sandbox.post(maps, configMap('other', {}, { labels: { on: 'no' } }));
      await sandbox.merge(`${maps}/a`, { metadata: { labels: { on: 'yes' } } });
    });
    expect(summary(events)).toEqual(['ADDED a', 'DELETED a', 'ADDED a']);
  });

  test('sendInitialEvents ends the beginning with a bookmark', async () => {
    await sandbox.post(maps, configMap('a'));
    const query =
      'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&fieldSelector=metadata.name%3Da';
    const [first, mark] = await watched(query, 2, () => Promise.resolve());
    expect(first?.type).toBe('ADDED');
    expect(mark?.type).toBe('BOOKMARK');
    expect(mark?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    expect(mark?.object.metadata.resourceVersion).toBe(await version());
  });

  test('from a version that was never given is 410 Gone', async () => {
    const [gone] = await watched('resourceVersion=999999', 1, () => Promise.resolve());
    expect(gone).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  test('as a table sends its columns once', async () => {
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
    const events = await watched(
      'fieldSelector=metadata.name%3Da',
      2,
      async () => {
        await sandbox.post(maps, configMap('a', { x: '1' }));
        await sandbox.merge(`${maps}/a`, { data: { y: '1' } });
      },
      headers,
    );
    expect(
      events.map(({ object }) => [object.kind, object.columnDefinitions?.length ?? null, object.rows[0].cells[1]]),
    ).toEqual([
      ['Table', 3, 1],
      ['Table', null, 2],
    ]);
  });
});
