import { Command } from 'commander';
import { type UninstallOptions, uninstallFlags } from '../../actions/options/uninstall.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { beforeRun } from '../before-run.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { refuseContradictions } from '../flags/chart-flags.ts';
import { reportFlag } from '../flags/failure-flags.ts';
import { addFlags } from '../flags/flags.ts';
import { progressFlags, progressRequest } from '../flags/progress-flags.ts';
import type { GlobalFlags } from '../settings.ts';

const ownFlags = { ...progressFlags, ...reportFlag };
const flagsOfCommand = { ...uninstallFlags, ...ownFlags };

export interface UninstallRequest {
  readonly names: readonly string[];
  readonly options: Omit<UninstallOptions, 'name'>;
  readonly flags: GlobalFlags & FlagsOf<typeof ownFlags>;
}

export const uninstallCommand = (context: CliContext, run = runUninstall): Command =>
  addFlags(new Command('uninstall').aliases(['del', 'delete', 'un']), flagsOfCommand)
    .description('uninstall a release')
    .argument('[releases...]')
    .usage('RELEASE_NAME [...] [flags]')
    .action(async (names: string[], _flags, command: Command) => {
      requireArguments(command, names, { atLeast: 1 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof flagsOfCommand>>();
      refuseContradictions(flags);
      const options = optionsOf(uninstallFlags, flags);
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
