import { expect, test } from 'vitest';
import { SimulatedTime } from '../../src/support/simulated-time.ts';
import { pause } from '../../src/support/timers.ts';

const started = 1_000;

async function onSimulatedTime<T>(task: (time: SimulatedTime) => Promise<T>): Promise<T> {
  const time = new SimulatedTime(started);
  time.begin();
  try {
    return await task(time);
  } finally {
    time.end();
  }
}

test('hours pass in an instant, and those who wait are woken in their order', () =>
  onSimulatedTime(async (time) => {
    const woken: [string, number][] = [];
    const sleeper = async (name: string, ...hours: number[]): Promise<void> => {
      for (const each of hours) {
        await pause(time, each * 3_600_000, undefined);
        woken.push([name, (time.now() - started) / 3_600_000]);
      }
    };
    await Promise.all([sleeper('a', 2, 2), sleeper('b', 1, 3), sleeper('c', 4)]);
    expect(woken).toEqual([
      ['b', 1],
      ['a', 2],
      ['c', 4],
      ['b', 4],
      ['a', 4],
    ]);
  }));

test('time stands still as long as something happens', () =>
  onSimulatedTime(async (time) => {
    const timer = pause(time, 1, undefined);
    for (let turn = 0; turn < 200; turn++) {
      time.noteActivity();
      await new Promise((resolve) => setImmediate(resolve));
      expect(time.now()).toBe(started);
    }
    await timer;
    expect(time.now()).toBe(started + 1);
  }));

test('what is called off does not run, nor is time spent on it', () =>
  onSimulatedTime(async (time) => {
    const stop = new AbortController();
    const sleeper = pause(time, 10, stop.signal);
    stop.abort(new Error('enough'));
    await expect(sleeper).rejects.toThrow('enough');
    await pause(time, 5, undefined);
    expect(time.now()).toBe(started + 5);
  }));
