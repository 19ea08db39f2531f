import { createHash, createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Proof } from './types.ts';

const derive = promisify<Buffer, Buffer, number, ScryptOptions, Buffer>(scrypt);
/** Some 50 ms for each guess at what was proved, and 16 MiB. */
const cost: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };
const hashLength = 32;

/**
 * Proves later that a text is the same, and hardly helps whoever guesses at what is hidden in it. `parts`: what is hidden,
 * all that a reader of the proof does not see; texts that hide the same share the slow derivation of a key, and no more.
 */
export async function proofOf(text: string, parts: readonly string[] = [text]): Promise<Proof> {
  const hash = macOf(text, await keyOf(parts, saltOfRun));
  return ['scrypt', saltOfRun.toString('base64'), hash.toString('base64')].join(':');
}

const saltOfRun = randomBytes(16);

/** Whether the proof was made of this text with these parts hidden. */
export async function isProved(text: string, proof: Proof, parts: readonly string[] = [text]): Promise<boolean> {
  const [method, salt = '', hash = ''] = proof.split(':');
  const expected = Buffer.from(hash, 'base64');
  if (method !== 'scrypt' || expected.length !== hashLength) return false;
  return timingSafeEqual(macOf(text, await keyOf(parts, Buffer.from(salt, 'base64'))), expected);
}

/** Keys that were derived already: an apply asks for the same several times, and many texts hide the same. */
const keys = new Map<string, Promise<Buffer>>();

/** Long parts are hashed first: scrypt's own time is what counts. */
function keyOf(parts: readonly string[], salt: Buffer): Promise<Buffer> {
  const secret = sha256(JSON.stringify([...new Set(parts)].sort()));
  const name = `${salt.toString('base64')} ${secret}`;
  const known = keys.get(name) ?? derive(Buffer.from(secret, 'hex'), salt, hashLength, cost);
  keys.set(name, known);
  return known;
}

const macOf = (text: string, key: Buffer): Buffer => createHmac('sha256', key).update(text).digest();

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
