import { describe, expect, test } from 'vitest';
import { type OutageEvent, OutageReporter } from '../../../src/cluster/http/outage-reporter.ts';
import { connectionClosedError } from '../../../src/cluster/network-error.ts';
import { systemTimers } from '../../../src/support/timers.ts';

const url = new URL('https://api.example.com:6443');
const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', address: '10.0.0.1', port: 6443 });

interface Step {
  readonly at: number;
  /** An error, or a status. */
  readonly missed?: Error | number;
  readonly answered?: number;
}

function newsOf(steps: readonly Step[]): readonly OutageEvent[] {
  const news: OutageEvent[] = [];
  let now = 0;
  const absence = new OutageReporter(url, { ...systemTimers, now: () => now }, (one) => news.push(one));
  for (const { at, missed, answered } of steps) {
    now = at;
    const response = typeof missed === 'number' ? { status: missed, headers: {}, text: '' } : undefined;
    const error = response === undefined ? missed : undefined;
    if (missed !== undefined) absence.missed({ response, error, startedMs: at });
    if (answered !== undefined) absence.answered(answered);
  }
  return news;
}

describe('a server that has gone', () => {
  test('is told of once, and when it is back', () => {
    const steps = [0, 500, 2_000, 2_100, 7_000].map((at) => ({ at, missed: refused }));
    expect(newsOf([...steps, { at: 9_400, answered: 200 }, { at: 9_500, answered: 200 }])).toEqual([
      {
        isOver: false,
        text: 'the API server does not answer: dial tcp 10.0.0.1:6443: connect: connection refused; retrying',
      },
      { isOver: true, text: 'the API server answers again, after 9 s' },
    ]);
  });

  test('is nothing to tell of where it is back within two seconds, however often', () => {
    const gone = [0, 1_900, 3_000, 4_900].flatMap((at) => [
      { at, missed: connectionClosedError(false) },
      { at: at + 50, answered: 200 },
    ]);
    expect(newsOf(gone)).toEqual([]);
  });

  test('counts as gone while a balancer answers for it, and not where it answers itself', () => {
    const busy = [0, 5_000].map((at) => ({ at, missed: 429 }));
    expect(newsOf(busy)).toEqual([]);
    const behind = [0, 3_000].map((at) => ({ at, missed: 503, answered: 503 }));
    expect(newsOf(behind)).toMatchObject([{ text: 'the API server does not answer: status 503; retrying' }]);
  });
});
