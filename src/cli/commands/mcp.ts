import type { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { openerOf, openFlags, publicKeysOf } from '../flags/saved-plan-flags.ts';
import { offlineFlag } from '../flags/source-flags.ts';

const { 'verify-key': verifyKey, ...keyFlags } = openFlags;

const mcpFlags = {
  'release-key': {
    ...verifyKey,
    description:
      'offer the tool that applies plans, for plans released by one of the ed25519 keys whose public keys are in this file: PEM, or lines "ssh-ed25519 …" (can specify multiple)',
  },
  ...keyFlags,
  ...offlineFlag,
} satisfies Record<string, FlagSpec>;

export interface McpRequest {
  readonly flags: GivenFlags<typeof mcpFlags>;
}

export const command = (context: CliContext, run = runMcp): Command =>
  flagCommand('mcp', mcpFlags, { usage: '[flags]', words: { exactly: 0 } }, (_words, flags) =>
    run({ flags }, context),
  ).description('serve charts and releases to agents, by the Model Context Protocol on standard input and output');

/** Ends with its input, or at a signal. */
async function runMcp({ flags }: McpRequest, context: CliContext): Promise<void> {
  const { io, secrets } = context;
  const [releaseKeys, opener] = [await publicKeysOf('--release-key', flags.releaseKey, io), await openerOf(flags, io)];
  const { serve } = await import('../../mcp/serve.ts');
  const session = await context.open(flags, { isOffline: true });
  await serve({
    input: io.stdin(),
    write: (line) => io.stdout.write(line, 'data'),
    signal: context.interruption(),
    folder: io.cwd,
    cluster: () => session.cluster(),
    namespace: session.namespace,
    driver: session.settings.driver,
    environment: io.env,
    isOffline: flags.offline === true,
    secrets,
    ...(releaseKeys !== undefined && {
      applying: { releaseKeys, identities: opener.identities ?? [], passphrase: opener.passphrase },
    }),
  });
}
