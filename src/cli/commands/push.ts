import { Command } from 'commander';
import { serverFlags } from '../../actions/options/chart.ts';
import { type FlagRows, type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import type { ChartAccess } from '../../source/chart-access.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { offlineFlag } from '../flags/source-flags.ts';

const pushFlags = {
  ...serverFlags,
  'cert-file': {
    ...serverFlags['cert-file'],
    description: 'identify registry client using this SSL certificate file',
  },
  'insecure-skip-tls-verify': {
    ...serverFlags['insecure-skip-tls-verify'],
    description: 'skip tls certificate checks for the chart upload',
  },
  'key-file': { ...serverFlags['key-file'], description: 'identify registry client using this SSL key file' },
  'plain-http': {
    ...serverFlags['plain-http'],
    description: 'use insecure HTTP connections for the chart upload',
  },
} satisfies FlagRows<ChartAccess>;

const ownFlags = {
  ...offlineFlag,
  key: { type: 'string', description: 'with --sign=sigstore: the private key, such as cosign.key' },
  sign: {
    type: 'choice',
    placeholder: 'kind',
    choices: ['sigstore'],
    description:
      'sign the chart in the registry: "sigstore" attaches a signature that `cosign verify --key` accepts (no transparency log)',
  },
} satisfies Record<string, FlagSpec>;

const pushCommandFlags = { ...pushFlags, ...ownFlags };

export interface PushRequest {
  readonly archive: string;
  readonly target: string;
  readonly access: ChartAccess;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runPush): Command =>
  flagCommand(
    'push',
    pushCommandFlags,
    { usage: '[chart] [remote] [flags]', words: { atLeast: 2 } },
    async (words, flags) => {
      const [archive, target] = words as [string, string];
      await run({ archive, target, access: optionsOf(pushFlags, flags), flags }, context);
    },
  ).description('push a chart to remote');

async function runPush({ archive, target, access, flags }: PushRequest, context: CliContext): Promise<void> {
  const { sourcesOf } = await import('../sources/sources.ts');
  const { RegistryClient } = await import('../../source/oci/registry-client.ts');
  const { pushArchive } = await import('../../source/push-archive.ts');
  const { pushedText } = await import('../../source/oci/push.ts');
  const registry = new RegistryClient(await sourcesOf(flags, context).registryOptions(access));
  const sign = flags.sign === undefined ? undefined : await manifestSigner(flags, context);
  context.io.stdout.write(pushedText(await pushArchive(archive, target, registry, sign)));
}

async function manifestSigner(
  flags: PushRequest['flags'],
  context: CliContext,
): Promise<(bytes: Uint8Array) => string> {
  const { sigstoreKey } = await import('../sources/sigstore-key.ts');
  const { signManifest } = await import('../../sigstore/sign.ts');
  const key = await sigstoreKey(flags, context);
  return (manifest) => signManifest(manifest, key);
}
