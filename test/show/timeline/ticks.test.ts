import { expect, test } from 'vitest';
import { ticks, tickText } from '../../../src/show/timeline/ticks.ts';

test.each([
  ['half a minute', 0, 32_000, 7, '0s 10s 20s 30s'],
  ['from the middle', 61_000, 200_000, 6, '1m30s 2m 2m30s 3m'],
  ['hours', 0, 4 * 3_600_000, 6, '0s 1h 2h 3h 4h'],
  ['less than a second', 0, 40, 6, '0s 0.01s 0.02s 0.03s 0.04s'],
  ['no time', 0, 1, 6, '0s 0.001s'],
])('round times: %s', (_name, from, to, most, texts) => {
  expect(ticks(from, to, most).map(tickText).join(' ')).toBe(texts);
});

test('never more than were asked for', () => {
  for (let total = 1; total < 1e9; total *= 3) expect(ticks(0, total, 6).length).toBeLessThanOrEqual(6);
});
