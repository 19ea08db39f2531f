import { TshelmError } from '../support/errors.ts';

/** For whom a plan is encrypted: age recipients, or who knows the passphrase. */
export type Key =
  | { readonly kind: 'recipients'; readonly recipients: readonly string[] }
  | { readonly kind: 'passphrase'; readonly passphrase: string };

/** What opens it. */
export interface Opener {
  /** Lines of age identity files: `AGE-SECRET-KEY-1…`. */
  readonly identities?: readonly string[] | undefined;
  readonly passphrase?: string | undefined;
}

/** Errors: `plan-key`. */
export async function seal(text: string, key: Key): Promise<string> {
  const { ageEncrypt } = await import('../support/age.ts');
  return ageEncrypt(text, key.kind === 'recipients' ? { recipients: key.recipients } : { passphrase: key.passphrase });
}

/** Errors: `plan-key`. */
export async function unseal(sealed: string, { identities = [], passphrase }: Opener): Promise<string> {
  if (identities.length === 0 && passphrase === undefined) {
    throw new TshelmError('plan-key', {
      message: 'the plan is encrypted, and neither an identity nor a passphrase was given',
      details: {
        remedies: [
          { kind: 'set-option', option: 'identities' },
          { kind: 'set-option', option: 'passphrase' },
        ],
      },
    });
  }
  const { ageDecrypt } = await import('../support/age.ts');
  return ageDecrypt(sealed, { identities, passphrase });
}
