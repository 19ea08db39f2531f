import { expect, onTestFinished, test, vi } from 'vitest';
import { isProved, proofOf } from '../../src/saved-plan/proof.ts';

test('proves the same text and no other, and is another one for each text', async () => {
  const [one, other] = await Promise.all([proofOf('a: hunter2', ['hunter2']), proofOf('b: hunter2', ['hunter2'])]);
  expect(one).not.toBe(other);
  expect(one).not.toContain('hunter2');
  expect(await isProved('a: hunter2', one, ['hunter2'])).toBe(true);
  expect(await isProved('a: hunter3', one, ['hunter3'])).toBe(false);
  expect(await isProved('b: hunter2', one, ['hunter2'])).toBe(false);
  expect(await isProved('a: hunter2', one)).toBe(false);
});

test('texts that hide the same cost one derivation', async () => {
  let derivations = 0;
  vi.resetModules();
  vi.doMock('node:crypto', async (importOriginal) => {
    const crypto = await importOriginal<typeof import('node:crypto')>();
    const scrypt = (...given: Parameters<typeof crypto.scrypt>): void => {
      derivations += 1;
      crypto.scrypt(...given);
    };
    return { ...crypto, scrypt };
  });
  onTestFinished(() => {
    vi.doUnmock('node:crypto');
    vi.resetModules();
  });
  const counted = await import('../../src/saved-plan/proof.ts');
  const texts = Array.from({ length: 100 }, (_text, index) => `${index}: S3cret`);
  const proofs = await Promise.all(texts.map((text) => counted.proofOf(text, ['S3cret', 'S3cret'])));
  for (const [index, text] of texts.entries())
    expect(await counted.isProved(text, proofs[index] ?? '', ['S3cret'])).toBe(true);
  expect(derivations).toBe(1);
});

test.each(['', 'scrypt', 'scrypt::', 'sha256:AA==:AA==', `scrypt:AA==:${Buffer.alloc(31).toString('base64')}`])(
  'what is no proof proves nothing: %j',
  async (proof) => {
    expect(await isProved('', proof)).toBe(false);
  },
);
