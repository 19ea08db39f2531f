import { createHash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { bytesOfBase64 } from '../support/base64.ts';
import { isObject } from '../support/json.ts';
import { readBundle } from './bundle.ts';
import type { LegacySignature } from './demand.ts';
import { derOfPem } from './logged-key.ts';
import { type Bundle, RFC3161Timestamp, type SignedEntity, X509Certificate } from './packages.ts';
import { isSignedBy } from './public-key.ts';
import { checkSimpleSigning } from './simple-signing.ts';
import { checkStatement, signedFormOf } from './statement.ts';

type LogEntry = SignedEntity['tlogEntries'][number];

/** A signature to be checked, and what about it depends on the key that is expected. */
export interface Signature {
  readonly entity: SignedEntity;
  /** What the signature says of its key: SHA-256 in base64; '' where it says nothing. */
  readonly keyHint: string;
  /** In DER; undefined where it was made with a key. */
  readonly certificate: Buffer<ArrayBuffer> | undefined;
}

/** The signature of a bundle, which must be about this content. Throws an Error that says what is wrong with it. */
export function signatureOfBundle(bytes: Uint8Array, content: Uint8Array): Signature {
  const bundle = readBundle(bytes);
  const { tlogEntries, timestampVerificationData, content: material } = bundle.verificationMaterial;
  const stamps = (timestampVerificationData?.rfc3161Timestamps ?? []).map(({ signedTimestamp }) => signedTimestamp);
  const keyHint = material.$case === 'publicKey' ? material.publicKey.hint : '';
  const certificate = material.$case === 'publicKey' ? undefined : Buffer.from(derIn(material));
  return {
    keyHint,
    certificate,
    entity: {
      signature: contentOf(bundle, { content, isCertified: certificate !== undefined }),
      key: keyOf(certificate),
      tlogEntries,
      timestamps: timestampsOf(tlogEntries, stamps),
    },
  };
}

type Material = Exclude<Bundle['verificationMaterial']['content'], { readonly $case: 'publicKey' }>;

function derIn(material: Material): Uint8Array {
  if (material.$case === 'certificate') return material.certificate.rawBytes;
  return material.x509CertificateChain.certificates[0]?.rawBytes ?? new Uint8Array();
}

const keyOf = (der: Buffer<ArrayBuffer> | undefined): SignedEntity['key'] =>
  der === undefined
    ? { $case: 'public-key', hint: '' }
    : { $case: 'certificate', certificate: X509Certificate.parse(der) };

/** Times that are proved by a log's promise, or by a timestamp authority. */
function timestampsOf(entries: readonly LogEntry[], stamps: readonly Uint8Array[]): SignedEntity['timestamps'] {
  return [
    ...entries
      .filter(({ integratedTime }) => integratedTime !== '0' && integratedTime !== '')
      .map((tlogEntry) => ({ $case: 'transparency-log' as const, tlogEntry })),
    ...stamps.map((stamp) => ({
      $case: 'timestamp-authority' as const,
      timestamp: RFC3161Timestamp.parse(Buffer.from(stamp)),
    })),
  ];
}

interface Wanted {
  readonly content: Uint8Array;
  readonly isCertified: boolean;
}

function contentOf({ content: signed }: Bundle, { content, isCertified }: Wanted): SignedEntity['signature'] {
  const digest = createHash('sha256').update(content).digest();
  if (signed.$case === 'messageSignature') {
    const { signature, messageDigest } = signed.messageSignature;
    // 1: SHA2_256, the only algorithm that cosign signs files with.
    if (messageDigest.algorithm !== 1 || !isEqual(messageDigest.digest, digest))
      throw new Error('the bundle is about other content');
    return signatureContent(signature, digest, (key) => isSignedBy(key, { data: content, signature, isCertified }));
  }
  const { payloadType, payload, signatures } = signed.dsseEnvelope;
  checkStatement(payloadType, payload, content);
  const signature = signatures[0]?.sig ?? Buffer.alloc(0);
  const payloadDigest = createHash('sha256').update(payload).digest();
  const data = signedFormOf(payloadType, payload);
  return signatureContent(signature, payloadDigest, (key) => isSignedBy(key, { data, signature, isCertified }));
}

const signatureContent = (
  signature: Buffer,
  digest: Buffer,
  verifySignature: (key: KeyObject) => boolean,
): SignedEntity['signature'] => ({
  signature,
  compareSignature: (other) => isEqual(other, signature),
  compareDigest: (other) => isEqual(other, digest),
  verifySignature,
});

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

const prefix = 'dev.sigstore.cosign';

/** A signature as cosign 2 kept it. Throws an Error that says what is wrong with it. */
export function signatureOfLayer({ payload, annotations }: LegacySignature, manifest: Uint8Array): Signature {
  checkSimpleSigning(payload, manifest);
  const signature = bytesOfBase64(annotations['dev.cosignproject.cosign/signature'] ?? '', 'signature');
  const entries = logEntries(annotations[`${prefix}/bundle`]);
  const pem = annotations[`${prefix}/certificate`];
  const certificate = pem ? derOfPem(pem) : undefined;
  const digest = createHash('sha256').update(payload).digest();
  return {
    keyHint: '',
    certificate,
    entity: {
      signature: signatureContent(signature, digest, (key) =>
        isSignedBy(key, { data: payload, signature, isCertified: certificate !== undefined }),
      ),
      key: keyOf(certificate),
      tlogEntries: entries,
      timestamps: timestampsOf(entries, stampsIn(annotations[`${prefix}/rfc3161timestamp`])),
    },
  };
}

function stampsIn(annotation: string | undefined): readonly Uint8Array[] {
  const { SignedRFC3161Timestamp: stamp } = objectIn(annotation);
  return typeof stamp === 'string' ? [bytesOfBase64(stamp, 'timestamp')] : [];
}

/** The log entry that cosign noted. Go: bundle.RekorBundle. */
function logEntries(annotation: string | undefined): LogEntry[] {
  if (annotation === undefined || annotation === '') return [];
  const { SignedEntryTimestamp: promise, Payload } = objectIn(annotation);
  const { body, integratedTime, logIndex, logID } = isObject(Payload) ? Payload : {};
  if (typeof promise !== 'string' || typeof body !== 'string' || typeof logID !== 'string')
    throw new Error('the log entry of the signature is incomplete');
  const canonicalizedBody = bytesOfBase64(body, 'log entry');
  const keyId = Buffer.from(logID, 'hex');
  if (keyId.toString('hex') !== logID) throw new Error('the log of the signature is not named in hexadecimal');
  const { kind, apiVersion } = objectIn(canonicalizedBody.toString('utf8'));
  return [
    {
      logIndex: String(logIndex),
      logId: { keyId },
      kindVersion: { kind: String(kind), version: String(apiVersion) },
      integratedTime: String(integratedTime),
      inclusionPromise: { signedEntryTimestamp: bytesOfBase64(promise, 'log entry') },
      inclusionProof: undefined,
      canonicalizedBody,
    } as LogEntry,
  ];
}

function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  const json: unknown = text === undefined || text === '' ? {} : JSON.parse(text);
  return isObject(json) ? json : {};
}
