// cryptography.ts for browsers: WebCrypto gives random bytes at once, but hashes and ciphers only as promises, which a
// template cannot wait for.
import { cbc } from '@noble/ciphers/aes.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { scrypt as nobleScrypt } from '@noble/hashes/scrypt.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import type { HashName, ScryptCost } from './cryptography.ts';

const hashes = { sha1, sha256, sha512 };

/** What getRandomValues gives at a time. */
const mostRandomBytes = 65_536;

export function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += mostRandomBytes) crypto.getRandomValues(bytes.subarray(at, at + mostRandomBytes));
  return bytes;
}

export const hash = (name: HashName, bytes: Uint8Array): Uint8Array => hashes[name](bytes);

export const hmacSha256 = (key: Uint8Array, bytes: Uint8Array): Uint8Array => hmac(sha256, key, bytes);

export const scrypt = (password: Uint8Array, salt: Uint8Array, length: number, cost: ScryptCost): Uint8Array =>
  nobleScrypt(password, salt, { ...cost, dkLen: length });

export const encryptAesCbc = (key: Uint8Array, vector: Uint8Array, text: Uint8Array): Uint8Array =>
  cbc(key, vector).encrypt(text);

export const decryptAesCbc = (key: Uint8Array, vector: Uint8Array, blocks: Uint8Array): Uint8Array =>
  cbc(key, vector, { disablePadding: true }).decrypt(blocks);
