import { createPrivateKey, createPublicKey, type KeyObject, scryptSync } from 'node:crypto';
import { readBytes } from '../go/files.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { asObject } from '../support/json.ts';
import { xsalsa20poly1305 } from './packages.ts';
import { digestFor } from './public-key.ts';

/** The most that scrypt may use: eight times what cosign asks for. */
const mostScryptBytes = 512 << 20;

/** A key that signs, and what verifies it. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/**
 * Reads `cosign.key`, which `cosign generate-key-pair` encrypts with a password: scrypt and NaCl's secretbox around PKCS #8.
 * Fails with `bad-sigstore-key`. Go: cosign.LoadPrivateKey, encrypted.Decrypt.
 */
export function readPrivateKey(path: string, password: string): SigningKey {
  try {
    const der = decrypted(boxIn(readBytes(path).toString('latin1')), password);
    const privateKey = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
    const publicKey = createPublicKey(privateKey);
    if (digestFor(publicKey) === undefined) throw new Error(`keys of type ${publicKey.asymmetricKeyType} cannot sign`);
    return { privateKey, publicKey };
  } catch (cause) {
    const message = `the private key ${path} cannot be used: ${messageOf(cause)}`;
    throw new TshelmError('bad-sigstore-key', { message, details: { path }, cause });
  }
}

const block =
  /-----BEGIN ENCRYPTED (SIGSTORE|COSIGN) PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END ENCRYPTED \1 PRIVATE KEY-----/;

interface Box {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
}

function boxIn(text: string): Box {
  const [, , body] = block.exec(text) ?? [];
  if (body === undefined) throw new Error('it is no key of `cosign generate-key-pair`');
  const json = asObject(JSON.parse(Buffer.from(body, 'base64').toString('utf8')));
  const [kdf, cipher] = [asObject(json['kdf']), asObject(json['cipher'])];
  if (kdf['name'] !== 'scrypt' || cipher['name'] !== 'nacl/secretbox')
    throw new Error('it is encrypted in a way that cosign does not use');
  const { N, r, p } = asObject(kdf['params']);
  const [salt, nonce, ciphertext] = [kdf['salt'], cipher['nonce'], json['ciphertext']].map(bytesOf);
  if (salt === undefined || nonce?.length !== 24 || ciphertext === undefined) throw new Error('it is incomplete');
  if (![N, r, p].every((one) => Number.isInteger(one) && Number(one) > 0)) throw new Error('it is incomplete');
  return { N: Number(N), r: Number(r), p: Number(p), salt, nonce, ciphertext };
}

const bytesOf = (value: unknown): Buffer | undefined =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;

function decrypted({ N, r, p, salt, nonce, ciphertext }: Box, password: string): Uint8Array {
  if (128 * N * r * p > mostScryptBytes) throw new Error('its key derivation asks for too much memory');
  const key = scryptSync(password, salt, 32, { N, r, p, maxmem: 2 * mostScryptBytes });
  try {
    return xsalsa20poly1305(key, nonce).decrypt(ciphertext);
  } catch (cause) {
    throw new Error('the password is wrong (COSIGN_PASSWORD)', { cause });
  }
}
