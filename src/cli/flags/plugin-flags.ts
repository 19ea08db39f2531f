import { serverFlags, signerFlags, trustPolicyFlag, verifyFlag } from '../../actions/options/chart.ts';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { GlobalFlags } from '../settings.ts';

export const pluginInstallFlags = {
  ...serverFlags,
  keyring: {
    type: 'string',
    description: "location of public keys used for verification (default: GnuPG's own)",
  },
  ...signerFlags,
  ...trustPolicyFlag,
  verify: { ...verifyFlag('verify the plugin signature before installing (default true)'), default: true },
  version: {
    type: 'string',
    description: 'specify a version constraint. If this is not specified, the latest version is installed',
  },
} satisfies Record<string, FlagSpec>;

export type InstallFlags = GlobalFlags & FlagsOf<typeof pluginInstallFlags>;

export const pluginPackageFlags = {
  destination: { type: 'string', short: 'd', default: '.', description: 'location to write the plugin tarball.' },
  key: { type: 'string', description: 'name of the key to use when signing. Used if --sign is true' },
  keyring: { type: 'string', description: "location of a public keyring (default: GnuPG's own)" },
  'passphrase-file': {
    type: 'string',
    description: 'location of a file which contains the passphrase for the signing key. Use "-" to read from stdin.',
  },
  sign: {
    type: 'bool',
    default: true,
    description: 'use a PGP private key to sign this plugin (default true)',
  },
} satisfies Record<string, FlagSpec>;

export const pluginVerifyFlags = {
  ...signerFlags,
  verify: verifyFlag('how the signature is checked: "true" by PGP'),
  keyring: { type: 'string', description: "keyring containing public keys (default: GnuPG's own)" },
} satisfies Record<string, FlagSpec>;

export interface PluginPackageRequest {
  readonly path: string;
  readonly flags: GlobalFlags & FlagsOf<typeof pluginPackageFlags>;
}

export interface PluginVerifyRequest {
  readonly path: string;
  readonly flags: GlobalFlags & FlagsOf<typeof pluginVerifyFlags>;
}
