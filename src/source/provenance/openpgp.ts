import type { Key, PrivateKey } from 'openpgp';
import { messageOf, TshelmError } from '../../support/errors.ts';

/** A key as a keyring has it, with its private part or without. */
export type OpenPgpKey = Key;
export type OpenPgpPrivateKey = PrivateKey;

/**
 * OpenPGP, which only signatures need. It is LGPL, so it is no part of the bundle but an optional package beside it.
 * Fails with `openpgp-missing`.
 */
export async function openPgp(): Promise<typeof import('openpgp')> {
  try {
    return await import('openpgp');
  } catch (cause) {
    throw new TshelmError('openpgp-missing', {
      message: `signatures need the npm package openpgp, which is not installed here: npm install openpgp (${messageOf(cause)})`,
      cause,
    });
  }
}
