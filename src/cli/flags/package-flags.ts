import { serverFlags, trustPolicyFlag, verifyOf } from '../../actions/options/chart.ts';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { GlobalFlags } from '../settings.ts';
import { offlineFlag } from './source-flags.ts';

export const packageFlags = {
  'app-version': { type: 'string', description: 'set the appVersion on the chart to this version' },
  ...serverFlags,
  ...offlineFlag,
  'dependency-update': {
    type: 'bool',
    short: 'u',
    description: 'update dependencies from "Chart.yaml" to dir "charts/" before packaging',
  },
  destination: { type: 'string', short: 'd', default: '.', description: 'location to write the chart.' },
  key: {
    type: 'string',
    description:
      'name of the key to use when signing. Used if --sign is true; with --sign=sigstore the file cosign.key',
  },
  keyring: { type: 'string', description: "location of a public keyring (default: GnuPG's own)" },
  'passphrase-file': {
    type: 'string',
    description:
      'location of a file which contains the passphrase for the signing key. Use "-" in order to read from stdin.',
  },
  sign: {
    type: 'choice',
    alone: 'true',
    placeholder: 'kind[=true]',
    choices: ['true', 'false', 'sigstore'],
    parse: verifyOf,
    description:
      'use a PGP private key to sign this package; "sigstore" writes the bundle ARCHIVE.sigstore.json, which `cosign verify-blob` reads',
  },
  ...trustPolicyFlag,
  version: { type: 'string', description: 'set the version on the chart to this semver version' },
} satisfies Record<string, FlagSpec>;

export interface PackageRequest {
  readonly paths: readonly string[];
  readonly flags: GlobalFlags & FlagsOf<typeof packageFlags>;
}
