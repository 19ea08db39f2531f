import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Quote } from '../../src/problem/quote.ts';

test('a quote is shown as its text', () => {
  expect(inspect({ words: new Quote('it "failed"') })).toBe(`{ words: 'it "failed"' }`);
  expect(JSON.stringify([new Quote('no')])).toBe('["no"]');
});
