import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { signedFormOf, signPredicate, statementType } from '../../src/sigstore/statement.ts';
import { bits, der, extension, integer, octets, oid, sequence, time, utf8 } from './der.ts';

/** A sigstore of one's own: an authority for certificates, a log of certificates, a log of signatures. */
export interface PrivateSigstore {
  /** What verifies it all: the JSON of a trusted root. */
  readonly trustedRoot: string;
  /** A bundle as `cosign sign` makes it of a manifest. */
  signManifest(manifest: Uint8Array, by: Identity): string;
  /** A bundle as `cosign sign-blob` makes it of a file. */
  signFile(bytes: Uint8Array, by: Identity): string;
  /** What cosign 2 kept of an image: the document and the layer's annotations. */
  signLegacy(
    manifest: Uint8Array,
    by: Identity,
  ): { readonly payload: Buffer; readonly annotations: Record<string, string> };
}

export interface Identity {
  readonly uri: string;
  readonly issuer: string;
}

/** Whom the fixtures are signed by. */
export const identity: Identity = {
  uri: 'https://github.com/acme/charts/.github/workflows/release.yml@refs/tags/v1',
  issuer: 'https://token.example',
};

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly spki: Buffer;
  readonly id: Buffer;
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function keyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return { privateKey, spki, id: sha256(spki) };
}

const signedBy = ({ privateKey }: KeyPair, data: Uint8Array): Buffer => sign('sha256', data, privateKey);

const signatureAlgorithm = sequence(oid('1.2.840.10045.4.3.2'));
const started = new Date('2026-01-01T00:00:00Z');
const signedAt = new Date('2026-06-01T12:00:00Z');
const minutes = (count: number): Date => new Date(signedAt.getTime() + count * 60_000);
const pem = (bytes: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(bytes).toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(oid('2.5.4.3'), utf8(text))));

interface Certificate {
  readonly serial: number;
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly from: Date;
  readonly to: Date;
  readonly spki: Buffer;
  readonly extensions: readonly Buffer[];
}

const tbsOf = ({ serial, issuer, subject, from, to, spki, extensions }: Certificate): Buffer =>
  sequence(
    der(0xa0, integer(2)),
    integer(serial),
    signatureAlgorithm,
    issuer,
    sequence(time(from), time(to)),
    subject,
    spki,
    der(0xa3, sequence(...extensions)),
  );

const certificateOf = (certificate: Certificate, authority: KeyPair): Buffer => {
  const tbs = tbsOf(certificate);
  return sequence(tbs, signatureAlgorithm, bits(signedBy(authority, tbs)));
};

const uint = (value: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, size > 6 ? size - 6 : 0, Math.min(size, 6));
  return bytes;
};

export function privateSigstore(): PrivateSigstore {
  const [authority, certificateLog, signatureLog] = [keyPair(), keyPair(), keyPair()];
  const authorityName = nameOf('private-fulcio');
  const root = certificateOf(
    {
      serial: 1,
      issuer: authorityName,
      subject: authorityName,
      from: started,
      to: new Date('2036-01-01T00:00:00Z'),
      spki: authority.spki,
      extensions: [
        extension('2.5.29.19', sequence(der(0x01, Buffer.from([255]))), true),
        extension('2.5.29.15', der(0x03, Buffer.from([1, 6])), true),
        extension('2.5.29.14', octets(authority.id.subarray(0, 20))),
      ],
    },
    authority,
  );

  /** A certificate for ten minutes, with the promise of the certificate log in it. */
  function leafFor({ uri, issuer }: Identity, key: KeyPair): Buffer {
    const leaf: Certificate = {
      serial: 2,
      issuer: authorityName,
      subject: sequence(),
      from: minutes(-1),
      to: minutes(9),
      spki: key.spki,
      extensions: [
        extension('2.5.29.15', der(0x03, Buffer.from([7, 0x80])), true),
        extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.3'))),
        extension('2.5.29.14', octets(key.id.subarray(0, 20))),
        extension('2.5.29.35', sequence(der(0x80, authority.id.subarray(0, 20)))),
        extension('2.5.29.17', sequence(der(0x86, Buffer.from(uri))), true),
        extension('1.3.6.1.4.1.57264.1.8', utf8(issuer)),
      ],
    };
    const stamp = uint(minutes(-1).getTime(), 8);
    const unsigned = tbsOf(leaf);
    const none = uint(0, 2);
    const signature = signedBy(
      certificateLog,
      Buffer.concat([Buffer.from([0, 0]), stamp, uint(1, 2), authority.id, uint(unsigned.length, 3), unsigned, none]),
    );
    const sct = Buffer.concat([
      Buffer.from([0]),
      certificateLog.id,
      stamp,
      none,
      Buffer.from([4, 3]),
      uint(signature.length, 2),
      signature,
    ]);
    const list = Buffer.concat([uint(sct.length + 2, 2), uint(sct.length, 2), sct]);
    const proved = { ...leaf, extensions: [...leaf.extensions, extension('1.3.6.1.4.1.11129.2.4.2', octets(list))] };
    return certificateOf(proved, authority);
  }

  /** What the log says of an entry: its promise, and that it is the second of two. */
  function logged(body: object) {
    const canonicalizedBody = Buffer.from(JSON.stringify(body));
    const integratedTime = signedAt.getTime() / 1000;
    const promise = Buffer.from(
      JSON.stringify({
        body: canonicalizedBody.toString('base64'),
        integratedTime,
        logID: signatureLog.id.toString('hex'),
        logIndex: 1,
      }),
    );
    const leafHash = (bytes: Uint8Array): Buffer => sha256(Buffer.from([0]), bytes);
    const first = leafHash(Buffer.from('the first entry'));
    const rootHash = sha256(Buffer.from([1]), first, leafHash(canonicalizedBody));
    const note = `private.example - 1\n2\n${rootHash.toString('base64')}\n`;
    const noteSignature = Buffer.concat([signatureLog.id.subarray(0, 4), signedBy(signatureLog, Buffer.from(note))]);
    return {
      canonicalizedBody,
      integratedTime,
      promise: signedBy(signatureLog, promise).toString('base64'),
      proof: {
        logIndex: '1',
        rootHash: rootHash.toString('base64'),
        treeSize: '2',
        hashes: [first.toString('base64')],
        checkpoint: { envelope: `${note}\n\u2014 private.example ${noteSignature.toString('base64')}\n` },
      },
    };
  }

  function bundleOf(certificate: Buffer, body: object, content: object): string {
    const { canonicalizedBody, integratedTime, promise, proof } = logged(body);
    const { kind, apiVersion: version } = body as { kind: string; apiVersion: string };
    return JSON.stringify({
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: {
        certificate: { rawBytes: certificate.toString('base64') },
        tlogEntries: [
          {
            logIndex: '1',
            logId: { keyId: signatureLog.id.toString('base64') },
            kindVersion: { kind, version },
            integratedTime: String(integratedTime),
            inclusionPromise: { signedEntryTimestamp: promise },
            inclusionProof: proof,
            canonicalizedBody: canonicalizedBody.toString('base64'),
          },
        ],
      },
      ...content,
    });
  }

  const hashed = (bytes: Uint8Array) => ({ algorithm: 'sha256', value: sha256(bytes).toString('hex') });
  const recordOf = (bytes: Uint8Array, signature: Buffer, certificate: Buffer) => ({
    apiVersion: '0.0.1',
    kind: 'hashedrekord',
    spec: {
      data: { hash: hashed(bytes) },
      signature: {
        content: signature.toString('base64'),
        publicKey: { content: Buffer.from(pem(certificate)).toString('base64') },
      },
    },
  });

  return {
    trustedRoot: trustedRootOf(root, certificateLog, signatureLog),
    signManifest(manifest, by) {
      const key = keyPair();
      const certificate = leafFor(by, key);
      const digest = { sha256: sha256(manifest).toString('hex') };
      const payload = Buffer.from(
        JSON.stringify({
          _type: 'https://in-toto.io/Statement/v1',
          subject: [{ digest }],
          predicateType: signPredicate,
          predicate: {},
        }),
      );
      const signature = signedBy(key, signedFormOf(statementType, payload)).toString('base64');
      const envelope = {
        payload: payload.toString('base64'),
        payloadType: statementType,
        signatures: [{ sig: signature }],
      };
      const logForm = { payloadType: statementType, payload: envelope.payload, signatures: [{ sig: signature }] };
      const body = {
        apiVersion: '0.0.1',
        kind: 'dsse',
        spec: {
          envelopeHash: hashed(Buffer.from(JSON.stringify(logForm))),
          payloadHash: hashed(payload),
          signatures: [{ signature, verifier: Buffer.from(pem(certificate)).toString('base64') }],
        },
      };
      return bundleOf(certificate, body, { dsseEnvelope: envelope });
    },
    signFile(bytes, by) {
      const key = keyPair();
      const certificate = leafFor(by, key);
      const signature = signedBy(key, bytes);
      return bundleOf(certificate, recordOf(bytes, signature, certificate), {
        messageSignature: {
          messageDigest: { algorithm: 'SHA2_256', digest: sha256(bytes).toString('base64') },
          signature: signature.toString('base64'),
        },
      });
    },
    signLegacy(manifest, by) {
      const key = keyPair();
      const certificate = leafFor(by, key);
      const digest = `sha256:${sha256(manifest).toString('hex')}`;
      const payload = Buffer.from(
        JSON.stringify({
          critical: {
            identity: { 'docker-reference': '' },
            image: { 'docker-manifest-digest': digest },
            type: 'cosign container image signature',
          },
          optional: null,
        }),
      );
      const signature = signedBy(key, payload);
      const { canonicalizedBody, integratedTime, promise } = logged(recordOf(payload, signature, certificate));
      const Payload = {
        body: canonicalizedBody.toString('base64'),
        integratedTime,
        logIndex: 1,
        logID: signatureLog.id.toString('hex'),
      };
      return {
        payload,
        annotations: {
          'dev.cosignproject.cosign/signature': signature.toString('base64'),
          'dev.sigstore.cosign/certificate': pem(certificate),
          'dev.sigstore.cosign/chain': pem(root),
          'dev.sigstore.cosign/bundle': JSON.stringify({ SignedEntryTimestamp: promise, Payload }),
        },
      };
    },
  };
}

function trustedRootOf(root: Buffer, certificateLog: KeyPair, signatureLog: KeyPair): string {
  const validFor = { start: started.toISOString() };
  const logOf = (url: string, key: KeyPair) => ({
    baseUrl: url,
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes: key.spki.toString('base64'), keyDetails: 'PKIX_ECDSA_P256_SHA_256', validFor },
    logId: { keyId: key.id.toString('base64') },
  });
  return JSON.stringify({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [logOf('https://private.example', signatureLog)],
    certificateAuthorities: [
      {
        subject: { organization: 'private.example', commonName: 'private-fulcio' },
        uri: 'https://private.example',
        certChain: { certificates: [{ rawBytes: root.toString('base64') }] },
        validFor,
      },
    ],
    ctlogs: [logOf('https://private.example/ct', certificateLog)],
  });
}
