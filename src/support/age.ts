import { armor, Decrypter, Encrypter } from 'age-encryption';
import { messageOf, TshelmError } from './errors.ts';

/** A text as an armored age file, for recipients (`age1…`) or, without any, for a passphrase. Errors: `plan-key`. */
export async function ageEncrypt(
  text: string,
  { recipients = [], passphrase }: { recipients?: readonly string[]; passphrase?: string | undefined },
): Promise<string> {
  const encrypter = new Encrypter();
  try {
    for (const recipient of recipients) encrypter.addRecipient(recipient);
    if (passphrase !== undefined) encrypter.setPassphrase(passphrase);
    return armor.encode(await encrypter.encrypt(text));
  } catch (cause) {
    throw new TshelmError('plan-key', { message: `the plan cannot be encrypted: ${messageOf(cause)}`, cause });
  }
}

/** Errors: `plan-key` where no identity (`AGE-SECRET-KEY-1…`) and no passphrase fits, or the text was changed. */
export async function ageDecrypt(
  text: string,
  { identities = [], passphrase }: { identities?: readonly string[]; passphrase?: string | undefined },
): Promise<string> {
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
    return await decrypter.decrypt(armor.decode(text), 'text');
  } catch (cause) {
    throw new TshelmError('plan-key', { message: `the plan cannot be decrypted: ${messageOf(cause)}`, cause });
  }
}

/** What an armored age file holds; undefined where none of the identities opens it. Throws for an identity that is none. */
export async function ageOpen(identities: readonly string[], armored: string): Promise<Uint8Array | undefined> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return await decrypter.decrypt(armor.decode(armored));
  } catch {
    // The package has one error for all: it is for somebody else, or was changed.
    return undefined;
  }
}
