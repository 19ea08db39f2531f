import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { KeysAhead } from '../../src/sdk/keys-ahead.ts';

test('a process that wants keys gets some that a thread made meanwhile, and none of them twice', () => {
  let madeHere = 0;
  const keys = new KeysAhead();
  const take = (): KeyObject => {
    const ahead = keys.take();
    if (ahead === undefined) madeHere += 1;
    return ahead ?? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  };
  const taken: KeyObject[] = [];
  // Synchronous as renders are: no event reaches this thread until one of the other's keys is taken.
  while (madeHere === taken.length) taken.push(take());
  taken.push(take(), take());

  expect(madeHere).toBeGreaterThanOrEqual(3);
  expect(taken.map(({ asymmetricKeyType }) => asymmetricKeyType)).toEqual(taken.map(() => 'rsa'));
  expect(taken.map(({ asymmetricKeyDetails }) => asymmetricKeyDetails)).toEqual(
    taken.map(() => ({ modulusLength: 2048, publicExponent: 65537n })),
  );
  expect(new Set(taken.map((key) => key.export({ type: 'pkcs1', format: 'pem' }))).size).toBe(taken.length);
});
