import { sprint } from '../../go/fmt/format.ts';
import { isIPv4, isIPv6 } from '../../go/ip-address.ts';
import { decodeText } from '../../go/text.ts';
import { GoError, GoObject, type Value } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { toPem } from '../certificates/pem.ts';
import { generateKey, type PrivateKey, parsePrivateKey, privateKeyOf } from '../certificates/private-key.ts';
import { createCertificate, type Issuer, readIssuer } from '../certificates/x509.ts';
import { decodeBase64 } from '../encoding/base64.ts';
import { hour } from './duration-object.ts';
import type { FunctionEnvironment } from './environment.ts';

/** What certificates take from the world: the time they begin at, and their serial numbers. */
export type CertificateEnvironment = Pick<FunctionEnvironment, 'now' | 'randomBytes' | 'rsaKey'>;

/** A certificate and its private key, both in PEM. */
class Certificate extends GoObject {
  override readonly goType = 'sprig.certificate';
  readonly cert: string;
  readonly key: string;

  constructor(cert: string, key: string) {
    super();
    this.cert = cert;
    this.key = key;
  }

  override hasField(name: string): boolean {
    return name === 'Cert' || name === 'Key';
  }
  override field(name: string): Value {
    return name === 'Cert' ? this.cert : this.key;
  }
  override fields(): readonly (readonly [string, Value])[] {
    return [
      ['Cert', this.cert],
      ['Key', this.key],
    ];
  }
}

/** sprig's certificates (crypto.go). Their keys are RSA with 2048 bits where none is given. */
export function certificateFunctions(environment: CertificateEnvironment): FunctionTable {
  const newKey = (): PrivateKey => {
    const ahead = environment.rsaKey?.();
    return ahead === undefined ? generateKey('rsa') : privateKeyOf(ahead);
  };
  const issue = (request: Request): Certificate => issueCertificate(environment, request);
  const authority = (commonName: string, days: number, key: PrivateKey): Certificate =>
    issue({ commonName, ips: [], dnsNames: [], days, key, isCa: true });
  const selfSigned = (
    commonName: string,
    ips: Value[],
    dnsNames: Value[],
    days: number,
    key: PrivateKey,
  ): Certificate => issue({ commonName, ips, dnsNames, days, key });
  return {
    buildCustomCert: goFunction('func(string, string) (sprig.certificate, error)', buildCustomCertificate),
    genCA: goFunction('func(string, int) (sprig.certificate, error)', (commonName: string, days: number) =>
      authority(commonName, days, newKey()),
    ),
    genCAWithKey: goFunction(
      'func(string, int, string) (sprig.certificate, error)',
      (commonName: string, days: number, pem: string) => authority(commonName, days, givenKey(pem)),
    ),
    genSelfSignedCert: goFunction(
      'func(string, []any, []any, int) (sprig.certificate, error)',
      (commonName: string, ips: Value[], dnsNames: Value[], days: number) =>
        selfSigned(commonName, ips, dnsNames, days, newKey()),
    ),
    genSelfSignedCertWithKey: goFunction(
      'func(string, []any, []any, int, string) (sprig.certificate, error)',
      (commonName: string, ips: Value[], dnsNames: Value[], days: number, pem: string) =>
        selfSigned(commonName, ips, dnsNames, days, givenKey(pem)),
    ),
    genSignedCert: goFunction(
      'func(string, []any, []any, int, sprig.certificate) (sprig.certificate, error)',
      (commonName: string, ips: Value[], dnsNames: Value[], days: number, ca: Certificate) =>
        issue({ commonName, ips, dnsNames, days, key: newKey(), ca }),
    ),
    genSignedCertWithKey: goFunction(
      'func(string, []any, []any, int, sprig.certificate, string) (sprig.certificate, error)',
      (commonName: string, ips: Value[], dnsNames: Value[], days: number, ca: Certificate, pem: string) =>
        issue({ commonName, ips, dnsNames, days, key: givenKey(pem), ca }),
    ),
  };
}

interface Request {
  readonly commonName: string;
  readonly ips: readonly Value[];
  readonly dnsNames: readonly Value[];
  readonly days: number;
  readonly key: PrivateKey;
  readonly isCa?: boolean;
  /** Who signs; without it the certificate signs itself. */
  readonly ca?: Certificate;
}

const serialNumberBytes = 16;

function issueCertificate(environment: CertificateEnvironment, request: Request): Certificate {
  const { key, ca } = request;
  const signer = ca === undefined ? { key } : signerOf(ca);
  const now = environment.now();
  const template = {
    serialNumber: environment.randomBytes(serialNumberBytes),
    commonName: request.commonName,
    ipAddresses: request.ips.map(ipAddress),
    dnsNames: request.dnsNames.map(dnsName),
    notBefore: now,
    notAfter: afterDays(now, request.days),
    isCa: request.isCa === true,
  };
  try {
    return new Certificate(toPem('CERTIFICATE', createCertificate(template, key, signer.key, signer.issuer)), key.pem);
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    throw new GoError(`error creating certificate: ${cause.message}`, { cause });
  }
}

const nanosecondsPerDay = 24n * hour;
const nanosecondsPerMs = 1_000_000n;

/** Go's time.Duration has 64 bits of nanoseconds: from 106,752 days (292 years) on it wraps around. */
function afterDays(start: Date, days: number): Date {
  const duration = BigInt.asIntN(64, BigInt(days) * nanosecondsPerDay);
  return new Date(Number((BigInt(start.getTime()) * nanosecondsPerMs + duration) / nanosecondsPerMs));
}

function signerOf(ca: Certificate): { key: PrivateKey; issuer?: Issuer } {
  const issuer = readIssuer(ca.cert, 'error parsing certificate: decodedSignerCert.Bytes');
  return { issuer, key: prefixed('error parsing private key', () => parsePrivateKey(ca.key)) };
}

const givenKey = (pem: string): PrivateKey => prefixed('parsing private key', () => parsePrivateKey(pem));

function prefixed<T>(prefix: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    throw new GoError(`${prefix}: ${cause.message}`, { cause });
  }
}

function dnsName(name: Value): string {
  if (typeof name === 'string') return name;
  throw new GoError(`error processing alternate dns name: ${sprint(name)} is not a string`);
}

function ipAddress(ip: Value): Uint8Array {
  if (typeof ip !== 'string') throw new GoError(`error parsing ip: ${sprint(ip)} is not a string`);
  if (isIPv4(ip)) return Uint8Array.from(ip.split('.'), Number);
  if (isIPv6(ip) && !ip.includes('%')) return ipv6Bytes(ip);
  throw new GoError(`error parsing ip: ${ip}`);
}

/** Sixteen bytes; four for an IPv4 address in IPv6's clothes. */
function ipv6Bytes(ip: string): Uint8Array {
  const [head = '', tail] = ip.split('::');
  const first = groups(head);
  const last = groups(tail ?? '');
  const all =
    tail === undefined ? first : [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  const bytes = Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  return isMapped ? bytes.subarray(12) : bytes;
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function buildCustomCertificate(base64Cert: string, base64Key: string): Certificate {
  const cert = decoded(base64Cert, 'certificate');
  const key = decoded(base64Key, 'private key');
  readIssuer(cert, 'error parsing certificate: decodedCert.Bytes');
  prefixed('error parsing private key', () => parsePrivateKey(key));
  return new Certificate(cert, key);
}

function decoded(base64: string, what: string): string {
  try {
    return decodeText(decodeBase64(base64));
  } catch (cause) {
    throw new GoError(`unable to decode base64 ${what}`, { cause });
  }
}
