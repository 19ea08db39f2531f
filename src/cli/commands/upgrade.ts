import { Command } from 'commander';
import { type ChartInputs, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import { healthFlag } from '../../actions/options/health.ts';
import { type UpgradeOptions, upgradeFlags } from '../../actions/options/upgrade.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import { hasCode } from '../../support/errors.ts';
import { beforeRun, carryOut, loadMeanwhile, type UpcomingRun } from '../before-run.ts';
import type { CliContext, CommandSession } from '../context.ts';
import { withPrefix } from '../errors/error-text.ts';
import { dryRunMode, postRendererFlags, refuseContradictions, refuseIdleHealth } from '../flags/chart-flags.ts';
import { reportFlag } from '../flags/failure-flags.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { dryRunFlag, outputFlag } from '../flags/flags.ts';
import { helm3Flags } from '../flags/helm3-flags.ts';
import { keepQuiet, progressFlags, progressRequest, quietFlag } from '../flags/progress-flags.ts';
import { failFlag } from '../flags/rehearsal-flags.ts';
import { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';
import { type InducedFailure, inducedFailure, withInducedFailure } from '../induced-failure.ts';
import { writeRelease } from '../output/deployed.ts';
import { checkPostRenderer, postRendererOf } from '../sources/post-renderer.ts';

/** The flags of an upgrade that only the terminal knows. */
export const upgradeTerminalFlags = {
  ...dryRunFlag,
  ...failFlag,
  'hide-notes': {
    type: 'bool',
    description: 'if set, do not show notes in upgrade output. Does not affect presence in chart metadata',
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

const flagsOfCommand = {
  ...upgradeFlags,
  ...chartInputFlags,
  ...upgradeTerminalFlags,
  ...helm3Flags.restart,
};

export interface UpgradeRequest extends ChartInputs {
  readonly name: string;
  readonly chart: string;
  readonly options: Omit<UpgradeOptions, 'name'>;
  readonly flags: GivenFlags<typeof upgradeTerminalFlags>;
}

export const command = (context: CliContext, run = runUpgrade): Command =>
  flagCommand(
    'upgrade',
    flagsOfCommand,
    { usage: '[RELEASE] [CHART] [flags]', words: { exactly: 2 } },
    async (words, flags) => {
      refuseContradictions(flags);
      await checkPostRenderer(flags, context);
      const request: UpgradeRequest = {
        name: words[0] as string,
        chart: words[1] as string,
        options: { ...optionsOf(upgradeFlags, flags), dryRun: dryRunMode(flags.dryRun, context.io) },
        ...chartInputs(flags),
        flags,
      };
      await run(request, context);
    },
  ).description('upgrade a release');

async function runUpgrade(request: UpgradeRequest, context: CliContext): Promise<void> {
  const { name, chart: reference, options, flags } = request;
  keepQuiet(flags, context);
  refuseIdleHealth(flags.health, options.wait);
  const induced = await inducedFailure(flags, options, context);
  const { loadRequest, messageStreamFor } = await import('../sources/load-request.ts');
  const progress = progressRequest(flags, { output: flags.output, isDryRun: options.dryRun !== 'none' });
  const run = { command: 'upgrade', release: name, chart: reference, progress } as const;
  const named = { ...request, reference, messageStream: messageStreamFor(flags.output) };
  const opening = context.open(flags, {
    progress,
    postRenderer: postRendererOf(flags, context),
    health: flags.health,
    sandboxAnnotation: induced?.annotation,
    asksAhead: true,
    mayUndo: options.rollbackOnFailure || options.cleanupOnFail,
  });
  const load = () => loadMeanwhile(opening, () => loadRequest(named, context));
  const loaded = await beforeRun(run, flags, context, load);
  const progressed = { isInstalling: false };
  try {
    await upgradeRelease(request, { run, opening, induced, ...loaded }, progressed, context);
  } catch (thrown) {
    throw isUpgradeFailure(thrown, options, progressed) ? withPrefix('UPGRADE FAILED', thrown) : thrown;
  }
}

/**
 * Helm says so of what fails in the upgrade itself: not of its checks before, nor of the install in its place; and with
 * --install it looks for the release before.
 */
function isUpgradeFailure(
  thrown: unknown,
  { install = false }: UpgradeRequest['options'],
  { isInstalling }: UpgradeProgress,
): boolean {
  if (isInstalling || hasCode(thrown, 'dependencies-missing')) return false;
  return !(install && hasCode(thrown, 'invalid-release-name', 'cluster-unreachable'));
}

interface UpgradeProgress {
  isInstalling: boolean;
}

type Loaded = Awaited<ReturnType<typeof import('../sources/load-request.ts')['loadRequest']>> & {
  readonly run: UpcomingRun;
  readonly opening: Promise<CommandSession>;
  readonly induced: InducedFailure | undefined;
};

async function upgradeRelease(
  { name, options, flags }: UpgradeRequest,
  { run, opening, induced, chart, values }: Loaded,
  progressed: UpgradeProgress,
  context: CliContext,
): Promise<void> {
  const { upgrade } = await import('../../actions/upgrade.ts');
  const session = await beforeRun(run, flags, context, () => opening);
  const { warnOfUnreadValues } = await import('../print-problems.ts');
  const events = run.progress.mode === 'json' ? session.reporter.onEvent : undefined;
  const reference = run.chart ?? '';
  await warnOfUnreadValues({ title: `upgrade ${name}`, chart: reference, loaded: { chart, values }, events }, context);
  const onInstall = (): void => {
    progressed.isInstalling = true;
    if (flags.output !== 'table') return;
    const write = (): void => context.io.stdout.write(`Release "${name}" does not exist. Installing it now.\n`);
    if (session.reporter.aside === undefined) write();
    else session.reporter.aside(write);
  };
  const maxHistory = options.maxHistory ?? session.settings.maxHistory;
  const { release, isInstalled, isUnchanged } = await carryOut(run, flags, { session, context }, () =>
    withInducedFailure(induced, session, (on, ofPlan) =>
      upgrade(
        chart,
        values,
        { ...options, name, maxHistory, onInstall: ofPlan.dryRun ? undefined : onInstall, ...ofPlan },
        on,
      ),
    ),
  );
  if (flags.output === 'table' && !isInstalled) {
    context.io.stdout.write(
      isUnchanged
        ? `Release "${name}" is unchanged: revision ${release.version} stays deployed.\n`
        : `Release "${name}" has been upgraded. Happy Helming!\n`,
    );
  }
  const { io, secrets } = context;
  writeRelease(release, flags, { io, secrets, settings: session.settings });
}
