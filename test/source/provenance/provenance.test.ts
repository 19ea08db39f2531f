import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import signed from '../../../fixtures/provenance/signed-by-helm.json' with { type: 'json' };
import { type AskPassphrase, openSigner, signingKey } from '../../../src/source/provenance/signer.ts';
import { verifyArchive } from '../../../src/source/provenance/verify.ts';

// An archive, its provenance file and the keyrings of Helm v4.3.1 and GnuPG.
const folder = mkdtempSync(join(tmpdir(), 'tshelm-'));
const at = (name: string): string => join(folder, name);
const signerFor = async (keyring: string, name: string, ask: AskPassphrase) =>
  openSigner(await signingKey(at(keyring), name), ask);
const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
const metadata = { apiVersion: 'v2', name: 'tiny', version: '1.2.3' };

beforeAll(() => {
  writeFileSync(at('tiny-1.2.3.tgz'), bytes(signed.archive));
  writeFileSync(at('tiny-1.2.3.tgz.prov'), signed.provenance);
  writeFileSync(at('public.gpg'), bytes(signed.publicRing));
  writeFileSync(at('secret.gpg'), bytes(signed.secretRing));
  writeFileSync(at('public.kbx'), bytes(signed.keybox));
  writeFileSync(at('empty.gpg'), '');
  writeFileSync(at('text.gpg'), 'no keys');
  writeFileSync(at('broken.kbx'), bytes(signed.keybox).subarray(0, 100));
});
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (keyring: string, provenance = 'tiny-1.2.3.tgz.prov', name = 'tiny-1.2.3.tgz') =>
  verifyArchive({ archive: at('tiny-1.2.3.tgz'), provenance: at(provenance), name, keyring: at(keyring) });

test.each(['public.gpg', 'public.kbx', 'secret.gpg'])('what Helm has signed is verified with %s', async (keyring) => {
  expect(await verify(keyring)).toMatchObject({
    identities: ['Jo Doe <jo@example.com>'],
    fingerprint: signed.fingerprint,
  });
});

test.each([
  ['a keyring without the key', 'empty.gpg', signed.provenance, 'openpgp: signature made by unknown entity'],
  [
    'a keyring that is none',
    'text.gpg',
    signed.provenance,
    'failed to load keyring: openpgp: invalid data: tag byte does not have MSB set',
  ],
  ['a broken keybox', 'broken.kbx', signed.provenance, 'exceeding the'],
  ['no keyring', 'none.gpg', signed.provenance, 'failed to load keyring: open'],
  [
    'a changed text',
    'public.gpg',
    signed.provenance.replace('version: 1', 'version: 2'),
    'openpgp: invalid signature: RSA verification failure',
  ],
  ['no signature', 'public.gpg', 'hello', 'signature block not found'],
])('%s verifies nothing', async (_what, keyring, provenance, message) => {
  writeFileSync(at('other.prov'), provenance);
  await expect(verify(keyring, 'other.prov')).rejects.toThrow(message);
});

test('an archive of another name, or with other content, is not what was signed', async () => {
  await expect(verify('public.gpg', undefined, 'other-1.2.3.tgz')).rejects.toThrow(
    'provenance does not contain a SHA for a file named "other-1.2.3.tgz"',
  );
  writeFileSync(at('changed.tgz'), 'changed');
  const changed = { archive: at('changed.tgz'), provenance: at('tiny-1.2.3.tgz.prov'), name: 'tiny-1.2.3.tgz' };
  await expect(verifyArchive({ ...changed, keyring: at('public.gpg') })).rejects.toThrow(
    'sha256 sum does not match for tiny-1.2.3.tgz',
  );
});

const neverAsked = async (): Promise<string> => {
  throw new Error('asked');
};

describe('signing', () => {
  test('gives the text that Helm gives, and a signature that holds', async () => {
    const signer = await signerFor('secret.gpg', 'Jo', neverAsked);
    const text = await signer.sign(bytes(signed.archive), 'tiny-1.2.3.tgz', metadata);
    const beforeSignature = (provenance: string): string => provenance.split('-----BEGIN PGP SIGNATURE')[0] as string;
    expect(beforeSignature(text)).toBe(beforeSignature(signed.provenance));
    writeFileSync(at('own.prov'), text);
    expect(await verify('public.gpg', 'own.prov')).toMatchObject({ fingerprint: signed.fingerprint });
  });

  test('unlocks a key with its passphrase', async () => {
    const asked: string[] = [];
    const signer = await signerFor('secret.gpg', 'Locked', async (name) => {
      asked.push(name);
      return 'open sesame';
    });
    writeFileSync(at('own.prov'), await signer.sign(bytes(signed.archive), 'tiny-1.2.3.tgz', metadata));
    expect(asked).toEqual(['Locked <locked@example.com>']);
    expect(await verify('public.gpg', 'own.prov')).toMatchObject({ identities: ['Locked <locked@example.com>'] });
  });

  test.each([
    ['a wrong passphrase', 'secret.gpg', 'Locked', 'openpgp: invalid data: private key checksum failure'],
    ['an unknown name', 'secret.gpg', 'Nobody', 'private key not found'],
    ['a name of two keys', 'secret.gpg', 'example.com', 'more than one key contain the id "example.com"'],
    ['a public key', 'public.gpg', 'Jo', 'provided key is not a private key. Try providing a keyring with secret keys'],
    ['no keyring', 'none.gpg', 'Jo', 'no such file or directory'],
  ])('%s fails', async (_what, keyring, name, message) => {
    await expect(signerFor(keyring, name, async () => 'wrong')).rejects.toThrow(message);
  });
});
