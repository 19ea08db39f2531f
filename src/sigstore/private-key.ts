import { createPrivateKey, createPublicKey, type KeyObject, scryptSync } from 'node:crypto';
import { readBytes } from '../go/files.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { asObject } from '../support/json.ts';
import { xsalsa20poly1305 } from './packages.ts';
import { digestFor, nameOfType } from './public-key.ts';

/** The most that scrypt may use: eight times what cosign asks for. */
const mostScryptBytes = 512 << 20;

/** A key that signs, and what verifies it. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/**
 * Reads a key that signs: `cosign.key`, which `cosign generate-key-pair` encrypts with a password (scrypt and NaCl's secretbox
 * around PKCS #8), or PEM of any other program, with a password or without. `passwordOf` is asked where there is one. Fails
 * with `bad-sigstore-key`. Go: cosign.LoadPrivateKey, encrypted.Decrypt.
 */
export async function readPrivateKey(path: string, passwordOf: () => Promise<string>): Promise<SigningKey> {
  const failed = (cause: unknown): TshelmError => {
    const message = `the private key ${path} cannot be used: ${messageOf(cause)}`;
    return new TshelmError('bad-sigstore-key', { message, details: { path }, cause });
  };
  const text = readable(path, failed);
  const password = isEncrypted(text) ? await passwordOf() : undefined;
  try {
    const privateKey = opened(text, password);
    const publicKey = createPublicKey(privateKey);
    if (digestFor(publicKey) === undefined)
      throw new Error(`keys of the type ${nameOfType(publicKey)} are not supported`);
    return { privateKey, publicKey };
  } catch (cause) {
    throw failed(cause);
  }
}

function readable(path: string, failed: (cause: unknown) => TshelmError): string {
  try {
    return readBytes(path).toString('latin1');
  } catch (cause) {
    throw failed(cause);
  }
}

/** Both forms of OpenSSL, too: `BEGIN ENCRYPTED PRIVATE KEY`, `Proc-Type: 4,ENCRYPTED`. */
const isEncrypted = (text: string): boolean => text.includes('ENCRYPTED');

function opened(text: string, password = ''): KeyObject {
  const [, , body] = block.exec(text) ?? [];
  if (body !== undefined) {
    const der = decrypted(boxIn(body), password);
    return createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) throw new Error('it is not a private key in PEM');
  try {
    return createPrivateKey(isEncrypted(text) ? { key: text, passphrase: password } : text);
  } catch (cause) {
    throw new Error(isEncrypted(text) ? wrongPassword : 'it is not a private key in PEM', { cause });
  }
}

const wrongPassword = 'the password is wrong (COSIGN_PASSWORD)';

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

function boxIn(body: string): Box {
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
    throw new Error(wrongPassword, { cause });
  }
}
