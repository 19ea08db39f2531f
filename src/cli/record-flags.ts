import type { CrdMode } from '../actions/deploy/deploy-options.ts';
import { TshelmError } from '../support/errors.ts';
import type { FlagSpec } from './flag-option.ts';

/** The flags of install and upgrade that Helm does not have. */
export interface RecordFlags {
  readonly crds?: CrdMode;
  readonly skipCrds?: boolean;
  readonly trimRecord?: boolean;
}

export const recordFlags = {
  crds: {
    type: 'choice',
    placeholder: 'string',
    parse: crdMode,
    description:
      'what to do with the CRDs of crds/: "skip", "create" those that are missing, or "upgrade" those that differ too, unless that would lose data (default: install creates, upgrade skips, as Helm)',
  },
  'trim-record': {
    type: 'bool',
    description: 'leave the files of the chart that no template can read out of the release record',
  },
} satisfies Record<string, FlagSpec>;

function crdMode(text: string): CrdMode {
  if (text === 'skip' || text === 'create' || text === 'upgrade') return text;
  throw new Error('must be one of: skip, create, upgrade');
}

/** The flags as options of the actions. Errors: `bad-flag`. */
export function recordOptions({ crds, skipCrds, trimRecord }: RecordFlags) {
  if (skipCrds && crds !== undefined && crds !== 'skip') {
    throw new TshelmError('bad-flag', { message: `--skip-crds and --crds=${crds} exclude each other` });
  }
  return { crds, trimRecord };
}
