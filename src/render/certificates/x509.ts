import { createHash, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { isAscii } from '../../go/runes.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { GoError } from '../../go/value.ts';
import {
  bitString,
  context,
  type Der,
  type DerValue,
  derNull,
  derTime,
  derTrue,
  directoryString,
  implicitContext,
  integer,
  objectIdentifier,
  octetString,
  readDer,
  sequence,
  setOf,
} from './der.ts';
import { pemBlock } from './pem.ts';
import type { PrivateKey } from './private-key.ts';

/** What a certificate says of its subject. */
export interface CertificateTemplate {
  readonly serialNumber: Uint8Array;
  readonly commonName: string;
  /** Addresses as 4 or 16 bytes. */
  readonly ipAddresses: readonly Uint8Array[];
  readonly dnsNames: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isCa: boolean;
}

/** The one who signs: a certificate that was read, or the subject itself. */
export interface Issuer {
  /** The distinguished name in DER. */
  readonly name: Der;
  readonly keyId: Uint8Array | undefined;
  /** The public key as SubjectPublicKeyInfo; undefined where the subject signs for itself. */
  readonly publicKey: Uint8Array | undefined;
}

/**
 * A certificate in DER as crypto/x509.CreateCertificate makes it: for servers and clients, with the key identifiers,
 * names and critical marks that Go chooses. Without an issuer the subject signs itself. Throws GoError with Go's message.
 */
export function createCertificate(
  template: CertificateTemplate,
  subject: PrivateKey,
  signer: PrivateKey,
  issuer?: Issuer,
): Uint8Array {
  const signature = signatureOf(signer);
  const publicKey = publicKeyInfo(subject);
  const subjectName = distinguishedName(template.commonName);
  const issuerName = issuer?.name ?? subjectName;
  if (issuer?.publicKey !== undefined && !Buffer.from(issuer.publicKey).equals(publicKeyInfo(signer))) {
    throw new GoError("x509: provided PrivateKey doesn't match parent's PublicKey");
  }
  const authorityKeyId = Buffer.from(issuerName).equals(subjectName) ? undefined : issuer?.keyId;
  const content = sequence(
    context(0, integer(Uint8Array.of(2))),
    integer(template.serialNumber),
    signature.algorithm,
    issuerName,
    sequence(timeOf(template.notBefore), timeOf(template.notAfter)),
    subjectName,
    publicKey,
    context(3, sequence(...extensionsOf(template, publicKey, subjectName, authorityKeyId))),
  );
  return sequence(content, signature.algorithm, bitString(sign(signature.hash, content, signature.key)));
}

interface Signature {
  readonly key: KeyObject;
  readonly hash: 'sha256' | 'sha384' | 'sha512' | null;
  readonly algorithm: Der;
}

const ecHashes = { secp384r1: 'sha384', secp521r1: 'sha512' } as const;
const ecAlgorithms = { sha256: '1.2.840.10045.4.3.2', sha384: '1.2.840.10045.4.3.3', sha512: '1.2.840.10045.4.3.4' };

function signatureOf({ kind, key }: PrivateKey): Signature {
  if (key === undefined) throw new GoError('x509: certificate private key does not implement crypto.Signer');
  switch (kind) {
    case 'ec': {
      const hash = ecHashes[key.asymmetricKeyDetails?.namedCurve as keyof typeof ecHashes] ?? 'sha256';
      return { key, hash, algorithm: sequence(objectIdentifier(ecAlgorithms[hash])) };
    }
    case 'ed25519':
      return { key, hash: null, algorithm: sequence(objectIdentifier('1.3.101.112')) };
    default:
      return { key, hash: 'sha256', algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.11'), derNull) };
  }
}

function publicKeyInfo({ key }: PrivateKey): Buffer {
  if (key === undefined) throw new GoError('x509: unsupported public key type: *dsa.PublicKey');
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

const commonNameId = '2.5.4.3';

const distinguishedName = (commonName: string): Der =>
  commonName === ''
    ? sequence()
    : sequence(setOf(sequence(objectIdentifier(commonNameId), directoryString(commonName))));

function timeOf(time: Date): Der {
  const encoded = derTime(time);
  if (encoded === undefined) throw new GoError('asn1: structure error: cannot represent time as GeneralizedTime');
  return encoded;
}

const extension = (id: string, isCritical: boolean, value: Der): Der =>
  sequence(objectIdentifier(id), ...(isCritical ? [derTrue] : []), octetString(value));

const serverAuth = '1.3.6.1.5.5.7.3.1';
const clientAuth = '1.3.6.1.5.5.7.3.2';
const subjectKeyIdExtension = '2.5.29.14';

function extensionsOf(
  template: CertificateTemplate,
  publicKey: Uint8Array,
  subjectName: Der,
  authorityKeyId: Uint8Array | undefined,
): Der[] {
  const { isCa, dnsNames, ipAddresses } = template;
  const extensions = [
    extension('2.5.29.15', true, keyUsage(isCa)),
    extension('2.5.29.37', false, sequence(objectIdentifier(serverAuth), objectIdentifier(clientAuth))),
    extension('2.5.29.19', true, isCa ? sequence(derTrue) : sequence()),
  ];
  if (isCa) extensions.push(extension(subjectKeyIdExtension, false, octetString(keyIdOf(publicKey))));
  if (authorityKeyId !== undefined) {
    extensions.push(extension('2.5.29.35', false, sequence(implicitContext(0, authorityKeyId))));
  }
  if (dnsNames.length + ipAddresses.length > 0) {
    // The names are all there is of a subject without a name of its own.
    extensions.push(extension('2.5.29.17', subjectName.length === 2, alternativeNames(dnsNames, ipAddresses)));
  }
  return extensions;
}

/** digitalSignature (bit 0) and keyEncipherment (2); for an authority also keyCertSign (5). */
const keyUsage = (isCa: boolean): Der =>
  isCa ? bitString(Uint8Array.of(0b1010_0100), 2) : bitString(Uint8Array.of(0b1010_0000), 5);

/** The first 160 bits of the SHA-256 hash of the public key's bits (RFC 7093). */
function keyIdOf(publicKey: Uint8Array): Uint8Array {
  const [, bits] = membersOf(publicKey);
  return createHash('sha256')
    .update((bits as DerValue).content.subarray(1))
    .digest()
    .subarray(0, 20);
}

function alternativeNames(dnsNames: readonly string[], ipAddresses: readonly Uint8Array[]): Der {
  const names = dnsNames.map((name) => {
    if (!isAscii(name)) throw new GoError(`x509: ${quote(name)} cannot be encoded as an IA5String`);
    return implicitContext(2, Buffer.from(name));
  });
  return sequence(...names, ...ipAddresses.map((address) => implicitContext(7, address)));
}

/**
 * The issuer that a certificate in PEM stands for. Throws GoError `unable to decode certificate` where the text has
 * no PEM block, and with `prefix` where the block is no certificate.
 */
export function readIssuer(pem: string, prefix: string): Issuer {
  const block = pemBlock(pem);
  if (block === undefined) throw new GoError('unable to decode certificate');
  try {
    const publicKey = new X509Certificate(block.bytes).publicKey.export({ type: 'spki', format: 'der' });
    return { ...nameAndKeyId(block.bytes), publicKey };
  } catch (cause) {
    throw new GoError(`${prefix}: x509: malformed certificate`, { cause });
  }
}

/** Certificate := sequence(sequence([0] version, serial, algorithm, issuer, validity, subject, key, …, [3] extensions), …) */
function nameAndKeyId(certificate: Uint8Array): { name: Der; keyId: Uint8Array | undefined } {
  const [content] = membersOf(certificate);
  const fields = (readDer((content as DerValue).content) as DerValue[]).filter(({ tag }) => tag !== 0xa0);
  const extensions = fields.find(({ tag }) => tag === 0xa3);
  return { name: (fields[4] as DerValue).bytes, keyId: extensions && subjectKeyId(extensions) };
}

function subjectKeyId(extensions: DerValue): Uint8Array | undefined {
  const id = Buffer.from(objectIdentifier(subjectKeyIdExtension));
  for (const { bytes } of membersOf(extensions.content)) {
    const fields = membersOf(bytes);
    if (!id.equals((fields[0] as DerValue).bytes)) continue;
    return readDer((fields.at(-1) as DerValue).content)?.[0]?.content;
  }
  return undefined;
}

/** The values inside a value. */
function membersOf(bytes: Uint8Array): DerValue[] {
  const [outer] = readDer(bytes) as DerValue[];
  return readDer((outer as DerValue).content) as DerValue[];
}
