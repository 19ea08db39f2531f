import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { Key, Opener } from '../../saved-plan/seal.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { linesOf } from '../../support/text.ts';
import type { Io } from '../terminal/io.ts';
import { exitCodeFlags } from './exit-code-flags.ts';

const passphraseFlag = {
  'passphrase-file': {
    type: 'string',
    placeholder: 'file',
    description: 'file whose first line is the passphrase of the plan',
  },
} satisfies Record<string, FlagSpec>;

const week = 7 * 24 * 60 * 60 * 1000;

/** What is saved of a plan, and for whom. */
export const saveFlags = {
  out: {
    type: 'string',
    placeholder: 'file',
    description: 'save the plan to this file, readable only by you; tshelm apply carries it out',
  },
  'encrypt-to': {
    type: 'stringArray',
    placeholder: 'recipient',
    description:
      'keep the rendered manifests, secrets included, in the plan, encrypted for this age recipient (can specify multiple); without it the plan holds no secrets and apply renders again',
  },
  'expires-in': {
    type: 'duration',
    default: week,
    description: 'how long the plan stays valid (default 168h0m0s)',
  },
  ...exitCodeFlags,
  'sign-key': {
    type: 'string',
    placeholder: 'file',
    description:
      'sign the plan with this ed25519 private key (PEM or OpenSSH format), so that apply --verify-key can check it',
  },
  ...passphraseFlag,
} satisfies Record<string, FlagSpec>;

/** What is saved of a plan that renders nothing. */
export const saveMoveFlags = {
  out: {
    ...saveFlags.out,
    description: 'save what would be changed as a plan, and change nothing; tshelm apply carries it out',
  },
  'expires-in': saveFlags['expires-in'],
  'sign-key': saveFlags['sign-key'],
} satisfies Record<string, FlagSpec>;

export const verifyFlag = {
  'verify-key': {
    type: 'stringArray',
    placeholder: 'file',
    description:
      'refuse the plan unless its signature verifies with an ed25519 public key in this file: PEM, or lines "ssh-ed25519 …" (can specify multiple)',
  },
} satisfies Record<string, FlagSpec>;

/** How an encrypted plan is opened. */
export const openFlags = {
  identity: {
    type: 'stringArray',
    placeholder: 'file',
    description: 'file with age identities that decrypt the plan (can specify multiple)',
  },
  ...passphraseFlag,
  ...verifyFlag,
} satisfies Record<string, FlagSpec>;

/** The texts of the public keys that may have signed a plan. Errors: `bad-flag`. */
export const verifyKeysOf = (
  { verifyKey }: FlagsOf<typeof verifyFlag>,
  io: Io,
): Promise<readonly string[] | undefined> => publicKeysOf('--verify-key', verifyKey, io);

/** The texts of the files that a flag names; undefined where it names none. Errors: `bad-flag`. */
export const publicKeysOf = async (
  flag: string,
  paths: readonly string[] | undefined,
  io: Io,
): Promise<readonly string[] | undefined> =>
  paths === undefined || paths.length === 0 ? undefined : Promise.all(paths.map((path) => secretFile(flag, path, io)));

/** Errors: `bad-flag`. */
export const signKeyOf = async (
  { signKey }: Pick<FlagsOf<typeof saveFlags>, 'signKey'>,
  io: Io,
): Promise<string | undefined> => (signKey === undefined ? undefined : secretFile('--sign-key', signKey, io));

/** Errors: `bad-flag`. */
export async function keyOf(
  { encryptTo = [], passphraseFile, signKey, out }: FlagsOf<typeof saveFlags>,
  io: Io,
): Promise<Key | undefined> {
  const isKept = encryptTo.length > 0 || passphraseFile !== undefined;
  if (out === undefined && isKept)
    throw new TshelmError('bad-flag', { message: 'only a saved plan is encrypted; add --out FILE' });
  if (out === undefined && signKey !== undefined)
    throw new TshelmError('bad-flag', { message: 'only a saved plan is signed; add --out FILE' });
  if (encryptTo.length > 0 && passphraseFile !== undefined)
    throw new TshelmError('bad-flag', { message: '--encrypt-to and --passphrase-file cannot be used together' });
  if (encryptTo.length > 0) return { kind: 'recipients', recipients: encryptTo };
  if (passphraseFile === undefined) return undefined;
  return { kind: 'passphrase', passphrase: await passphraseIn(passphraseFile, io) };
}

/** Errors: `bad-flag`. */
export async function openerOf({ identity = [], passphraseFile }: FlagsOf<typeof openFlags>, io: Io): Promise<Opener> {
  const texts = await Promise.all(identity.map((path) => secretFile('--identity', path, io)));
  const identities = texts.flatMap((text) => text.split('\n').map((line) => line.trim()));
  return {
    identities: identities.filter((line) => line !== '' && !line.startsWith('#')),
    passphrase: passphraseFile === undefined ? undefined : await passphraseIn(passphraseFile, io),
  };
}

async function passphraseIn(path: string, io: Io): Promise<string> {
  const [line = ''] = linesOf(await secretFile('--passphrase-file', path, io));
  if (line !== '') return line;
  throw new TshelmError('bad-flag', { message: `--passphrase-file ${path}: its first line is empty` });
}

async function secretFile(flag: string, path: string, io: Io): Promise<string> {
  try {
    if (path === '-') return Buffer.from(await io.readStdin()).toString('utf8');
    return await readFile(resolve(io.cwd, path), 'utf8');
  } catch (cause) {
    throw new TshelmError('bad-flag', { message: `${flag} ${path}: ${messageOf(cause)}`, cause });
  }
}
