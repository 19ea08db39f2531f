import { generateKeyPairSync, type KeyObject } from 'node:crypto';

const mostKeys = 11;
const keys: KeyObject[] = [];
let given = 0;

/** An RSA key for a render, one of eleven by turns: two renders have other keys, and few have to be made. */
export function rsaKey(): KeyObject {
  const key = (keys[given % mostKeys] ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
  given += 1;
  return key;
}
