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

/** `secp256k1`, `x25519` */
export const nameOfType = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string =>
  asymmetricKeyDetails?.namedCurve ?? String(asymmetricKeyType);

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

type Asymmetric = Pick<KeyObject, 'asymmetricKeyType' | 'asymmetricKeyDetails'>;

/**
 * The digest that a key signs; null where the key itself says it, undefined where it signs nothing here. cosign takes that of
 * the curve for a certificate alone, and SHA-256 for the key of a file. Go: GetDefaultAlgorithmDetails, VerifierForKeyRef.
 */
export function digestFor(key: Asymmetric, { isCertified = false } = {}): string | null | undefined {
  switch (key.asymmetricKeyType) {
    case 'ec': {
      const digest = digestOfCurve[key.asymmetricKeyDetails?.namedCurve ?? ''];
      return digest === undefined || isCertified ? digest : 'sha256';
    }
    case 'rsa':
      return 'sha256';
    case 'ed25519':
      return null;
    default:
      return undefined;
  }
}

interface Signed {
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
  /** Whether a certificate names the key. Default false. */
  readonly isCertified?: boolean;
}

/** Whether a key made a signature of data. */
export function isSignedBy(key: KeyObject, { data, signature, isCertified = false }: Signed): boolean {
  const digest = digestFor(key, { isCertified });
  return digest !== undefined && verify(digest, data, key, signature);
}
