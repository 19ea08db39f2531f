import { createPublicKey, X509Certificate } from 'node:crypto';
import { isObject } from '../support/json.ts';

/** Where the kinds of log entries have the key or certificate. Go: rekor's types hashedrekord and dsse, in versions 0.0.1 and 0.0.2. */
const places: readonly (readonly string[])[] = [
  ['signature', 'publicKey', 'content'],
  ['signatures', '0', 'verifier'],
  ['hashedRekordV002', 'signature', 'verifier', 'x509Certificate', 'rawBytes'],
  ['hashedRekordV002', 'signature', 'verifier', 'publicKey', 'rawBytes'],
  ['dsseV002', 'signatures', '0', 'verifier', 'x509Certificate', 'rawBytes'],
  ['dsseV002', 'signatures', '0', 'verifier', 'publicKey', 'rawBytes'],
];

/**
 * Throws an Error where the entry of a log is about another key or certificate (both in DER) than the signature's. The
 * package compares the signature and the digest alone.
 */
export function checkLoggedKey(canonicalizedBody: Uint8Array, key: Uint8Array): void {
  const body: unknown = JSON.parse(Buffer.from(canonicalizedBody).toString('utf8'));
  const spec = isObject(body) ? body['spec'] : undefined;
  const found = places.map((path) => path.reduce(memberOf, spec)).find((one) => typeof one === 'string');
  if (typeof found === 'string' && derOf(Buffer.from(found, 'base64')).equals(key)) return;
  throw new Error('the log entry is about another key or certificate');
}

const memberOf = (at: unknown, name: string): unknown =>
  Array.isArray(at) ? at[Number(name)] : isObject(at) ? at[name] : undefined;

/** Version 0.0.1 keeps PEM, version 0.0.2 DER. */
function derOf(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  if (!text.startsWith('-----BEGIN ')) return bytes;
  if (!text.includes('CERTIFICATE')) return createPublicKey(text).export({ type: 'spki', format: 'der' });
  return derOfPem(text);
}

/** The first certificate of a PEM text. Throws an Error for what is none. */
export const derOfPem = (text: string): Buffer<ArrayBuffer> => Buffer.from(new X509Certificate(text).raw);
