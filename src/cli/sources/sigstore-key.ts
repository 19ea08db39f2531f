import type { SigningKey } from '../../sigstore/private-key.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { passphraseFrom } from './passphrase.ts';

/** The key that --key names; a password is that of COSIGN_PASSWORD, or comes as for PGP keys. Errors: `bad-flag`, `bad-sigstore-key`. */
export async function sigstoreKey(
  { key = '', passphraseFile }: { readonly key?: string | undefined; readonly passphraseFile?: string | undefined },
  context: CliContext,
): Promise<SigningKey> {
  if (key === '') {
    const message = '--sign=sigstore needs --key with a private key; `cosign generate-key-pair` makes cosign.key';
    throw new TshelmError('bad-flag', { message });
  }
  const { readPrivateKey } = await import('../../sigstore/private-key.ts');
  const given = passphraseFile ? undefined : context.io.env['COSIGN_PASSWORD'];
  if (given) context.secrets.add(given);
  return readPrivateKey(key, async () => given ?? passphraseFrom(passphraseFile, context)(key));
}
