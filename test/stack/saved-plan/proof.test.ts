import { expect, test } from 'vitest';
import { isProved, proofOf } from '../../../src/stack/saved-plan/proof.ts';

test('proves the same text and no other, and is another one each time', async () => {
  const [one, other] = await Promise.all([proofOf('hunter2'), proofOf('hunter2')]);
  expect(one).not.toBe(other);
  expect(one).not.toContain('hunter2');
  expect(await isProved('hunter2', one)).toBe(true);
  expect(await isProved('hunter3', one)).toBe(false);
});

test.each(['', 'scrypt', 'scrypt::', 'sha256:AA==:AA==', `scrypt:AA==:${Buffer.alloc(31).toString('base64')}`])(
  'what is no proof proves nothing: %j',
  async (proof) => {
    expect(await isProved('', proof)).toBe(false);
  },
);
