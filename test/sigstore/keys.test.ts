import { generateKeyPairSync, getCurves, type KeyExportOptions } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readPrivateKey } from '../../src/sigstore/private-key.ts';
import { isSignedBy, readPublicKey } from '../../src/sigstore/public-key.ts';
import { signFile } from '../../src/sigstore/sign.ts';
import { privateSigstore } from './private-sigstore.ts';

// Of the keys here, test/e2e/source/sigstore.test.ts asks cosign which it verifies with.
const folder = mkdtempSync(join(tmpdir(), 'tshelm-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (text: string | Buffer): string => {
  writeFileSync(join(folder, 'key.pem'), text);
  return join(folder, 'key.pem');
};

const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const p256 = curve('P-256');
const p521 = curve('P-521');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
type Keys = ReturnType<typeof curve>;
const publicPem = (keys: Keys, type: 'spki' | 'pkcs1' = 'spki') => keys.publicKey.export({ type, format: 'pem' });
type Form = KeyExportOptions<'pem'>['type'];
const privatePem = ({ privateKey }: Keys, type: Form, passphrase?: string) =>
  privateKey.export({
    type,
    format: 'pem',
    ...(passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }),
  });

const { certificateAuthorities } = JSON.parse(privateSigstore().trustedRoot) as {
  certificateAuthorities: readonly { certChain: { certificates: readonly { rawBytes: string }[] } }[];
};
const certificate = `-----BEGIN CERTIFICATE-----\n${certificateAuthorities[0]?.certChain.certificates[0]?.rawBytes ?? ''}\n-----END CERTIFICATE-----\n`;

describe('a public key', () => {
  test.each([
    ['P-256', publicPem(p256)],
    ['P-384', publicPem(curve('P-384'))],
    ['P-521', publicPem(curve('P-521'))],
    ['RSA', publicPem(rsa)],
    ['RSA in PKCS #1', publicPem(rsa, 'pkcs1')],
    ['Ed25519', publicPem(ed25519)],
    ['with text around it', `a key\n${publicPem(p256)}the end\n`],
  ])('%s is read', (_name, text) => expect(readPublicKey(write(text)).type).toBe('public'));

  test.each([
    ['a private key', privatePem(p256, 'pkcs8'), 'is a private key'],
    ['a private key of OpenSSL', privatePem(p256, 'sec1'), 'is a private key'],
    ['a certificate', certificate, 'is a certificate'],
    ['DER', p256.publicKey.export({ type: 'spki', format: 'der' }), 'is not a public key in PEM'],
    ['a key of SSH', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE jo@example.com\n', 'is not a public key in PEM'],
    ['one that is cut off', publicPem(p256).slice(0, 60), 'is not a public key in PEM'],
    ['another type', publicPem(generateKeyPairSync('x25519')), 'is of the type x25519'],
    ['nothing', '', 'is not a public key in PEM'],
  ])('%s is refused', (_name, text, reason) => expectRefusal(text, reason));

  // The crypto library of the executables knows no such curve.
  test.runIf(getCurves().includes('secp256k1'))('another curve is refused', () =>
    expectRefusal(publicPem(curve('secp256k1')), 'is of the type secp256k1'),
  );

  function expectRefusal(text: string | Buffer, reason: string): void {
    const path = write(text);
    expect(() => readPublicKey(path)).toThrow(
      expect.objectContaining({ code: 'bad-sigstore-key', message: expect.stringContaining(`${path} ${reason}`) }),
    );
  }
});

describe('a private key', () => {
  const never = async (): Promise<string> => {
    throw new Error('asked for a password');
  };
  const secret = async (): Promise<string> => 'secret';

  test.each([
    ['PKCS #8', p256, privatePem(p256, 'pkcs8'), never],
    ['SEC 1', p256, privatePem(p256, 'sec1'), never],
    ['P-521', p521, privatePem(p521, 'sec1'), never],
    ['PKCS #1', rsa, privatePem(rsa, 'pkcs1'), never],
    ['Ed25519', ed25519, privatePem(ed25519, 'pkcs8'), never],
    ['PKCS #8 with a password', p256, privatePem(p256, 'pkcs8', 'secret'), secret],
    ['SEC 1 with a password', p256, privatePem(p256, 'sec1', 'secret'), secret],
  ])('%s signs', async (_name, { publicKey }, text, passwordOf) => {
    const content = Buffer.from('content');
    const bundle = signFile(content, await readPrivateKey(write(text), passwordOf));
    const { messageSignature } = JSON.parse(bundle) as { messageSignature: { signature: string } };
    expect(isSignedBy(publicKey, { data: content, signature: Buffer.from(messageSignature.signature, 'base64') })).toBe(
      true,
    );
  });

  test.each([
    ['a wrong password', privatePem(p256, 'pkcs8', 'other'), 'the password is wrong'],
    ['a public key', publicPem(p256), 'it is not a private key in PEM'],
    ['one that is cut off', privatePem(p256, 'pkcs8').slice(0, 60), 'it is not a private key in PEM'],
    ['another type', privatePem(generateKeyPairSync('x25519'), 'pkcs8'), 'keys of the type x25519 are not supported'],
  ])('%s is refused', async (_name, text, reason) => {
    const path = write(text);
    await expect(readPrivateKey(path, secret)).rejects.toMatchObject({
      code: 'bad-sigstore-key',
      message: `the private key ${path} cannot be used: ${reason}${reason.endsWith('wrong') ? ' (COSIGN_PASSWORD)' : ''}`,
    });
  });
});
