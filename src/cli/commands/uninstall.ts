import { Command } from 'commander';
import type { UninstallOptions } from '../../actions/uninstall.ts';
import { TshelmError } from '../../support/errors.ts';
import { beforeRun } from '../before-run.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { refuseContradictions } from '../flags/chart-flags.ts';
import { failureFlags, reportFlag } from '../flags/failure-flags.ts';
import { type FlagRows, type FlagsOf, optionsOf } from '../flags/flag-rows.ts';
import { addFlags, lockFlags, orderFlags, timeoutFlag, waitFlag } from '../flags/flags.ts';
import { progressFlags, progressRequest } from '../flags/progress-flags.ts';
import type { GlobalFlags } from '../settings.ts';

const cascades = ['background', 'orphan', 'foreground'] as const;

/** The flags that are an uninstall's options; plan has them too. */
export const uninstallOptionFlags = {
  cascade: {
    type: 'string',
    option: 'cascade',
    default: 'background',
    as: cascadeOf,
    description:
      'Must be "background", "orphan", or "foreground". Selects the deletion cascading strategy for the dependents. Use "foreground" with --wait to ensure resources with finalizers are fully deleted before returning.',
  },
  'delete-hooks': {
    type: 'bool',
    option: 'deleteHooks',
    description: 'delete hook objects too, which otherwise stay',
  },
  description: { type: 'string', option: 'description', description: 'add a custom description' },
  'dry-run': { type: 'bool', option: 'dryRun', description: 'simulate a uninstall' },
  ...failureFlags,
  'ignore-not-found': {
    type: 'bool',
    option: 'ignoreNotFound',
    description: 'Treat "release not found" as a successful uninstall',
  },
  'keep-history': {
    type: 'bool',
    option: 'keepHistory',
    description: 'remove all associated resources and mark the release as deleted, but retain the release history',
  },
  ...lockFlags,
  'no-hooks': { type: 'bool', option: 'noHooks', description: 'prevent hooks from running during uninstallation' },
  ...orderFlags,
  ...timeoutFlag,
  ...waitFlag,
} satisfies FlagRows<UninstallOptions>;

const ownFlags = { ...progressFlags, ...reportFlag };
const uninstallFlags = { ...uninstallOptionFlags, ...ownFlags };

export interface UninstallRequest {
  readonly names: readonly string[];
  readonly options: Omit<UninstallOptions, 'name'>;
  readonly flags: GlobalFlags & FlagsOf<typeof ownFlags>;
}

export const uninstallCommand = (context: CliContext, run = runUninstall): Command =>
  addFlags(new Command('uninstall').aliases(['del', 'delete', 'un']), uninstallFlags)
    .description('uninstall a release')
    .argument('[releases...]')
    .usage('RELEASE_NAME [...] [flags]')
    .action(async (names: string[], _flags, command: Command) => {
      requireArguments(command, names, { atLeast: 1 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof uninstallFlags>>();
      refuseContradictions(flags);
      const options = optionsOf(uninstallOptionFlags, flags);
      // Where it was not given, an order decides.
      const isGiven = command.getOptionValueSource('cascade') !== 'default';
      await run({ names, options: isGiven ? options : { ...options, cascade: undefined }, flags }, context);
    });

async function runUninstall({ names, options, flags }: UninstallRequest, context: CliContext): Promise<void> {
  const { uninstall } = await import('../../actions/uninstall.ts');
  const progress = progressRequest(flags, { isDryRun: options.dryRun });
  const session = await beforeRun({ command: 'uninstall', release: names.join(' '), progress }, flags, context, () =>
    context.open(flags, { progress }),
  );
  const { withReport } = await import('../errors/failure-report.ts');
  for (const name of names) {
    session.reporter.begin({ action: 'uninstall', release: name, namespace: session.namespace });
    const subject = { command: 'uninstall', release: name, namespace: session.namespace } as const;
    const result = await withReport({ file: flags.report, subject }, context, () =>
      uninstall({ ...options, name }, session),
    );
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
