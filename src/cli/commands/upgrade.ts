import { Command } from 'commander';
import type { ApplyMode } from '../../actions/deploy/apply-method.ts';
import { TshelmError } from '../../support/errors.ts';
import { requireArguments } from '../arguments.ts';
import { beforeRun, type RunToCome } from '../before-run.ts';
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
import { boolOf, type FlagSpec, type OutputFormat } from '../flag-option.ts';
import { addFlags, type DryRunMode, type LockFlags, lockFlags, lockOptions, outputFlag } from '../flags.ts';
import { writeRelease } from '../output/deployed.ts';
import { type ProgressFlags, progressFlags, progressRequest } from '../progress-flags.ts';
import { type RecordFlags, recordFlags, recordOptions } from '../record-flags.ts';

export interface UpgradeFlags extends ChartFlags, FailureFlags, LockFlags, ProgressFlags, RecordFlags {
  readonly cleanupOnFail?: boolean;
  readonly hideNotes?: boolean;
  readonly historyMax: number;
  readonly install?: boolean;
  readonly output: OutputFormat;
  readonly resume?: boolean;
  readonly resetThenReuseValues?: boolean;
  readonly resetValues?: boolean;
  readonly reuseValues?: boolean;
  readonly serverSide: string;
}

/** Shared with rollback. */
export const serverSideFlag = {
  'server-side': {
    type: 'string',
    default: 'auto',
    description:
      'must be "true", "false" or "auto". Object updates run in the server instead of the client ("auto" defaults the value from the previous chart release\'s method)',
  },
} satisfies Record<string, FlagSpec>;

export const historyMaxFlag = (maxHistory: number) =>
  ({
    'history-max': {
      type: 'int',
      default: maxHistory,
      description: 'limit the maximum number of revisions saved per release. Use 0 for no limit',
    },
  }) satisfies Record<string, FlagSpec>;

/** Shared with diff. */
export const upgradeFlags = (maxHistory: number) =>
  ({
    ...chartFlags,
    ...failureFlags,
    'cleanup-on-fail': {
      type: 'bool',
      description: 'allow deletion of new resources created in this upgrade when upgrade fails',
    },
    'hide-notes': {
      type: 'bool',
      description: 'if set, do not show notes in upgrade output. Does not affect presence in chart metadata',
    },
    'hide-secret': { type: 'bool', description: 'hide Kubernetes Secrets when also using the --dry-run flag' },
    ...historyMaxFlag(maxHistory),
    install: {
      type: 'bool',
      short: 'i',
      description: "if a release by this name doesn't already exist, run an install",
    },
    ...outputFlag,
    resume: {
      type: 'bool',
      description:
        'go on with a failed install or upgrade after the last hook and batch that it finished; chart and values must be the same',
    },
    'reset-then-reuse-values': {
      type: 'bool',
      description:
        "when upgrading, reset the values to the ones built into the chart, apply the last release's values and merge in any overrides from the command line via --set and -f. If '--reset-values' or '--reuse-values' is specified, this is ignored",
    },
    'reset-values': { type: 'bool', description: 'when upgrading, reset the values to the ones built into the chart' },
    'reuse-values': {
      type: 'bool',
      description:
        "when upgrading, reuse the last release's values and merge in any overrides from the command line via --set and -f. If '--reset-values' is specified, this is ignored",
    },
    ...lockFlags,
    ...progressFlags,
    ...recordFlags,
    ...serverSideFlag,
  }) satisfies Record<string, FlagSpec>;

export const upgradeCommand = (context: CliContext, run = runUpgrade): Command =>
  addFlags(new Command('upgrade'), upgradeFlags(context.settings({}).maxHistory))
    .description('upgrade a release')
    .argument('[words...]')
    .usage('[RELEASE] [CHART] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 2 });
      const flags = command.optsWithGlobals<UpgradeFlags>();
      refuseBothForces(flags);
      await run(words[0] as string, words[1] as string, flags, context);
    });

async function runUpgrade(name: string, reference: string, flags: UpgradeFlags, context: CliContext): Promise<void> {
  const dryRun = dryRunMode(flags.dryRun, context.io);
  const serverSide = applyMode(flags.serverSide);
  const { loadRequest } = await import('../load-request.ts');
  const progress = progressRequest(flags, { output: flags.output, isDryRun: dryRun !== 'none' });
  const run = { command: 'upgrade', release: name, chart: reference, progress } as const;
  const { chart, values } = await beforeRun(run, flags, context, () =>
    loadRequest(reference, valueOptions(flags), context),
  );
  const progressed = { isInstalling: false };
  try {
    const request = { run, reference, chart, values };
    await upgradeRelease(name, request, { ...flags, dryRun, serverSide }, progressed, context);
  } catch (thrown) {
    throw isUpgradeFailure(thrown, progressed) ? withPrefix('UPGRADE FAILED', thrown) : thrown;
  }
}

/** Helm says so of what fails in the upgrade itself: not of its check before, nor of the install in its place. */
const isUpgradeFailure = (thrown: unknown, { isInstalling }: Progressed): boolean =>
  !isInstalling && !(thrown instanceof TshelmError && thrown.code === 'dependencies-missing');

interface Progressed {
  isInstalling: boolean;
}

type Request = Awaited<ReturnType<typeof import('../load-request.ts')['loadRequest']>> & {
  readonly run: RunToCome;
  readonly reference: string;
};
type ReadFlags = Omit<UpgradeFlags, 'dryRun' | 'serverSide'> & { dryRun: DryRunMode; serverSide: ApplyMode };

async function upgradeRelease(
  name: string,
  { run, reference, chart, values }: Request,
  flags: ReadFlags,
  progressed: Progressed,
  context: CliContext,
) {
  const { upgrade } = await import('../../actions/upgrade.ts');
  const session = await beforeRun(run, flags, context, () =>
    context.open(flags, {
      progress: run.progress,
      postRenderer: postRendererOf(flags),
      mayUndo: flags.rollbackOnFailure || flags.atomic || flags.cleanupOnFail,
    }),
  );
  session.reporter.begin({ action: 'upgrade', release: name, namespace: session.namespace, chart: reference });
  const options = {
    ...deployOptions(flags),
    ...lockOptions(flags),
    ...recordOptions(flags),
    ...failureOptions(flags),
    name,
    cleanupOnFail: flags.cleanupOnFail,
    dryRun: flags.dryRun,
    install: flags.install,
    maxHistory: flags.historyMax,
    onInstall: () => {
      progressed.isInstalling = true;
      if (flags.output === 'table') {
        context.io.stdout.write(`Release "${name}" does not exist. Installing it now.\n`);
      }
    },
    resume: flags.resume,
    resetThenReuseValues: flags.resetThenReuseValues,
    resetValues: flags.resetValues,
    reuseValues: flags.reuseValues,
    serverSide: flags.serverSide,
  };
  const { withReport } = await import('../failure-report.ts');
  const subject = { command: 'upgrade', release: name, namespace: session.namespace } as const;
  const { release, warnings, isInstalled } = await withReport(flags.report, subject, context, () =>
    upgrade(chart, values, options, session),
  );
  for (const warning of warnings) session.reporter.tell(`${warning}\n`);
  session.reporter.finish();
  if (flags.output === 'table' && !isInstalled) {
    context.io.stdout.write(`Release "${name}" has been upgraded. Happy Helming!\n`);
  }
  writeRelease(release, flags, context.io);
}

export function applyMode(text: string): ApplyMode {
  if (text === 'auto') return text;
  const value = boolOf(text);
  if (value !== undefined) return value ? 'true' : 'false';
  throw new TshelmError('bad-flag', {
    message: `invalid/unknown release server-side apply method: ${text}; --server-side must be "true", "false" or "auto"`,
  });
}
