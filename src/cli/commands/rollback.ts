import { Command } from 'commander';
import type { RollbackOptions } from '../../actions/rollback.ts';
import { beforeRun } from '../before-run.ts';
import type { CliContext } from '../context.ts';
import { readRevision, requireArguments } from '../flags/arguments.ts';
import { chartFlags, dryRunMode, refuseContradictions } from '../flags/chart-flags.ts';
import { failureFlags, reportFlag } from '../flags/failure-flags.ts';
import type { FlagSpec } from '../flags/flag-option.ts';
import { type FlagRows, type FlagsOf, optionsOf } from '../flags/flag-rows.ts';
import {
  addFlags,
  dryRunFlag,
  lockFlags,
  orderFlags,
  preflightFlag,
  strictPlanFlag,
  timeoutFlag,
  waitFlag,
} from '../flags/flags.ts';
import { helm3Flags } from '../flags/helm3-flags.ts';
import { progressFlags, progressRequest } from '../flags/progress-flags.ts';
import { historyMaxFlag, serverSideFlag } from '../flags/revision-flags.ts';
import type { GlobalFlags } from '../settings.ts';

/** The flags that are a rollback's options; diff has them too. */
export const rollbackFlags = {
  'cleanup-on-fail': {
    type: 'bool',
    option: 'cleanupOnFail',
    description: 'allow deletion of new resources created in this rollback when rollback fails',
  },
  description: {
    type: 'string',
    option: 'description',
    description: 'add a custom description for the rollback (max 256 characters)',
  },
  ...failureFlags,
  force: chartFlags.force,
  'force-conflicts': chartFlags['force-conflicts'],
  'force-replace': chartFlags['force-replace'],
  ...historyMaxFlag,
  ...lockFlags,
  'no-hooks': { type: 'bool', option: 'noHooks', description: 'prevent hooks from running during rollback' },
  ...orderFlags,
  ...serverSideFlag,
  ...preflightFlag,
  ...strictPlanFlag,
  ...timeoutFlag,
  ...waitFlag,
  'wait-for-jobs': chartFlags['wait-for-jobs'],
} satisfies FlagRows<RollbackOptions>;

/** The flags of a rollback that only the terminal knows. */
export const rollbackTerminalFlags = { ...dryRunFlag, ...progressFlags, ...reportFlag } satisfies Record<
  string,
  FlagSpec
>;

const flagsOfCommand = { ...rollbackFlags, ...rollbackTerminalFlags, ...helm3Flags.restart };

export interface RollbackRequest {
  readonly options: RollbackOptions;
  readonly flags: GlobalFlags & FlagsOf<typeof rollbackTerminalFlags>;
}

export const rollbackCommand = (context: CliContext, run = runRollback): Command =>
  addFlags(new Command('rollback'), flagsOfCommand)
    .description('roll back a release to a previous revision')
    .argument('[words...]')
    .usage('<RELEASE> [REVISION] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { atLeast: 1 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof flagsOfCommand>>();
      refuseContradictions(flags);
      const options: RollbackOptions = {
        ...optionsOf(rollbackFlags, flags),
        name: words[0] as string,
        revision: words[1] === undefined ? undefined : readRevision(words[1]),
        dryRun: dryRunMode(flags.dryRun, context.io),
      };
      await run({ options, flags }, context);
    });

async function runRollback({ options, flags }: RollbackRequest, context: CliContext): Promise<void> {
  const { rollback } = await import('../../actions/rollback.ts');
  const { name } = options;
  const progress = progressRequest(flags, { isDryRun: options.dryRun !== 'none' });
  const session = await beforeRun({ command: 'rollback', release: name, progress }, flags, context, () =>
    context.open(flags, { progress, mayUndo: options.cleanupOnFail }),
  );
  session.reporter.begin({ action: 'rollback', release: name, namespace: session.namespace });
  const maxHistory = options.maxHistory ?? session.settings.maxHistory;
  const { withReport } = await import('../errors/failure-report.ts');
  const subject = { command: 'rollback', release: name, namespace: session.namespace } as const;
  await withReport({ file: flags.report, subject }, context, () => rollback({ ...options, maxHistory }, session));
  session.reporter.finish();
  context.io.stdout.write('Rollback was a success! Happy Helming!\n');
}
