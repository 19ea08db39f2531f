import { Command } from 'commander';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { atoi } from '../../support/strconv.ts';
import { requireArguments } from '../arguments.ts';
import { beforeRun } from '../before-run.ts';
import { dryRunMode, refuseBothForces } from '../chart-flags.ts';
import type { CliContext } from '../context.ts';
import { type FailureFlags, failureFlags, failureOptions } from '../failure-flags.ts';
import type { FlagSpec } from '../flag-option.ts';
import {
  addFlags,
  dryRunFlag,
  type LockFlags,
  lockFlags,
  lockOptions,
  type OrderFlags,
  orderFlags,
  orderOptions,
  strictPlanFlag,
  timeoutFlag,
  type WaitFlagValue,
  waitFlag,
} from '../flags.ts';
import { type ProgressFlags, progressFlags, progressRequest } from '../progress-flags.ts';
import type { GlobalFlags } from '../settings.ts';
import { applyMode, historyMaxFlag, serverSideFlag } from './upgrade.ts';

export interface RollbackFlags extends GlobalFlags, FailureFlags, LockFlags, OrderFlags, ProgressFlags {
  readonly cleanupOnFail?: boolean;
  readonly description?: string;
  readonly dryRun: string;
  readonly force?: boolean;
  readonly forceConflicts?: boolean;
  readonly forceReplace?: boolean;
  readonly historyMax: number;
  readonly noHooks?: boolean;
  readonly serverSide: string;
  readonly strictPlan?: boolean;
  readonly wait?: WaitFlagValue;
  readonly waitForJobs?: boolean;
}

/** Shared with diff. */
export const rollbackFlags = (maxHistory: number) =>
  ({
    'cleanup-on-fail': {
      type: 'bool',
      description: 'allow deletion of new resources created in this rollback when rollback fails',
    },
    description: { type: 'string', description: 'add a custom description for the rollback (max 256 characters)' },
    ...dryRunFlag,
    ...failureFlags,
    force: {
      type: 'bool',
      deprecated: 'use --force-replace instead',
      description: 'force resource updates by replacement',
    },
    'force-conflicts': { type: 'bool', description: 'if set server-side apply will force changes against conflicts' },
    'force-replace': { type: 'bool', description: 'force resource updates by replacement' },
    ...historyMaxFlag(maxHistory),
    'no-hooks': { type: 'bool', description: 'prevent hooks from running during rollback' },
    ...serverSideFlag,
    ...lockFlags,
    ...orderFlags,
    ...progressFlags,
    ...strictPlanFlag,
    ...timeoutFlag,
    ...waitFlag,
    'wait-for-jobs': {
      type: 'bool',
      description:
        'if set and --wait enabled, will wait until all Jobs have been completed before marking the release as successful. It will wait for as long as --timeout',
    },
  }) satisfies Record<string, FlagSpec>;

export const rollbackCommand = (context: CliContext, run = runRollback): Command =>
  addFlags(new Command('rollback'), rollbackFlags(context.settings({}).maxHistory))
    .description('roll back a release to a previous revision')
    .argument('[words...]')
    .usage('<RELEASE> [REVISION] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { atLeast: 1 });
      const flags = command.optsWithGlobals<RollbackFlags>();
      refuseBothForces(flags);
      await run(words[0] as string, words[1], flags, context);
    });

async function runRollback(name: string, revision: string | undefined, flags: RollbackFlags, context: CliContext) {
  const { rollback } = await import('../../actions/rollback.ts');
  const options = {
    name,
    revision: revision === undefined ? undefined : readRevision(revision),
    cleanupOnFail: flags.cleanupOnFail,
    description: flags.description,
    dryRun: dryRunMode(flags.dryRun, context.io),
    forceConflicts: flags.forceConflicts,
    forceReplace: flags.forceReplace || flags.force,
    maxHistory: flags.historyMax,
    noHooks: flags.noHooks,
    serverSide: applyMode(flags.serverSide),
    strictPlan: flags.strictPlan,
    timeoutMs: flags.timeout,
    wait: flags.wait,
    ...lockOptions(flags),
    ...orderOptions(flags),
    ...failureOptions(flags),
    waitForJobs: flags.waitForJobs,
  };
  const progress = progressRequest(flags, { isDryRun: options.dryRun !== 'none' });
  const session = await beforeRun({ command: 'rollback', release: name, progress }, flags, context, () =>
    context.open(flags, { progress, mayUndo: flags.cleanupOnFail }),
  );
  session.reporter.begin({ action: 'rollback', release: name, namespace: session.namespace });
  const { withReport } = await import('../failure-report.ts');
  const subject = { command: 'rollback', release: name, namespace: session.namespace } as const;
  await withReport(flags.report, subject, context, () => rollback(options, session));
  session.reporter.finish();
  context.io.stdout.write('Rollback was a success! Happy Helming!\n');
}

function readRevision(text: string): number {
  try {
    return Number(atoi(text));
  } catch (cause) {
    const message = `could not convert revision to a number: ${messageOf(cause)}`;
    throw new TshelmError('bad-arguments', { message, cause });
  }
}
