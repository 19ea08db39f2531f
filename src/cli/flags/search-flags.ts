import { serverFlags } from '../../actions/options/chart.ts';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { GlobalFlags } from '../settings.ts';
import { outputFlag, unsignedOf } from './flags.ts';
import { offlineFlag } from './source-flags.ts';

export const shownFlags = {
  'fail-on-no-result': { type: 'bool', description: 'search fails if no results are found' },
  'max-col-width': {
    type: 'choice',
    placeholder: 'uint',
    default: 50,
    parse: unsignedOf,
    description: 'maximum column width for output table',
  },
  ...outputFlag,
} satisfies Record<string, FlagSpec>;

export const repoFlags = {
  devel: {
    type: 'bool',
    description:
      "use development versions (alpha, beta, and release candidate releases), too. Equivalent to version '>0.0.0-0'. If --version is set, this is ignored",
  },
  ...shownFlags,
  regexp: {
    type: 'bool',
    short: 'r',
    description: 'use regular expressions for searching repositories you have added',
  },
  version: {
    type: 'string',
    description: 'search using semantic versioning constraints on repositories you have added',
  },
  versions: {
    type: 'bool',
    short: 'l',
    description:
      'show the long listing, with each version of each chart on its own line, for repositories you have added',
  },
} satisfies Record<string, FlagSpec>;

export const hubFlags = {
  endpoint: { type: 'string', default: 'https://hub.helm.sh', description: 'Hub instance to query for charts' },
  'list-repo-url': { type: 'bool', description: 'print charts repository URL' },
  ...shownFlags,
} satisfies Record<string, FlagSpec>;

/** Of `search oci://…`, which lists the versions of one chart in a registry. */
export const registryFlags = {
  ...serverFlags,
  ...offlineFlag,
  ...shownFlags,
  version: { type: 'string', description: 'list only the versions that satisfy a constraint' },
} satisfies Record<string, FlagSpec>;

export interface SearchRequests {
  readonly registry: { readonly reference: string; readonly flags: GlobalFlags & FlagsOf<typeof registryFlags> };
  readonly repo: { readonly keywords: readonly string[]; readonly flags: GlobalFlags & FlagsOf<typeof repoFlags> };
  readonly hub: { readonly keywords: readonly string[]; readonly flags: GlobalFlags & FlagsOf<typeof hubFlags> };
}
