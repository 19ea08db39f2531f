import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deflateStretch, gzipOf } from '../../src/release/gzip-stretches.ts';

test('stretches of any level make one gzip stream, again and again', async () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('abc'.repeat(20_000)));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, fc.integer({ min: 1, max: 9 })), { maxLength: 4 }), async (parts) => {
      const stretches = await Promise.all(parts.map(([plain, level]) => deflateStretch(plain, level)));
      const whole = parts.map(([plain]) => plain).join('');
      expect(gunzipSync(gzipOf(stretches)).toString()).toBe(whole);
      expect(gunzipSync(gzipOf([...stretches, ...stretches])).toString()).toBe(whole + whole);
    }),
  );
});

test('a byte that is not as it was packed is noticed', async () => {
  const packed = gzipOf([await deflateStretch('some text', 9), await deflateStretch(' and more', 3)]);
  expect(() => gunzipSync(Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8)]))).toThrow('incorrect data check');
});
