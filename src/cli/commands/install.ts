import { Command } from 'commander';
import type { NameOptions } from '../../actions/name-and-chart.ts';
import { type ChartInputs, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import { healthFlag } from '../../actions/options/health.ts';
import { type InstallOptions, installFlags } from '../../actions/options/install.ts';
import { strategyOf } from '../../change/deploy/deploy-options.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import { beforeRun, carryOut, loadMeanwhile } from '../before-run.ts';
import type { CliContext } from '../context.ts';
import { asReachability, withPrefix } from '../errors/error-text.ts';
import {
  dryRunMode,
  nameFlags,
  postRendererFlags,
  refuseContradictions,
  refuseIdleHealth,
} from '../flags/chart-flags.ts';
import { reportFlag } from '../flags/failure-flags.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { dryRunFlag, outputFlag } from '../flags/flags.ts';
import { keepQuiet, progressFlags, progressRequest, quietFlag } from '../flags/progress-flags.ts';
import { failFlag } from '../flags/rehearsal-flags.ts';
import { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';
import { inducedFailure, withInducedFailure } from '../induced-failure.ts';
import { writeRelease } from '../output/deployed.ts';
import { checkPostRenderer, postRendererOf } from '../sources/post-renderer.ts';

const ownFlags = {
  ...dryRunFlag,
  ...failFlag,
  'hide-notes': {
    type: 'bool',
    description: 'if set, do not show notes in install output. Does not affect presence in chart metadata',
  },
  ...healthFlag,
  ...outputFlag,
  ...postRendererFlags,
  ...progressFlags,
  ...quietFlag,
  ...reportFlag,
  ...dependencyUpdateFlag,
  ...offlineFlag,
} satisfies Record<string, FlagSpec>;

const flagsOfCommand = { ...installFlags, ...nameFlags, ...chartInputFlags, ...ownFlags };

export interface InstallRequest extends ChartInputs {
  readonly words: readonly string[];
  readonly naming: NameOptions;
  readonly options: Omit<InstallOptions, 'name'>;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runInstall): Command =>
  flagCommand(
    'install',
    flagsOfCommand,
    { usage: '[NAME] [CHART] [flags]', words: { atLeast: 1 } },
    async (words, flags) => {
      refuseContradictions(flags);
      await checkPostRenderer(flags, context);
      const request: InstallRequest = {
        words,
        naming: optionsOf(nameFlags, flags),
        options: { ...optionsOf(installFlags, flags), dryRun: dryRunMode(flags.dryRun, context.io) },
        ...chartInputs(flags),
        flags,
      };
      await run(request, context);
    },
  ).description('install a chart');

async function runInstall(request: InstallRequest, context: CliContext): Promise<void> {
  try {
    await installChart(request, context);
  } catch (thrown) {
    throw withPrefix('INSTALLATION FAILED', asReachability(thrown));
  }
}

async function installChart(
  { words, naming, options, values: given, access, flags }: InstallRequest,
  context: CliContext,
): Promise<void> {
  keepQuiet(flags, context);
  refuseIdleHealth(flags.health, strategyOf(options));
  const induced = await inducedFailure(flags, options, context);
  const { nameAndChart } = await import('../../actions/name-and-chart.ts');
  const { loadRequest, messageStreamFor } = await import('../sources/load-request.ts');
  const { name, chart: reference } = nameAndChart(words, { ...naming, now: context.io.now });
  const progress = progressRequest(flags, { output: flags.output, isDryRun: options.dryRun !== 'none' });
  const run = { command: 'install', release: name, chart: reference, progress } as const;
  const { chart, values, session } = await beforeRun(run, flags, context, async () => {
    const isOffline = options.dryRun === 'client';
    const opening = context.open(flags, {
      progress,
      postRenderer: postRendererOf(flags, context),
      health: flags.health,
      sandboxAnnotation: induced?.annotation,
      isOffline,
      asksAhead: !isOffline,
      mayUndo: options.rollbackOnFailure,
    });
    const named = { reference, values: given, access, flags, messageStream: messageStreamFor(flags.output) };
    const loaded = await loadMeanwhile(opening, () => loadRequest(named, context));
    return { ...loaded, session: await opening };
  });
  const { warnOfUnreadValues } = await import('../print-problems.ts');
  const events = progress.mode === 'json' ? session.reporter.onEvent : undefined;
  await warnOfUnreadValues({ title: `install ${name}`, chart: reference, loaded: { chart, values }, events }, context);
  const { install } = await import('../../actions/install.ts');
  const { release } = await carryOut(run, flags, { session, context }, () =>
    withInducedFailure(induced, session, (on, ofPlan) => install(chart, values, { ...options, name, ...ofPlan }, on)),
  );
  const { io, secrets } = context;
  writeRelease(release, flags, { io, secrets, settings: session.settings });
}
