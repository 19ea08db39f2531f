import type { ChartMetadata } from '../../chart/types.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { identitiesOf, readKeyring } from './keyring.ts';
import { describedText, provenanceText } from './message.ts';
import { type OpenPgpKey, openPgp, type OpenPgpPrivateKey as PrivateKey } from './openpgp.ts';

/** Signs archives with one key. */
export interface Signer {
  /** The text of `NAME.prov`. */
  sign(archive: Uint8Array, name: string, metadata: ChartMetadata): Promise<string>;
  /** The same of an archive that is no chart; YAML describes it. */
  signDescribed(archive: Uint8Array, name: string, description: string): Promise<string>;
}

/** Gets the passphrase of a key, which is named by its owner. */
export type AskPassphrase = (name: string) => Promise<string>;

/**
 * The key of a keyring that an identity names, whole or by a part of it; undefined where there is none. Go:
 * provenance.NewFromKeyring. Fails with `signing-failed`.
 */
export async function signingKey(keyring: string, identity: string): Promise<OpenPgpKey | undefined> {
  const keys = await readKeyring(keyring).catch((cause: unknown) => {
    throw failed(messageOf(cause), cause);
  });
  if (identity === '') return undefined;
  const exact = keys.find((key) => identitiesOf(key).includes(identity));
  const near = keys.flatMap((key) => identitiesOf(key).flatMap((name) => (name.includes(identity) ? [key] : [])));
  if (exact === undefined && near.length > 1)
    throw failed(`more than one key contain the id ${JSON.stringify(identity)}`);
  return exact ?? near[0];
}

/** What signs with a key; a locked one is unlocked with the passphrase. Go: DecryptKey. Fails with `signing-failed`. */
export async function openSigner(chosen: OpenPgpKey | undefined, askPassphrase: AskPassphrase): Promise<Signer> {
  if (chosen === undefined) throw failed('private key not found');
  if (!chosen.isPrivate()) throw failed('provided key is not a private key. Try providing a keyring with secret keys');
  const key = await unlocked(chosen as PrivateKey, askPassphrase);
  return {
    sign: (archive, name, metadata) => clearSigned(provenanceText(archive, name, metadata), key),
    signDescribed: (archive, name, description) => clearSigned(describedText(archive, name, description), key),
  };
}

async function unlocked(key: PrivateKey, askPassphrase: AskPassphrase): Promise<PrivateKey> {
  if (key.isDecrypted()) return key;
  const passphrase = await askPassphrase(identitiesOf(key)[0] ?? 'Unknown');
  const { decryptKey } = await openPgp();
  try {
    return await decryptKey({ privateKey: key, passphrase });
  } catch (cause) {
    throw failed('openpgp: invalid data: private key checksum failure', cause);
  }
}

/** With the primary key, as Helm does, where that may sign. */
async function clearSigned(text: string, key: PrivateKey): Promise<string> {
  const { createCleartextMessage, sign, enums } = await openPgp();
  const message = await createCleartextMessage({ text });
  const config = { preferredHashAlgorithm: enums.hash.sha512, showVersion: false, showComment: false };
  const primary = { message, signingKeys: key, signingKeyIDs: [key.getKeyID()], config };
  try {
    // Otherwise with a subkey; why that fails is reported.
    const text = await sign(primary).catch(() => sign({ message, signingKeys: key, config }));
    // Line breaks count for nothing in the signature; Helm writes them so.
    return text.replaceAll('\r\n', '\n');
  } catch (cause) {
    throw failed(`failed to either sign or armor message block: ${messageOf(cause)}`, cause);
  }
}

const failed = (message: string, cause?: unknown): TshelmError => new TshelmError('signing-failed', { message, cause });
