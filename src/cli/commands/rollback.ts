import { Command } from 'commander';
import { healthFlag } from '../../actions/options/health.ts';
import { type RollbackOptions, rollbackFlags } from '../../actions/options/rollback.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import { beforeRun, carryOut } from '../before-run.ts';
import type { CliContext } from '../context.ts';
import { readRevision } from '../flags/arguments.ts';
import { dryRunMode, refuseContradictions, refuseIdleHealth } from '../flags/chart-flags.ts';
import { reportFlag } from '../flags/failure-flags.ts';
import { flagCommand, type Request } from '../flags/flag-command.ts';
import { dryRunFlag } from '../flags/flags.ts';
import { helm3Flags } from '../flags/helm3-flags.ts';
import { keepQuiet, progressFlags, progressRequest, quietFlag } from '../flags/progress-flags.ts';
import { showsMoreThanHelm } from '../terminal/io.ts';

/** The flags of a rollback that only the terminal knows. */
export const rollbackTerminalFlags = {
  ...dryRunFlag,
  ...healthFlag,
  ...progressFlags,
  ...quietFlag,
  ...reportFlag,
} satisfies Record<string, FlagSpec>;

const flagsOfCommand = { ...rollbackFlags, ...rollbackTerminalFlags, ...helm3Flags.restart };

export const command = (context: CliContext, run = runRollback): Command =>
  flagCommand(
    'rollback',
    flagsOfCommand,
    { usage: '<RELEASE> [REVISION] [flags]', words: { atLeast: 1 } },
    async (words, flags) => {
      refuseContradictions(flags);
      const options: RollbackOptions = {
        ...optionsOf(rollbackFlags, flags),
        name: words[0] as string,
        revision: words[1] === undefined ? undefined : readRevision(words[1]),
        dryRun: dryRunMode(flags.dryRun, context.io),
      };
      await run({ options, flags }, context);
    },
  ).description('roll back a release to a previous revision');

async function runRollback(
  { options, flags }: Request<RollbackOptions, typeof rollbackTerminalFlags>,
  context: CliContext,
): Promise<void> {
  const { rollback } = await import('../../actions/rollback.ts');
  const { name } = options;
  keepQuiet(flags, context);
  refuseIdleHealth(flags.health, options.wait);
  const progress = progressRequest(flags, { isDryRun: options.dryRun !== 'none' });
  const run = { command: 'rollback', release: name, progress } as const;
  const session = await beforeRun(run, flags, context, () =>
    context.open(flags, { progress, health: flags.health, mayUndo: options.cleanupOnFail }),
  );
  const maxHistory = options.maxHistory ?? session.settings.maxHistory;
  await carryOut(run, flags, { session, context }, () => rollback({ ...options, maxHistory }, session));
  context.io.stdout.write('Rollback was a success! Happy Helming!\n');
  // Helm says so of a dry run too.
  if (options.dryRun !== 'none' && !flags.quiet && showsMoreThanHelm(context.io))
    context.io.stderr.write('dry run: nothing was changed\n');
}
