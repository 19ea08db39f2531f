import { expect, test } from 'vitest';
import { TestKeys } from '../../src/unittest/keys.ts';

test('a render has different keys, the next render the same ones', () => {
  const keys = new TestKeys();
  const [first, second] = [keys.forRender(), keys.forRender()];
  const [one, other] = [first(), first()];
  expect(other.equals(one)).toBe(false);
  expect([second(), second()]).toEqual([one, other]);
});
