import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/cluster/api-error.ts';
import type { ListPage } from '../../src/cluster/http/answer.ts';
import { listPages, type PageRequest } from '../../src/cluster/list-pages.ts';
import { noConnection } from '../../src/cluster/network-error.ts';

interface Page {
  readonly names: readonly string[];
  readonly next?: string;
  /** Breaks off in the middle. */
  readonly isBroken?: boolean;
}

const textOf = ({ names, next = '' }: Page): string =>
  JSON.stringify({ kind: 'List', metadata: { continue: next }, items: names.map((name) => ({ name })) });

/** A server with these answers, one after another. */
function server(...answers: readonly (Page | Error)[]) {
  const asked: PageRequest[] = [];
  const stopped: number[] = [];
  const ask = async (request: PageRequest) => {
    const number = asked.push(request);
    const answer = answers[number - 1] as Page | Error;
    if (answer instanceof Error) throw answer;
    const chunks = async function* () {
      const text = textOf(answer);
      for (let at = 0; at < text.length; at += 7) {
        if (answer.isBroken === true && at > text.length - 15) throw new Error('aborted');
        yield Buffer.from(text.slice(at, at + 7));
      }
    };
    return { body: Readable.from(chunks()), stop: () => void stopped.push(number) };
  };
  return { ask, asked, stopped, read: (text: string): ListPage => JSON.parse(text) };
}

async function namesIn(list: ReturnType<typeof server>): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const items of listPages(list))
    names.push(...items.map((item) => (JSON.parse(item.toString('utf8')) as { name: string }).name));
  return names;
}

const gone = new ApiError({
  status: 410,
  reason: 'Expired',
  message: 'too old',
  causes: [],
  method: 'GET',
  path: '/x',
});

describe('a list that is read as it comes in', () => {
  test('is asked for whole', async () => {
    const list = server({ names: ['a', 'b'] });
    expect(await namesIn(list)).toEqual(['a', 'b']);
    expect(list.asked).toEqual([{}]);
  });

  test('goes on where the server cuts it into pages', async () => {
    const list = server({ names: ['a'], next: 'more' }, { names: ['b'] });
    expect(await namesIn(list)).toEqual(['a', 'b']);
    expect(list.asked).toEqual([{}, { limit: '500', next: 'more' }]);
    expect(list.stopped).toEqual([1, 2]);
  });

  test('is read anew in pages where it breaks off', async () => {
    const list = server({ names: ['a', 'b'], isBroken: true }, { names: ['a'], next: 'more' }, { names: ['b'] });
    expect(await namesIn(list)).toEqual(['a', 'a', 'b']);
    expect(list.asked).toEqual([{}, { limit: '500' }, { limit: '500', next: 'more' }]);
  });

  test('is read anew as a whole where its pages are too old', async () => {
    const list = server({ names: ['a'], next: 'more' }, gone, { names: ['a', 'b'] });
    expect(await namesIn(list)).toEqual(['a', 'a', 'b']);
    expect(list.asked.at(-1)).toEqual({});
  });

  test('ends with a refusal, and when it breaks off again and again', async () => {
    const refusal = new ApiError({ ...gone.failure, status: 403, reason: 'Forbidden' });
    await expect(namesIn(server(refusal))).rejects.toBe(refusal);
    await expect(namesIn(server(gone))).rejects.toBe(gone);
    const broken = { names: ['a', 'b'], isBroken: true };
    await expect(namesIn(server(broken, broken, broken))).rejects.toThrow('aborted');
  });

  test('is not asked for again from a server that cannot be reached', async () => {
    const list = server(new Error('unreachable', { cause: noConnection('tls') }), { names: ['a'] });
    await expect(namesIn(list)).rejects.toThrow('unreachable');
    const slow = server(new Error('no answer'), { names: ['a'] });
    expect(await namesIn(slow)).toEqual(['a']);
  });

  test('lets go of the answer when nobody reads on', async () => {
    const list = server({ names: ['a', 'b'] });
    for await (const _items of listPages(list)) break;
    expect(list.stopped).toEqual([1]);
  });
});
