import { expect, test } from 'vitest';
import { addedDetail, hasCode, TshelmError } from '../../src/support/errors.ts';

const waited = new TshelmError('wait-timeout', { message: 'not ready', details: { timeoutMs: 5, unready: [] } });

test('a wrapped failure keeps code and details, and has the first one as its cause', () => {
  const wrapped = waited.wrapped({ message: 'release web failed: not ready', details: { gaps: ['logs'] } });
  expect(wrapped).toMatchObject({
    code: 'wait-timeout',
    message: 'release web failed: not ready',
    details: { timeoutMs: 5, unready: [], gaps: ['logs'] },
  });
  expect(wrapped.cause).toBe(waited);
  expect(waited.details).toEqual({ timeoutMs: 5, unready: [] });
});

test('what was added below is found from above', () => {
  const below = waited.wrapped({ message: 'x', details: { notes: ['no such image'] } });
  const above = new TshelmError('install-rolled-back', { message: 'y', details: { release: 'web' }, cause: below });
  expect(addedDetail(above, 'notes')).toEqual(['no such image']);
  expect(addedDetail(above, 'place')).toBeUndefined();
});

test.each([
  [waited, true],
  [new TshelmError('failed', { message: 'x' }), false],
  [new Error('wait-timeout'), false],
])('the code of %s', (thrown, has) => expect(hasCode(thrown, 'wait-failed', 'wait-timeout')).toBe(has));

// What follows is checked by tsc: it fails when a line marked as an error is none.
test('a code has its own details', () => {
  const thrown: unknown = waited;
  if (!hasCode(thrown, 'wait-timeout')) throw new Error('another code');
  expect(thrown.details.timeoutMs.toFixed()).toBe('5');
  // @ts-expect-error not a detail of wait-timeout
  expect(thrown.details.kinds).toBeUndefined();
  const wrong = [
    // @ts-expect-error no such code
    new TshelmError('wait-timeuot', { message: '' }),
    // @ts-expect-error its details are missing
    new TshelmError('wait-failed', { message: '' }),
    // @ts-expect-error a detail of another code
    new TshelmError('release-not-found', { message: '', details: { release: 'web', kinds: [] } }),
    // @ts-expect-error a code without details
    new TshelmError('failed', { message: '', details: { release_: 'web' } }),
  ];
  // @ts-expect-error nothing that failures get on their way up
  wrong.push(waited.wrapped({ message: '', details: { timeoutMs: 7 } }));
  // @ts-expect-error no such code
  expect(hasCode(thrown, 'wait-timeuot')).toBe(false);
  expect(wrong).toHaveLength(5);
});
