import type { ValueSources } from '../chart/value-options.ts';
import { mayBeEncrypted } from '../sops/may-be-encrypted.ts';
import type { SecretWords } from '../support/secret-words.ts';

export interface DecryptionSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Learns what was encrypted. */
  readonly secrets: SecretWords;
  /** Throws where no program may run for a file. Default: it may. */
  readonly checkProgram?: ((program: string) => void) | undefined;
}

/** What opens files of values that sops encrypted. Errors: `sops-key`, `sops-invalid`. */
export const decryption =
  ({ env, secrets, checkProgram }: DecryptionSettings): NonNullable<ValueSources['decrypt']> =>
  async (path, data, spelling) => {
    if (!mayBeEncrypted(data)) return undefined;
    const { decryptFile } = await import('../sops/decrypt.ts');
    return decryptFile(path, data, {
      env: { ...env },
      learn: (text) => secrets.addDecrypted(text),
      spelling,
      checkProgram,
    });
  };
