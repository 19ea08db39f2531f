import { Command } from 'commander';
import { TshelmError } from '../../support/errors.ts';
import { requireArguments } from '../arguments.ts';
import { beforeRun } from '../before-run.ts';
import type { CliContext } from '../context.ts';
import { type FailureFlags, failureFlags, failureOptions } from '../failure-flags.ts';
import {
  addFlags,
  type LockFlags,
  lockFlags,
  lockOptions,
  type OrderFlags,
  orderFlags,
  orderOptions,
  timeoutFlag,
  type WaitFlagValue,
  waitFlag,
} from '../flags.ts';
import { type ProgressFlags, progressFlags, progressRequest } from '../progress-flags.ts';
import type { GlobalFlags } from '../settings.ts';

const cascades = ['background', 'orphan', 'foreground'] as const;

export interface UninstallFlags extends GlobalFlags, FailureFlags, LockFlags, OrderFlags, ProgressFlags {
  readonly cascade: string;
  readonly deleteHooks?: boolean;
  readonly description?: string;
  readonly dryRun?: boolean;
  readonly ignoreNotFound?: boolean;
  readonly keepHistory?: boolean;
  readonly noHooks?: boolean;
  readonly wait?: WaitFlagValue;
}

export const uninstallCommand = (context: CliContext, run = runUninstall): Command =>
  addFlags(new Command('uninstall').aliases(['del', 'delete', 'un']), {
    cascade: {
      type: 'string',
      default: 'background',
      description:
        'Must be "background", "orphan", or "foreground". Selects the deletion cascading strategy for the dependents. Use "foreground" with --wait to ensure resources with finalizers are fully deleted before returning.',
    },
    'delete-hooks': { type: 'bool', description: 'delete the objects of hooks too, which otherwise stay' },
    description: { type: 'string', description: 'add a custom description' },
    'dry-run': { type: 'bool', description: 'simulate a uninstall' },
    ...failureFlags,
    'ignore-not-found': { type: 'bool', description: 'Treat "release not found" as a successful uninstall' },
    'keep-history': {
      type: 'bool',
      description: 'remove all associated resources and mark the release as deleted, but retain the release history',
    },
    'no-hooks': { type: 'bool', description: 'prevent hooks from running during uninstallation' },
    ...lockFlags,
    ...orderFlags,
    ...progressFlags,
    ...timeoutFlag,
    ...waitFlag,
  })
    .description('uninstall a release')
    .argument('[releases...]')
    .usage('RELEASE_NAME [...] [flags]')
    .action(async (names: string[], _flags, command: Command) => {
      requireArguments(command, names, { atLeast: 1 });
      await run(names, command.optsWithGlobals<UninstallFlags>(), context);
    });

async function runUninstall(names: readonly string[], flags: UninstallFlags, context: CliContext): Promise<void> {
  const cascade = cascadeOf(flags.cascade);
  const { uninstall } = await import('../../actions/uninstall.ts');
  const progress = progressRequest(flags, { isDryRun: flags.dryRun });
  const session = await beforeRun({ command: 'uninstall', release: names.join(' '), progress }, flags, context, () =>
    context.open(flags, { progress }),
  );
  const { withReport } = await import('../failure-report.ts');
  for (const name of names) {
    session.reporter.begin({ action: 'uninstall', release: name, namespace: session.namespace });
    const options = {
      name,
      cascade,
      deleteHooks: flags.deleteHooks,
      description: flags.description,
      dryRun: flags.dryRun,
      ignoreNotFound: flags.ignoreNotFound,
      keepHistory: flags.keepHistory,
      noHooks: flags.noHooks,
      timeoutMs: flags.timeout,
      wait: flags.wait,
      ...lockOptions(flags),
      ...orderOptions(flags),
      ...failureOptions(flags),
    };
    const subject = { command: 'uninstall', release: name, namespace: session.namespace } as const;
    const result = await withReport(flags.report, subject, context, () => uninstall(options, session));
    session.reporter.finish();
    if (result.info !== '') context.io.stdout.write(`${result.info}\n`);
    context.io.stdout.write(`release "${name}" uninstalled\n`);
  }
}

function cascadeOf(text: string): (typeof cascades)[number] {
  const cascade = cascades.find((one) => one === text);
  if (cascade !== undefined) return cascade;
  const message = `invalid cascade value (${text}). Must be "background", "foreground", or "orphan"`;
  throw new TshelmError('bad-flag', { message });
}
