import { createPrivateKey, generateKeyPairSync, generatePrimeSync, type KeyObject, randomBytes } from 'node:crypto';
import { GoError } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { integer, readDer, sequence } from './der.ts';
import { pemBlock, toPem } from './pem.ts';

/** A private key as sprig knows it; node:crypto holds all but DSA keys that came as PEM. */
export interface PrivateKey {
  readonly kind: 'rsa' | 'ec' | 'ed25519' | 'dsa';
  /** The key in the PEM form that Go gives to its kind. */
  readonly pem: string;
  /** Undefined for a DSA key, with which Go signs nothing. */
  readonly key: KeyObject | undefined;
}

/** A new key; `rsaBits` is for RSA alone. */
export function generateKey(kind: PrivateKey['kind'], rsaBits = 2048): PrivateKey {
  switch (kind) {
    case 'rsa':
      return privateKeyOf(generateKeyPairSync('rsa', { modulusLength: rsaBits }).privateKey);
    case 'ec':
      return privateKeyOf(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey);
    case 'ed25519':
      return privateKeyOf(generateKeyPairSync('ed25519').privateKey);
    case 'dsa':
      return { kind, pem: dsaPem(), key: undefined };
  }
}

/** Reads a key in PEM. Throws GoError with sprig's message. */
export function parsePrivateKey(text: string): PrivateKey {
  const block = pemBlock(text);
  if (block === undefined) throw new GoError('no PEM data in input');
  if (block.type === 'PRIVATE KEY') return parseAs('pkcs8', block.bytes, 'decoding PEM as PKCS#8');
  if (!block.type.endsWith(' PRIVATE KEY')) throw new GoError(`no private key data in PEM block of type ${block.type}`);
  const kind = block.type.slice(0, -' PRIVATE KEY'.length);
  switch (kind) {
    case 'RSA':
      return parseAs('pkcs1', block.bytes, 'parsing RSA private key from PEM');
    case 'EC':
      return parseAs('sec1', block.bytes, 'parsing EC private key from PEM');
    case 'DSA':
      return parseDsa(block.bytes);
    default:
      throw new GoError(`invalid private key type ${block.type}`);
  }
}

function parseAs(type: 'pkcs8' | 'pkcs1' | 'sec1', bytes: Uint8Array, doing: string): PrivateKey {
  try {
    return privateKeyOf(createPrivateKey({ key: Buffer.from(bytes), format: 'der', type }));
  } catch (cause) {
    throw new GoError(`${doing}: ${messageOf(cause)}`, { cause });
  }
}

/** A key of node:crypto as sprig knows it. */
export function privateKeyOf(key: KeyObject): PrivateKey {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return { kind: 'rsa', pem: String(key.export({ type: 'pkcs1', format: 'pem' })), key };
    case 'ec':
      return { kind: 'ec', pem: String(key.export({ type: 'sec1', format: 'pem' })), key };
    case 'ed25519':
      return { kind: 'ed25519', pem: String(key.export({ type: 'pkcs8', format: 'pem' })), key };
    default:
      throw new GoError(`x509: PKCS#8 wrapping contained private key with unknown algorithm: ${key.asymmetricKeyType}`);
  }
}

const dsaFields = 6;

function parseDsa(bytes: Uint8Array): PrivateKey {
  const fields = readDer(readDer(bytes)?.[0]?.content ?? new Uint8Array());
  if (fields?.length !== dsaFields || fields.some(({ tag }) => tag !== 0x02)) {
    throw new GoError("parsing DSA private key from PEM: asn1: structure error: tags don't match");
  }
  return { kind: 'dsa', pem: toPem('DSA PRIVATE KEY', bytes), key: undefined };
}

/** sprig's own form of a new DSA key (L2048N256): version, P, Q, G, Y, X. By hand, since BoringSSL makes none. */
function dsaPem(): string {
  const q = generatePrimeSync(256, { bigint: true });
  const p = generatePrimeSync(2048, { bigint: true, add: 2n * q, rem: 1n });
  const g = power(2n, (p - 1n) / q, p);
  const x = (BigInt(`0x${randomBytes(40).toString('hex')}`) % (q - 1n)) + 1n;
  const fields = [0n, p, q, g, power(g, x, p), x].map((field) => integer(bytesOf(field)));
  return toPem('DSA PRIVATE KEY', sequence(...fields));
}

/** `base ** exponent % modulus`, one bit of the exponent after the other. */
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function bytesOf(number: bigint): Uint8Array {
  const digits = number.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}
