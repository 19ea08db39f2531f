import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from '../../go/files.ts';
import { errnoOf } from '../../go/path-error.ts';
import { GoError } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { homeFolder } from '../../support/home.ts';
import { isKeybox, keyboxKeys } from './keybox.ts';
import { type OpenPgpKey, openPgp } from './openpgp.ts';

/**
 * The keys of a file in any of GnuPG's formats: a stream of packets (pubring.gpg, secring.gpg), a keybox (pubring.kbx),
 * or armored blocks. Go: provenance.loadKeyRing. Throws GoError.
 */
export async function readKeyring(path: string): Promise<readonly OpenPgpKey[]> {
  const data = readBytes(path);
  if (isKeybox(data)) return withPlace(`reading keybox ${path}`, () => binaryKeys(keyboxKeys(data)));
  const text = data.toString('latin1');
  if (text.trimStart().startsWith('-----BEGIN PGP'))
    return withPlace(`reading armored keyring ${path}`, () => armoredKeys(text));
  return binaryKeys(data);
}

async function withPlace<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof GoError) throw new GoError(`${place}: ${cause.message}`, { cause });
    throw cause;
  }
}

async function binaryKeys(data: Uint8Array): Promise<readonly OpenPgpKey[]> {
  if (data.length === 0) return [];
  if ((data[0] as number) < 0x80) throw new GoError('openpgp: invalid data: tag byte does not have MSB set');
  const { readKeys } = await openPgp();
  try {
    return await readKeys({ binaryKeys: data });
  } catch (cause) {
    throw new GoError(`openpgp: invalid data: ${messageOf(cause)}`, { cause });
  }
}

/** All blocks, one after another: `cat key1.asc key2.asc` is a keyring too. */
async function armoredKeys(text: string): Promise<readonly OpenPgpKey[]> {
  const { readKeys } = await openPgp();
  const keys: OpenPgpKey[] = [];
  for (const [block, type] of text.matchAll(/-----BEGIN (PGP [^-\n]*)-----[^]*?-----END \1-----/g)) {
    if (type !== 'PGP PUBLIC KEY BLOCK' && type !== 'PGP PRIVATE KEY BLOCK')
      throw new GoError(`expected a public or private key block, got "${type}"`);
    const read = await readKeys({ armoredKeys: block }).catch((cause: unknown) => {
      throw new GoError(`openpgp: invalid data: ${messageOf(cause)}`, { cause });
    });
    keys.push(...read);
  }
  if (keys.length === 0) throw new GoError('no keys found');
  return keys;
}

/** GnuPG's own keyring: the old file where there is one, else the keybox. Go: cmd.defaultKeyring. */
export function defaultKeyring(env: Readonly<Record<string, string | undefined>>): string {
  const folder = env['GNUPGHOME'] ?? join(homeFolder(env['HOME']), '.gnupg');
  const old = join(folder, 'pubring.gpg');
  const keybox = join(folder, 'pubring.kbx');
  return isAbsent(old) && !isAbsent(keybox) ? keybox : old;
}

/** A file that cannot be looked at counts as there: opening it tells why. */
function isAbsent(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return errnoOf(error) === 'ENOENT';
  }
}

/** `NAME (COMMENT) <EMAIL>` of each identity. */
export const identitiesOf = (key: OpenPgpKey): readonly string[] => key.getUserIDs();
