import type { ChartOptions, CrdMode } from '../../change/deploy/deploy-options.ts';
import type { FlagRows } from './flag-rows.ts';

/** The flags of install and upgrade that Helm does not have. */
export const recordFlags = {
  crds: {
    type: 'choice',
    option: 'crds',
    placeholder: 'string',
    parse: crdMode,
    description:
      'what to do with the CRDs of crds/: "skip", "create" the missing ones, or "upgrade" those that differ too, unless that would lose data (default: install creates and upgrade skips, like Helm)',
  },
  'trim-record': {
    type: 'bool',
    option: 'trimRecord',
    description: 'leave chart files that no template can read out of the release record',
  },
} satisfies FlagRows<ChartOptions>;

function crdMode(text: string): CrdMode {
  if (text === 'skip' || text === 'create' || text === 'upgrade') return text;
  throw new Error('must be one of: skip, create, upgrade');
}
