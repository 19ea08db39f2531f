import { describe, expect, test } from 'vitest';
import { scheduled, stoppedBy, type TimedNode } from '../../src/stack/schedule.ts';

const node = (id: string, takesMs: number, ...needs: string[]): TimedNode => ({ id, takesMs, needs, fails: false });

async function times(nodes: readonly TimedNode[], concurrency: number, failFast = false) {
  const found = await scheduled(nodes, { concurrency, failFast });
  return Object.fromEntries(
    [...found].map(([id, one]) => [id, one.kind === 'ran' ? `${one.startMs}-${one.endMs}` : `needs ${one.because}`]),
  );
}

describe('scheduled', () => {
  test('each begins when the last that it needs ends', async () => {
    const nodes = [node('a', 5), node('b', 7), node('c', 2, 'a', 'b'), node('d', 1, 'a')];
    expect(await times(nodes, 9)).toEqual({ a: '0-5', b: '0-7', c: '7-9', d: '5-6' });
  });

  test('no more at a time than there are places; the first that waits gets the next', async () => {
    const nodes = [node('a', 5), node('b', 2), node('c', 1), node('d', 1)];
    expect(await times(nodes, 2)).toEqual({ a: '0-5', b: '0-2', c: '2-3', d: '3-4' });
  });

  test('a failure leaves out those that need it; fail-fast all that has not begun', async () => {
    const nodes = [{ ...node('a', 5), fails: true }, node('b', 1, 'a'), node('c', 9), node('d', 1, 'c')];
    expect(await times(nodes, 9)).toEqual({ a: '0-5', b: 'needs a', c: '0-9', d: '9-10' });
    expect(await times(nodes, 9, true)).toEqual({ a: '0-5', b: 'needs a', c: '0-9', d: 'needs undefined' });
  });

  test('what takes no time, and nothing at all', async () => {
    expect(await times([node('a', 0), node('b', 0, 'a')], 1)).toEqual({ a: '0-0', b: '0-0' });
    expect(await times([], 1)).toEqual({});
  });
});

test('what a failure leaves out: those that need it, directly or not', () => {
  const nodes = [node('d', 1, 'c'), node('a', 1), node('b', 1, 'a'), node('c', 1, 'b'), node('e', 1)];
  expect(stoppedBy('a', nodes)).toEqual(['d', 'b', 'c']);
  expect(stoppedBy('e', nodes)).toEqual([]);
});
