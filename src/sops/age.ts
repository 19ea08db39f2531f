import { armor, Decrypter } from 'age-encryption';

/** What an armored age file holds; undefined where none of the identities opens it. Throws for an identity that is none. */
export async function openWith(identities: readonly string[], armored: string): Promise<Uint8Array | undefined> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return await decrypter.decrypt(armor.decode(armored));
  } catch {
    // The package has one error for all: it is for somebody else, or was changed.
    return undefined;
  }
}
