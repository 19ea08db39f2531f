import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../src/go/time/duration.ts';

// What Go 1.26's time package gives.
test.each([
  ['0', 0n, '0s'],
  ['5m', 300_000_000_000n, '5m0s'],
  ['1h30m', 5_400_000_000_000n, '1h30m0s'],
  ['1.5s', 1_500_000_000n, '1.5s'],
  ['300ms', 300_000_000n, '300ms'],
  ['-2m3.5s', -123_500_000_000n, '-2m3.5s'],
  ['.5h', 1_800_000_000_000n, '30m0s'],
  ['1us', 1_000n, '1µs'],
  ['15ns', 15n, '15ns'],
  ['1h', 3_600_000_000_000n, '1h0m0s'],
])('%s', (text, nanoseconds, shown) => {
  expect(parseDuration(text)).toBe(nanoseconds);
  expect(formatDuration(nanoseconds)).toBe(shown);
});

test.each([
  ['5', 'time: missing unit in duration "5"'],
  ['', 'time: invalid duration ""'],
  ['x', 'time: invalid duration "x"'],
  ['5y', 'time: unknown unit "y" in duration "5y"'],
  ['1.s.', 'time: invalid duration "1.s."'],
  ['-', 'time: invalid duration "-"'],
  ['10000000h', 'time: invalid duration "10000000h"'],
])('%j is refused', (text, message) => expect(() => parseDuration(text)).toThrow(message));
