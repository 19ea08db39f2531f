import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readBytes } from '../go/files.ts';
import { messageOf, TshelmError } from '../support/errors.ts';

/**
 * Reads `cosign.pub`: PEM (`PUBLIC KEY`, `RSA PUBLIC KEY`) with an ECDSA, RSA or Ed25519 key. Fails with `bad-sigstore-key`.
 * Go: cryptoutils.UnmarshalPEMToPublicKey.
 */
export function readPublicKey(path: string): KeyObject {
  const failed = (reason: string, cause?: unknown): TshelmError =>
    new TshelmError('bad-sigstore-key', { message: `the public key ${path} ${reason}`, details: { path }, cause });
  let text: string;
  try {
    text = readBytes(path).toString('latin1');
  } catch (cause) {
    throw failed(`cannot be read: ${messageOf(cause)}`, cause);
  }
  const [, kind = ''] = /-----BEGIN ([A-Z ]+)-----/.exec(text) ?? [];
  if (kind.endsWith('PRIVATE KEY')) throw failed('is a private key; use the .pub file beside it');
  if (kind === 'CERTIFICATE')
    throw failed('is a certificate; use its public key: `openssl x509 -pubkey -noout -in FILE`');
  const key = keyIn(text, failed);
  if (digestFor(key) === undefined) throw failed(`is of the type ${nameOfType(key)}, which is not supported`);
  return key;
}

function keyIn(text: string, failed: (reason: string, cause: unknown) => TshelmError): KeyObject {
  try {
    return createPublicKey(text);
  } catch (cause) {
    throw failed('is not a public key in PEM', cause);
  }
}

/** `secp256k1`, `rsa 1024`, `x25519` */
export const nameOfType = ({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): string =>
  details?.namedCurve ?? [asymmetricKeyType, details?.modulusLength].filter((part) => part !== undefined).join(' ');

/** SHA-256 of the key in DER. */
export const fingerprintOf = (key: KeyObject): Buffer =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();

const digestOfCurve: Readonly<Record<string, string>> = {
  prime256v1: 'sha256',
  secp384r1: 'sha384',
  secp521r1: 'sha512',
};

const rsaBits = [2048, 3072, 4096];

/** The digest that keys of this type sign; null where the key itself says it, undefined where it signs nothing here. Go: signature.GetDefaultAlgorithmDetails. */
export function digestFor({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | null | undefined {
  switch (asymmetricKeyType) {
    case 'ec':
      return digestOfCurve[asymmetricKeyDetails?.namedCurve ?? ''];
    case 'rsa':
      return rsaBits.includes(asymmetricKeyDetails?.modulusLength ?? 0) ? 'sha256' : undefined;
    case 'ed25519':
      return null;
    default:
      return undefined;
  }
}

/** Whether a key made a signature of data. */
export function isSignedBy(key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean {
  const digest = digestFor(key);
  return digest !== undefined && verify(digest, data, key, signature);
}
