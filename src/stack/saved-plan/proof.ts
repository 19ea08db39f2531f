import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Proof } from './types.ts';

const derive = promisify<Buffer, Buffer, number, ScryptOptions, Buffer>(scrypt);
/** Some 50 ms for each guess at what was proved, and 16 MiB. */
const cost: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };
const hashLength = 32;

/** Proves later that a text is the same, and hardly helps whoever guesses at it. */
export async function proofOf(text: string): Promise<Proof> {
  const salt = randomBytes(16);
  return ['scrypt', salt.toString('base64'), (await hashOf(text, salt)).toString('base64')].join(':');
}

/** What was proved is not proved again: an apply asks for the same several times. */
const proved = new Set<string>();

export async function isProved(text: string, proof: Proof): Promise<boolean> {
  const key = `${proof} ${sha256(text)}`;
  if (proved.has(key)) return true;
  if (!(await fits(text, proof))) return false;
  proved.add(key);
  return true;
}

async function fits(text: string, proof: Proof): Promise<boolean> {
  const [method, salt = '', hash = ''] = proof.split(':');
  const expected = Buffer.from(hash, 'base64');
  if (method !== 'scrypt' || expected.length !== hashLength) return false;
  return timingSafeEqual(await hashOf(text, Buffer.from(salt, 'base64')), expected);
}

/** Long texts are hashed first: scrypt's own time is what counts. */
const hashOf = (text: string, salt: Buffer): Promise<Buffer> =>
  derive(createHash('sha256').update(text).digest(), salt, hashLength, cost);

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
