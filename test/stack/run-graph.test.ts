import { describe, expect, test } from 'vitest';
import { type GraphNode, runGraph } from '../../src/stack/run-graph.ts';

const node = (id: string, ...needs: string[]): GraphNode => ({ id, needs });

/** Works that end when they are told to. */
function manual() {
  const started: string[] = [];
  const ends = new Map<string, (error?: unknown) => void>();
  return {
    started,
    work: ({ id }: GraphNode): Promise<string> => {
      started.push(id);
      return new Promise((resolve, reject) =>
        ends.set(id, (error) => (error === undefined ? resolve(`${id} done`) : reject(error))),
      );
    },
    end: async (id: string, error?: unknown) => {
      ends.get(id)?.(error);
      await settled();
    },
  };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('runGraph', () => {
  test('a node begins the moment that all it needs are done, whatever others do', async () => {
    const { started, work, end } = manual();
    const run = runGraph([node('slow'), node('a'), node('b', 'a'), node('c', 'a', 'slow')], work, { concurrency: 9 });
    await settled();
    expect(started).toEqual(['slow', 'a']);
    await end('a');
    expect(started).toEqual(['slow', 'a', 'b']);
    await end('slow');
    expect(started).toEqual(['slow', 'a', 'b', 'c']);
    await end('b');
    await end('c');
    expect((await run).get('c')).toEqual({ kind: 'done', value: 'c done' });
  });

  test('no more at a time than are allowed', async () => {
    const { started, work, end } = manual();
    const run = runGraph([node('a'), node('b'), node('c')], work, { concurrency: 2 });
    await settled();
    expect(started).toEqual(['a', 'b']);
    await end('a');
    expect(started).toEqual(['a', 'b', 'c']);
    await end('b');
    await end('c');
    await run;
  });

  test('where places are short, the one behind which the longest way stands goes first', async () => {
    const { started, work, end } = manual();
    const nodes = [node('alone'), node('other'), node('a'), node('b', 'a'), node('c', 'b'), node('d', 'other')];
    const run = runGraph(nodes, work, { concurrency: 1 });
    await settled();
    for (const id of ['a', 'other', 'b', 'alone', 'd', 'c']) {
      expect(started.at(-1)).toBe(id);
      await end(id);
    }
    await run;
  });

  test('a failure stops those that need it, directly or not, and nothing else', async () => {
    const { started, work, end } = manual();
    const run = runGraph([node('a'), node('b', 'a'), node('c', 'b'), node('d'), node('e', 'd')], work, {
      concurrency: 9,
    });
    await settled();
    await end('a', new Error('broken'));
    await end('d');
    await end('e');
    const outcomes = await run;
    expect(started).toEqual(['a', 'd', 'e']);
    expect(outcomes.get('a')?.kind).toBe('failed');
    expect(outcomes.get('b')).toEqual({ kind: 'skipped', because: 'a' });
    expect(outcomes.get('c')).toEqual({ kind: 'skipped', because: 'a' });
    expect(outcomes.get('e')?.kind).toBe('done');
  });

  test('with failFast nothing more begins after the first failure', async () => {
    const { started, work, end } = manual();
    const run = runGraph([node('a'), node('b'), node('c', 'b')], work, { concurrency: 9, failFast: true });
    await settled();
    await end('a', new Error('broken'));
    await end('b');
    expect((await run).get('c')).toEqual({ kind: 'skipped', because: undefined });
    expect(started).toEqual(['b', 'a']);
  });

  test('an ended run begins nothing', async () => {
    const { started, work } = manual();
    const outcomes = await runGraph([node('a')], work, { concurrency: 1, signal: AbortSignal.abort() });
    expect(started).toEqual([]);
    expect(outcomes.get('a')).toEqual({ kind: 'skipped', because: undefined });
  });

  test('a chain of 20,000 nodes is worked on, and left out, one after another', async () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      node(`n${index}`, ...(index === 0 ? [] : [`n${index - 1}`])),
    );
    const done = await runGraph([...chain].reverse(), async ({ id }) => id, { concurrency: 1 });
    expect(done.get('n19999')).toEqual({ kind: 'done', value: 'n19999' });
    const left = await runGraph(chain, async () => Promise.reject(new Error('broken')), { concurrency: 1 });
    expect(left.get('n19999')).toEqual({ kind: 'skipped', because: 'n0' });
  });
});
