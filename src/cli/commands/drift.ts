import { Command } from 'commander';
import { requireArguments } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import type { OutputFormat } from '../flag-option.ts';
import { addFlags, orderFlags, outputFlag } from '../flags.ts';
import type { GlobalFlags } from '../settings.ts';

export interface DriftFlags extends GlobalFlags {
  readonly concurrency: number;
  readonly exitCode?: boolean;
  readonly output: OutputFormat;
  readonly revision?: number;
  readonly showSecrets?: boolean;
}

export const driftCommand = (context: CliContext, run = runDrift): Command =>
  addFlags(new Command('drift'), {
    concurrency: orderFlags.concurrency,
    'exit-code': {
      type: 'bool',
      description: 'exit with code 2 when something has drifted, 0 when nothing has and 1 for a failure',
    },
    ...outputFlag,
    revision: { type: 'int', description: 'the revision to compare with (default the deployed one)' },
    'show-secrets': { type: 'bool', description: 'show what Secrets hold; without it only that a value differs' },
  })
    .description('show what in the cluster is not as a release left it, and who changed it')
    .argument('[release...]')
    .usage('RELEASE_NAME [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 1 });
      await run(words[0] as string, command.optsWithGlobals<DriftFlags>(), context);
    });

async function runDrift(name: string, flags: DriftFlags, context: CliContext): Promise<void> {
  const { drift, hasDrift } = await import('../../actions/drift.ts');
  const { revision, concurrency, showSecrets } = flags;
  const found = await drift({ name, revision, concurrency, showSecrets }, await context.open(flags));
  const { driftData, driftText } = await import('../output/drift-text.ts');
  const { formatted } = await import('../output/format.ts');
  context.io.stdout.write(
    flags.output === 'table' ? driftText(found) : formatted(driftData(found, hasDrift(found)), flags.output),
  );
  if (flags.exitCode && hasDrift(found)) context.endWith(2);
}
