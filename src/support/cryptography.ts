// The cryptography of template functions, by node:crypto. A browser has none that answers at once: there scripts/browser-files.mjs
// puts cryptography.browser.ts in the place of this module, and both give the same bytes.
import { createCipheriv, createDecipheriv, createHash, createHmac, scryptSync } from 'node:crypto';
import { joinedBytes } from './bytes.ts';

export { randomBytes } from 'node:crypto';

export type HashName = 'sha1' | 'sha256' | 'sha512';

export const hash = (name: HashName, bytes: Uint8Array): Uint8Array => createHash(name).update(bytes).digest();

export const hmacSha256 = (key: Uint8Array, bytes: Uint8Array): Uint8Array =>
  createHmac('sha256', key).update(bytes).digest();

export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** `length` bytes of a key. */
export const scrypt = (password: Uint8Array, salt: Uint8Array, length: number, cost: ScryptCost): Uint8Array =>
  scryptSync(password, salt, length, { ...cost, maxmem: 256 * cost.N * cost.r });

/** AES-256 in CBC mode, padded as PKCS #7 says. */
export function encryptAesCbc(key: Uint8Array, vector: Uint8Array, text: Uint8Array): Uint8Array {
  const cipher = createCipheriv('aes-256-cbc', key, vector);
  return joinedBytes([cipher.update(text), cipher.final()]);
}

/** The way back, which leaves the padding. */
export function decryptAesCbc(key: Uint8Array, vector: Uint8Array, blocks: Uint8Array): Uint8Array {
  const decipher = createDecipheriv('aes-256-cbc', key, vector).setAutoPadding(false);
  return joinedBytes([decipher.update(blocks), decipher.final()]);
}
