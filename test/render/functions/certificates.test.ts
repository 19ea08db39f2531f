import { checkPrimeSync, createDiffieHellman, createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { GoInt, type GoObject, goInt, type Value } from '../../../src/go/value.ts';
import { readDer } from '../../../src/render/certificates/der.ts';
import { pemBlock } from '../../../src/render/certificates/pem.ts';
import { cryptoFunctions } from '../../../src/render/functions/crypto.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const serial = Uint8Array.from({ length: 16 }, (_, index) => 0xf0 + index);
const functions = cryptoFunctions({ now: () => now, randomBytes: (count) => serial.subarray(0, count) });
const call = (name: string, ...args: Value[]): Value => functions[name]?.call(args);
const issue = (name: string, ...args: Value[]) => {
  const made = call(name, ...args) as GoObject;
  const pem = { cert: made.field('Cert') as string, key: made.field('Key') as string };
  return { made, ...pem, x509: new X509Certificate(pem.cert), privateKey: createPrivateKey(pem.key) };
};
const ecKey = call('genPrivateKey', 'ecdsa') as string;

/** The extensions that Go's crypto/x509 writes, as bytes of the DER certificate. */
const hasBytes = ({ x509 }: { x509: X509Certificate }, hex: string): boolean => x509.raw.toString('hex').includes(hex);
const isAuthority = '0603551d130101ff040530030101ff';
const isNoAuthority = '0603551d130101ff04023000';
const authorityUsage = '0603551d0f0101ff0404030202a4';
const serverUsage = '0603551d0f0101ff0404030205a0';
const serverAndClient = '0603551d2504163014' + '06082b06010505070301' + '06082b06010505070302';

describe('an authority', () => {
  const ca = issue('genCAWithKey', 'my ca', goInt(365), ecKey);

  test('signs itself, and says what it may do', () => {
    expect(ca.x509.verify(ca.x509.publicKey)).toBe(true);
    expect(ca.x509.ca).toBe(true);
    expect([ca.x509.subject, ca.x509.issuer]).toEqual(['CN=my ca', 'CN=my ca']);
    for (const part of [isAuthority, authorityUsage, serverAndClient]) expect(hasBytes(ca, part)).toBe(true);
  });

  test('is valid from now on for its days', () => {
    expect(new Date(ca.x509.validFrom)).toEqual(new Date('2026-01-02T03:04:05Z'));
    expect(new Date(ca.x509.validTo)).toEqual(new Date('2027-01-02T03:04:05Z'));
  });

  test('has a positive serial number of 128 bits', () =>
    expect(ca.x509.serialNumber).toBe('F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'));

  test('signs others, which name its key', () => {
    const names = ['foo.example.com', '*.bar.com'];
    const addresses = ['10.0.0.1', '2001:db8::1:2', '::ffff:1.2.3.4'];
    const cert = issue('genSignedCertWithKey', 'foo.example.com', addresses, names, goInt(90), ca.made, ecKey);
    expect(cert.x509.verify(ca.x509.publicKey)).toBe(true);
    expect(cert.x509.checkIssued(ca.x509)).toBe(true);
    expect(cert.x509.checkPrivateKey(cert.privateKey)).toBe(true);
    expect(cert.x509.subjectAltName).toBe(
      'DNS:foo.example.com, DNS:*.bar.com, IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:1:2, IP Address:1.2.3.4',
    );
    for (const part of [isNoAuthority, serverUsage, serverAndClient]) expect(hasBytes(cert, part)).toBe(true);
    const keyId = /0603551d0e04160414([0-9a-f]{40})/.exec(ca.x509.raw.toString('hex'))?.[1];
    expect(hasBytes(cert, `0603551d23041830168014${keyId}`)).toBe(true);
  });
});

test('a certificate without a common name marks its other names as critical', () => {
  const cert = issue('genSelfSignedCertWithKey', '', [], ['x.y'], goInt(1), ecKey);
  expect(hasBytes(cert, '0603551d110101ff04073005' + '8203' + Buffer.from('x.y').toString('hex'))).toBe(true);
});

test('a name beyond PrintableString is UTF-8', () => {
  const cert = issue('genCAWithKey', 'ü', goInt(1), ecKey);
  expect(hasBytes(cert, '06035504030c02c3bc')).toBe(true);
});

// Seen with Helm: its clock and ours are not the same, the wrapped duration is.
test.each([
  [3_650_000, '2081-12-11T10:16:32Z'],
  [365_000, '1856-03-26T03:54:58Z'],
])("a duration of %i days wraps around, as Go's does", (days, validTo) => {
  const { x509 } = issue('genCAWithKey', 'ca', goInt(days), ecKey);
  expect(new Date(x509.validTo)).toEqual(new Date(validTo));
});

test('a year from 2050 on is a GeneralizedTime', () => {
  const cert = issue('genCAWithKey', 'x', goInt(36_500), ecKey);
  expect(hasBytes(cert, `180f${Buffer.from('21251209030405Z').toString('hex')}`)).toBe(true);
});

test('keys come with the PEM names that Go gives them', () => {
  const rsa = issue('genSelfSignedCert', 'x', [], [], goInt(1));
  expect(rsa.privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  expect(rsa.x509.verify(rsa.x509.publicKey)).toBe(true);
  const ed25519 = call('genPrivateKey', 'ed25519') as string;
  const signed = issue('genCAWithKey', 'x', goInt(1), ed25519);
  expect(signed.x509.verify(signed.x509.publicKey)).toBe(true);
  expect([rsa.key, ecKey, ed25519].map((key) => pemBlock(key)?.type)).toEqual([
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'PRIVATE KEY',
  ]);
});

test("a DSA key is sprig's own sequence of version, P, Q, G, Y and X, and signs nothing", () => {
  const key = call('genPrivateKey', 'dsa') as string;
  const block = pemBlock(key);
  expect(block?.type).toBe('DSA PRIVATE KEY');
  expect(Buffer.from(block?.bytes ?? []).toString('hex')).toMatch(/^308203[0-9a-f]{2}020100028201/);
  const [outer] = readDer(block?.bytes ?? new Uint8Array()) ?? [];
  const numbers = readDer(outer?.content ?? new Uint8Array()) ?? [];
  const [, p = 0n, q = 1n, g = 0n, y, x = 0n] = numbers.map(({ content }) => bigOf(content));
  expect([p, q].map((prime) => [prime.toString(2).length, checkPrimeSync(prime)])).toEqual([
    [2048, true],
    [256, true],
  ]);
  expect((p - 1n) % q).toBe(0n);
  // node:crypto's own powers: of order q is what to the power of q + 1 is itself.
  expect(powerOf(g, q + 1n, p)).toBe(g);
  expect(powerOf(g, x, p)).toBe(y);
  expect(() => call('genCAWithKey', 'x', goInt(1), key)).toThrow(
    'error creating certificate: x509: certificate private key does not implement crypto.Signer',
  );
});

const bigOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const bytesOf = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(512, '0'), 'hex');
function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
  const exchange = createDiffieHellman(bytesOf(modulus), bytesOf(base));
  exchange.setPrivateKey(bytesOf(exponent));
  return bigOf(exchange.generateKeys());
}

test('a password is derived from a counter of 32 bits', () =>
  expect(call('derivePassword', new GoInt('uint32', 1n), 'long', 'password', 'user', 'example.com')).toBe(
    'ZedaFaxcZaso9*',
  ));
