import { expect, test } from 'vitest';
import { quantityOf } from '../../src/go/quantity.ts';

test.each([
  ['1', 1],
  ['1000m', 1],
  ['0.1', 0.1],
  ['100m', 0.1],
  ['1Gi', 1073741824],
  ['1024Mi', 1073741824],
  ['1e3', 1000],
  ['2E', 2e18],
  [3, 3],
  ['1x', undefined],
  ['', undefined],
  [null, undefined],
])('the quantity %j', (text, expected) => expect(quantityOf(text)).toBe(expected));
