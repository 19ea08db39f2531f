import type { DriftOptions } from '../../actions/options/readings.ts';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import { TshelmError } from '../../support/errors.ts';
import type { Request } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { quietFlag } from '../flags/progress-flags.ts';
import { saveFlags } from '../flags/saved-plan-flags.ts';

/** Only what is rendered is encrypted, and nothing is rendered here. */
const { 'encrypt-to': _recipients, 'passphrase-file': _passphrase, ...planFlags } = saveFlags;

/** What brings drift back. */
export const fixFlags = {
  ...planFlags,
  fix: {
    type: 'bool',
    description:
      'show what would bring the drifted objects back to what the release says, ask, and do it; with --out, save it as a plan for tshelm apply',
  },
  yes: { type: 'bool', description: 'with --fix, do not ask' },
} satisfies Record<string, FlagSpec>;

export type FixFlags = FlagsOf<typeof fixFlags>;

/** The flags of `drift` that only the terminal knows. */
export const driftOwnFlags = { ...fixFlags, ...outputFlag, ...quietFlag } satisfies Record<string, FlagSpec>;

export type DriftRequest = Request<DriftOptions, typeof driftOwnFlags>;

/** Errors: `bad-flag` for what only a fix has a use for, and for two ways to end one. */
export function refuseIdleFixFlags({ fix, yes, out, signKey, quiet }: DriftRequest['flags']): void {
  const given = { '--out': out, '--sign-key': signKey, '--yes': yes };
  const idle = Object.entries(given).find(([, value]) => value !== undefined && value !== false);
  if (!fix && idle !== undefined) throw new TshelmError('bad-flag', { message: `${idle[0]} needs --fix` });
  if (fix && quiet && !yes && out === undefined)
    throw new TshelmError('bad-flag', { message: '--quiet asks nothing: add --yes to --fix, or --out FILE' });
  if (yes && out !== undefined)
    throw new TshelmError('bad-flag', { message: '--out saves the plan, and --yes carries it out: give one of them' });
}
