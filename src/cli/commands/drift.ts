import { Command } from 'commander';
import type { DriftOptions } from '../../actions/drift.ts';
import { orderFlags } from '../../change/deploy/deploy-options.ts';
import { type FlagRows, type FlagSpec, type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { showSecretsFlag } from '../flags/diff-flags.ts';
import { addFlags, outputFlag } from '../flags/flags.ts';
import type { GlobalFlags } from '../settings.ts';
import { kindOf } from '../terminal/io.ts';

const optionFlags = {
  concurrency: orderFlags.concurrency,
  revision: {
    type: 'int',
    option: 'revision',
    description: 'the revision to compare with (default: the deployed one)',
  },
  'show-secrets': {
    ...showSecretsFlag['show-secrets'],
    description: 'show the values in Secrets; without it, only that they differ',
  },
} satisfies FlagRows<DriftOptions>;

const ownFlags = {
  'exit-code': {
    type: 'bool',
    description: 'exit with code 2 if something has drifted, 0 if nothing has, and 1 on failure',
  },
  ...outputFlag,
} satisfies Record<string, FlagSpec>;

const driftFlags = { ...optionFlags, ...ownFlags };

export interface DriftRequest {
  readonly options: DriftOptions;
  readonly flags: GlobalFlags & FlagsOf<typeof ownFlags>;
}

export const driftCommand = (context: CliContext, run = runDrift): Command =>
  addFlags(new Command('drift'), driftFlags)
    .description('show where the cluster no longer matches a release, and who changed it')
    .argument('[release...]')
    .usage('RELEASE_NAME [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 1 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof driftFlags>>();
      await run({ options: { ...optionsOf(optionFlags, flags), name: words[0] as string }, flags }, context);
    });

async function runDrift({ options, flags }: DriftRequest, context: CliContext): Promise<void> {
  const { drift } = await import('../../actions/drift.ts');
  const found = await drift(options, await context.open(flags));
  const { driftData, driftText } = await import('../../show/changes/drift-text.ts');
  const { formatted } = await import('../terminal/format.ts');
  context.io.stdout.write(
    flags.output === 'table' ? driftText(found) : formatted(driftData(found), flags.output),
    kindOf(flags.output),
  );
  if (flags.exitCode && found.isDrifted) context.endWith(2);
}
