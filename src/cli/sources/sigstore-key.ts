import type { SigningKey } from '../../sigstore/private-key.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { passphraseFrom } from './passphrase.ts';

/** The key that --key names, with the password of COSIGN_PASSWORD or as for PGP keys. Errors: `bad-flag`, `bad-sigstore-key`. */
export async function sigstoreKey(
  { key = '', passphraseFile }: { readonly key?: string | undefined; readonly passphraseFile?: string | undefined },
  context: CliContext,
): Promise<SigningKey> {
  if (key === '') {
    const message = '--sign=sigstore needs --key with the file cosign.key; `cosign generate-key-pair` makes one';
    throw new TshelmError('bad-flag', { message });
  }
  const { readPrivateKey } = await import('../../sigstore/private-key.ts');
  const given = passphraseFile ? undefined : context.io.env['COSIGN_PASSWORD'];
  if (given) context.secrets.add(given);
  return readPrivateKey(key, given ?? (await passphraseFrom(passphraseFile, context)(key)));
}
