import { Command } from 'commander';
import { hasCode } from '../../support/errors.ts';
import { requireArguments } from '../arguments.ts';
import { beforeRun } from '../before-run.ts';
import {
  type ChartFlags,
  chartFlags,
  deployOptions,
  dryRunMode,
  postRendererOf,
  refuseBothForces,
  valueOptions,
} from '../chart-flags.ts';
import type { CliContext } from '../context.ts';
import { withPrefix } from '../error-text.ts';
import { type FailureFlags, failureFlags, failureOptions } from '../failure-flags.ts';
import type { FlagSpec, OutputFormat } from '../flag-option.ts';
import { addFlags, type LockFlags, lockFlags, lockOptions, outputFlag } from '../flags.ts';
import { writeRelease } from '../output/deployed.ts';
import { type ProgressFlags, progressFlags, progressRequest } from '../progress-flags.ts';
import { type RecordFlags, recordFlags, recordOptions } from '../record-flags.ts';

export interface InstallFlags extends ChartFlags, FailureFlags, LockFlags, ProgressFlags, RecordFlags {
  readonly generateName?: boolean;
  readonly hideNotes?: boolean;
  readonly nameTemplate?: string;
  readonly output: OutputFormat;
  readonly replace?: boolean;
  readonly serverSide?: boolean;
}

const installFlags = {
  ...chartFlags,
  ...failureFlags,
  'generate-name': { type: 'bool', short: 'g', description: 'generate the name (and omit the NAME parameter)' },
  'hide-notes': {
    type: 'bool',
    description: 'if set, do not show notes in install output. Does not affect presence in chart metadata',
  },
  'hide-secret': { type: 'bool', description: 'hide Kubernetes Secrets when also using the --dry-run flag' },
  'name-template': { type: 'string', description: 'specify template used to name the release' },
  ...outputFlag,
  replace: {
    type: 'bool',
    description:
      'reuse the given name, only if that name is a deleted release which remains in the history. This is unsafe in production',
  },
  'server-side': {
    type: 'bool',
    default: true,
    description: 'object updates run in the server instead of the client (default true)',
  },
  ...lockFlags,
  ...progressFlags,
  ...recordFlags,
} satisfies Record<string, FlagSpec>;

export const installCommand = (context: CliContext, run = runInstall): Command =>
  addFlags(new Command('install'), installFlags)
    .description('install a chart')
    .argument('[words...]')
    .usage('[NAME] [CHART] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { atLeast: 1 });
      const flags = command.optsWithGlobals<InstallFlags>();
      refuseBothForces(flags);
      await run(words, flags, context);
    });

async function runInstall(words: readonly string[], flags: InstallFlags, context: CliContext): Promise<void> {
  const dryRun = dryRunMode(flags.dryRun, context.io);
  try {
    await installChart(words, flags, dryRun, context);
  } catch (thrown) {
    const isUnreachable = hasCode(thrown, 'cluster-unreachable') && thrown.message.startsWith('kubernetes cluster');
    const failure = isUnreachable ? withPrefix('cluster reachability check failed', thrown) : thrown;
    throw withPrefix('INSTALLATION FAILED', failure);
  }
}

async function installChart(
  words: readonly string[],
  flags: InstallFlags,
  dryRun: ReturnType<typeof dryRunMode>,
  context: CliContext,
): Promise<void> {
  const { nameAndChart } = await import('../../actions/name-and-chart.ts');
  const { install } = await import('../../actions/install.ts');
  const { loadRequest } = await import('../load-request.ts');
  const { name, chart: reference } = nameAndChart(words, { ...flags, now: context.io.now });
  const progress = progressRequest(flags, { output: flags.output, isDryRun: dryRun !== 'none' });
  const run = { command: 'install', release: name, chart: reference, progress } as const;
  const { chart, values, session } = await beforeRun(run, flags, context, async () => ({
    ...(await loadRequest(reference, valueOptions(flags), context)),
    session: await context.open(flags, {
      progress,
      postRenderer: postRendererOf(flags),
      isOffline: dryRun === 'client',
      mayUndo: flags.rollbackOnFailure || flags.atomic,
    }),
  }));
  const options = {
    ...deployOptions(flags),
    ...lockOptions(flags),
    ...recordOptions(flags),
    ...failureOptions(flags),
    name,
    dryRun,
    replace: flags.replace,
    serverSide: flags.serverSide,
  };
  session.reporter.begin({ action: 'install', release: name, namespace: session.namespace, chart: reference });
  const { withReport } = await import('../failure-report.ts');
  const subject = { command: 'install', release: name, namespace: session.namespace } as const;
  const { release, warnings } = await withReport(flags.report, subject, context, () =>
    install(chart, values, options, session),
  );
  for (const warning of warnings) session.reporter.tell(`${warning}\n`);
  session.reporter.finish();
  writeRelease(release, flags, context.io);
}
