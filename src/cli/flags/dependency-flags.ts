import { serverFlags, signerFlags, trustPolicyFlag, verifyFlag } from '../../actions/options/chart.ts';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { GlobalFlags } from '../settings.ts';
import { unsignedOf } from './flags.ts';
import { offlineFlag } from './source-flags.ts';

export const listFlags = {
  'max-col-width': {
    type: 'choice',
    placeholder: 'uint',
    default: 80,
    parse: unsignedOf,
    description: 'maximum column width for output table',
  },
} satisfies Record<string, FlagSpec>;

export const buildFlags = {
  ...serverFlags,
  ...offlineFlag,
  keyring: { type: 'string', description: "keyring containing public keys (default: GnuPG's own)" },
  'skip-refresh': { type: 'bool', description: 'do not refresh the local repository cache' },
  ...signerFlags,
  ...trustPolicyFlag,
  verify: verifyFlag('verify the packages against signatures'),
} satisfies Record<string, FlagSpec>;

export const updateFlags = {
  ...buildFlags,
  recursive: {
    type: 'bool',
    description: 'first update the subcharts that are on this machine: file:// dependencies and folders in charts/',
  },
} satisfies Record<string, FlagSpec>;

interface Requested<Flags> {
  /** The chart's folder or archive. */
  readonly chart: string;
  readonly flags: GlobalFlags & Flags;
}

/** What each subcommand is asked for. */
export interface DependencyRequests {
  readonly build: Requested<FlagsOf<typeof buildFlags>>;
  readonly list: Requested<FlagsOf<typeof listFlags>>;
  readonly update: Requested<FlagsOf<typeof updateFlags>>;
}
