import { expect, test } from 'vitest';
import { ReusedKeys } from '../../src/render/reused-keys.ts';

test('a render has different keys, the next render the same ones', () => {
  const keys = new ReusedKeys();
  const [first, second] = [keys.forRender(), keys.forRender()];
  const [one, other] = [first(), first()];
  expect(other.equals(one)).toBe(false);
  expect([second(), second()]).toEqual([one, other]);
});
