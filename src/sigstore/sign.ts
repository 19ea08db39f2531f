import { createHash, sign } from 'node:crypto';
import { bundleType } from './media-types.ts';
import type { SigningKey } from './private-key.ts';
import { digestFor, fingerprintOf } from './public-key.ts';
import { signedFormOf, signPredicate, statementType, statementUri } from './statement.ts';

/** The bundle of a file, as `cosign sign-blob --bundle` writes it without a transparency log: JSON. */
export const signFile = (bytes: Uint8Array, key: SigningKey): string =>
  bundleText(key, {
    messageSignature: {
      messageDigest: { algorithm: 'SHA2_256', digest: createHash('sha256').update(bytes).digest('base64') },
      signature: signatureOf(bytes, key),
    },
  });

/** The bundle of a manifest in a registry, as `cosign sign` writes it: an in-toto statement about its digest. */
export function signManifest(manifest: Uint8Array, key: SigningKey): string {
  const sha256 = createHash('sha256').update(manifest).digest('hex');
  const payload = Buffer.from(
    JSON.stringify({
      _type: statementUri,
      subject: [{ digest: { sha256 } }],
      predicateType: signPredicate,
      predicate: {},
    }),
  );
  const sig = signatureOf(signedFormOf(statementType, payload), key);
  return bundleText(key, {
    dsseEnvelope: { payload: payload.toString('base64'), payloadType: statementType, signatures: [{ sig }] },
  });
}

const bundleText = ({ publicKey }: SigningKey, content: object): string =>
  JSON.stringify({
    mediaType: bundleType,
    verificationMaterial: { publicKey: { hint: fingerprintOf(publicKey).toString('base64') } },
    ...content,
  });

const signatureOf = (data: Uint8Array, { privateKey, publicKey }: SigningKey): string =>
  sign(digestFor(publicKey), data, privateKey).toString('base64');
