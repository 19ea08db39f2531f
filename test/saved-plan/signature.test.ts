import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkSignature, signatureOf } from '../../src/saved-plan/signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const last32 = (key: KeyObject, type: 'pkcs8' | 'spki'): Buffer =>
  key.export({ format: 'der', type: type as 'spki' }).subarray(-32);

const field = (content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** Keys as OpenSSH writes them (PROTOCOL.key). */
const sshPublic = Buffer.concat([field('ssh-ed25519'), field(last32(publicKey, 'spki'))]);
function sshPrivate(cipher = 'none'): string {
  const secret = Buffer.concat([last32(privateKey, 'pkcs8'), last32(publicKey, 'spki')]);
  const inside = Buffer.concat([
    Buffer.alloc(8, 7),
    sshPublic,
    field(secret),
    field('ada@build'),
    Buffer.from([1, 2, 3]),
  ]);
  const one = Buffer.from([0, 0, 0, 1]);
  const head = [Buffer.from('openssh-key-v1\0'), field(cipher), field('none'), field(''), one, field(sshPublic)];
  const base64 = Buffer.concat([...head, field(inside)]).toString('base64');
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${base64.replace(/.{70}/g, '$&\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

const pem = {
  secret: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
  public: publicKey.export({ format: 'pem', type: 'spki' }) as string,
};
const line = `ssh-ed25519 ${sshPublic.toString('base64')} ada@build\n`;

test.each([
  ['PEM', pem.secret, pem.public],
  ['OpenSSH', sshPrivate(), line],
  ['OpenSSH beside PEM', sshPrivate(), pem.public],
  ['allowed_signers, among others', pem.secret, `# keys\nada@example.org ${line}\n`],
])('%s', (_name, secret, open) => {
  const signature = signatureOf('a plan', secret);
  checkSignature('a plan', signature, ['no key', open]);
  expect(() => checkSignature('another plan', signature, [open])).toThrow('changed after it was signed');
});

test.each([
  ['a passphrase', sshPrivate('aes256-ctr'), 'the key has a passphrase'],
  ['no key', 'ssh', 'the key is not readable'],
  ['a file that is cut', sshPrivate().slice(0, 90), 'the key is not readable'],
])('a key with %s', (_name, secret, why) => {
  expect(() => signatureOf('a plan', secret)).toThrow(why);
});

test('a file without a public key verifies nothing', () => {
  expect(() => checkSignature('a plan', 'AA==', [pem.secret])).toThrow('no ed25519 public key');
});
