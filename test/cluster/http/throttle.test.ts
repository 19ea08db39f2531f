import { expect, test } from 'vitest';
import { Throttle } from '../../../src/cluster/http/throttle.ts';

/** When each of `count` requests made at the same moment may go, in milliseconds. */
async function turns(rate: { qps: number; burst: number }, ...bursts: readonly { at: number; count: number }[]) {
  let now = 0;
  const went: number[] = [];
  const timers = { now: () => now, setTimeout: () => undefined, clearTimeout: () => undefined };
  let slept = 0;
  const throttle = new Throttle(rate, timers, async (milliseconds) => void (slept = milliseconds));
  for (const { at, count } of bursts) {
    now = at;
    for (let index = 0; index < count; index++) {
      slept = 0;
      await throttle.admit(undefined);
      went.push(now + slept);
    }
  }
  return went;
}

test('a burst goes at once, what comes after it in turns', async () => {
  expect(await turns({ qps: 10, burst: 3 }, { at: 0, count: 6 })).toEqual([0, 0, 0, 100, 200, 300]);
});

test('a rest fills the bucket again, and no more than that', async () => {
  expect(await turns({ qps: 10, burst: 2 }, { at: 0, count: 3 }, { at: 10_000, count: 3 })).toEqual([
    0, 0, 100, 10_000, 10_000, 10_100,
  ]);
});
