import type { DriftOptions } from '../../actions/options/readings.ts';
import type { FlagSpec } from '../../change/option-rows.ts';
import type { Request } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { saveFlags } from '../flags/saved-plan-flags.ts';

/** Only what is rendered is encrypted, and nothing is rendered here. */
const { 'encrypt-to': _recipients, 'passphrase-file': _passphrase, ...planFlags } = saveFlags;

/** The flags of `drift` that only the terminal knows. */
export const driftOwnFlags = {
  ...planFlags,
  fix: {
    type: 'bool',
    description:
      'show what would bring the drifted objects back to what the release says, ask, and do it; with --out, save it as a plan for tshelm apply',
  },
  yes: { type: 'bool', description: 'with --fix, do not ask' },
  ...outputFlag,
} satisfies Record<string, FlagSpec>;

export type DriftRequest = Request<DriftOptions, typeof driftOwnFlags>;
