import { expect, test } from 'vitest';
import { isStackOverflow } from '../../src/support/stack-overflow.ts';

const firefoxs = Object.assign(new Error('too much recursion'), { name: 'InternalError' });

test.each([
  [new RangeError('Maximum call stack size exceeded'), true],
  [new RangeError('Maximum call stack size exceeded.'), true],
  [firefoxs, true],
  [new RangeError('Invalid string length'), false],
  [new Error('too much recursion'), false],
])('%s: %s', (error, isOverflow) => expect(isStackOverflow(error)).toBe(isOverflow));
