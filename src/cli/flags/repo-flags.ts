import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { GlobalFlags } from '../settings.ts';
import { outputFlag } from './flags.ts';
import { helm3Flags } from './helm3-flags.ts';
import { offlineFlag } from './source-flags.ts';

export const timeoutFlag = {
  timeout: {
    type: 'duration',
    default: 120_000,
    description: 'time to wait for the index file download to complete (default 2m0s)',
  },
} satisfies Record<string, FlagSpec>;

export const addFlagSpecs = {
  'allow-deprecated-repos': {
    type: 'bool',
    description:
      'by default, this command will not allow adding official repos that have been permanently deleted. This disables that behavior',
  },
  'ca-file': { type: 'string', description: 'verify certificates of HTTPS-enabled servers using this CA bundle' },
  'cert-file': { type: 'string', description: 'identify HTTPS client using this SSL certificate file' },
  'force-update': { type: 'bool', description: 'replace (overwrite) the repo if it already exists' },
  'insecure-skip-tls-verify': { type: 'bool', description: 'skip tls certificate checks for the repository' },
  'key-file': { type: 'string', description: 'identify HTTPS client using this SSL key file' },
  ...helm3Flags.repoAdd,
  ...offlineFlag,
  'pass-credentials': { type: 'bool', description: 'pass credentials to all domains' },
  password: { type: 'string', description: 'chart repository password' },
  'password-stdin': { type: 'bool', description: 'read chart repository password from stdin' },
  ...timeoutFlag,
  username: { type: 'string', description: 'chart repository username' },
} satisfies Record<string, FlagSpec>;

export const updateFlags = { ...helm3Flags.repoUpdate, ...offlineFlag, ...timeoutFlag } satisfies Record<
  string,
  FlagSpec
>;

export const indexFlags = {
  json: { type: 'bool', description: 'output in JSON format' },
  merge: { type: 'string', description: 'merge the generated index into the given index' },
  url: { type: 'string', description: 'url of chart repository' },
} satisfies Record<string, FlagSpec>;

export const listFlags = {
  'no-headers': { type: 'bool', description: 'suppress headers in the output' },
  ...outputFlag,
} satisfies Record<string, FlagSpec>;

/** What each subcommand is asked for. */
export interface RepoRequests {
  readonly add: {
    readonly name: string;
    readonly url: string;
    readonly flags: GlobalFlags & FlagsOf<typeof addFlagSpecs>;
  };
  readonly index: { readonly folder: string; readonly flags: GlobalFlags & FlagsOf<typeof indexFlags> };
  readonly list: { readonly flags: GlobalFlags & FlagsOf<typeof listFlags> };
  readonly remove: { readonly names: readonly string[]; readonly flags: GlobalFlags };
  readonly update: { readonly names: readonly string[]; readonly flags: GlobalFlags & FlagsOf<typeof updateFlags> };
}
