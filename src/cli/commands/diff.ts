import { Command } from 'commander';
import type { ValuesDiff } from '../../actions/diff-values.ts';
import { type ChartInputs, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import type { DiffOptions } from '../../actions/options/readings.ts';
import { showSecretsFlag } from '../../actions/options/readings.ts';
import { type RollbackOptions, rollbackFlags } from '../../actions/options/rollback.ts';
import { type UpgradeOptions, upgradeFlags } from '../../actions/options/upgrade.ts';
import { type FlagRows, type FlagSpec, type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { Chart } from '../../chart/types.ts';
import type { GoMap } from '../../go/value.ts';
import { helmDiffVersion } from '../../support/version.ts';
import type { CliContext, CommandSession } from '../context.ts';
import { readRevision, requireArguments } from '../flags/arguments.ts';
import { ignoreUnknownFlags } from '../flags/argv.ts';
import { postRendererFlags, refuseContradictions } from '../flags/chart-flags.ts';
import { type DiffFlags, diffFlags, writeDiff } from '../flags/diff-flags.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { addFlags } from '../flags/flags.ts';
import { offlineFlag } from '../flags/source-flags.ts';
import { manifestDiffFlags } from '../output/manifest-diff-flags.ts';
import { postRendererOf } from '../sources/post-renderer.ts';
import { diffValuesForm, runDiffValues } from './diff-values.ts';
import {
  checkRevisions,
  manifestUpgradeFlags,
  requireWords,
  runManifestRelease,
  runManifestRevision,
  runManifestRollback,
  runManifestUpgrade,
} from './manifest-diff.ts';
import { rollbackTerminalFlags } from './rollback.ts';
import { upgradeTerminalFlags } from './upgrade.ts';

export interface DiffUpgradeRequest extends ChartInputs {
  readonly chart: string;
  readonly options: UpgradeOptions & DiffOptions;
  readonly flags: DiffFlags &
    FlagsOf<typeof postRendererFlags & typeof offlineFlag> &
    Partial<FlagsOf<typeof valuesFlag>>;
}

/** Of the other forms: what is compared. */
export interface DiffRequest<Options> {
  readonly options: Options & DiffOptions;
  readonly flags: DiffFlags;
}

const upgradeOptionFlags = {
  ...upgradeFlags,
  ...showSecretsFlag,
  // The plugin's name for --install.
  'allow-unreleased': { type: 'bool', option: 'install', hidden: true, description: 'the same as --install' },
} satisfies FlagRows<UpgradeOptions & DiffOptions>;

const rollbackOptionFlags = { ...rollbackFlags, ...showSecretsFlag } satisfies FlagRows<RollbackOptions & DiffOptions>;

const irrelevantFlags: readonly string[] = [
  'cleanup-on-fail',
  'description',
  'dry-run',
  'eager',
  'fail',
  'hide-notes',
  'hide-secret',
  'history-max',
  'labels',
  'logs',
  'preflight',
  'quiet',
  'readiness-timeout',
  'render-subchart-notes',
  'rollback-on-failure',
  'skip-unchanged',
  'timeout',
  'trim-record',
  'wait',
  'wait-for-jobs',
];

/** A deploy's command line is a diff's too: flags that change nothing here are taken, and help does not show them. */
const ofUpgrade = {
  ...relevantOnly({ ...upgradeTerminalFlags, ...upgradeOptionFlags }),
  ...postRendererFlags,
  ...chartInputFlags,
  ...offlineFlag,
  ...diffFlags,
};
const ofRollback = { ...relevantOnly({ ...rollbackTerminalFlags, ...rollbackOptionFlags }), ...diffFlags };
const valuesFlag = {
  'chart-values': {
    type: 'bool',
    description: "show first how the chart's default values differ from those of the release, as diff values does",
  },
} satisfies Record<string, FlagSpec>;
const liveFlag = {
  live: {
    type: 'bool',
    description: 'compare with the cluster by a server-side dry run of each object, as diff RELEASE CHART does',
  },
} satisfies Record<string, FlagSpec>;
const ofManifestUpgrade = { ...ofUpgrade, ...liveFlag, ...manifestUpgradeFlags };
const ofManifestRollback = { ...ofRollback, ...liveFlag, ...manifestDiffFlags };

const runs = {
  upgrade: diffUpgrade,
  rollback: diffRollback,
  manifestUpgrade: runManifestUpgrade,
  manifestRollback: runManifestRollback,
  revision: runManifestRevision,
  release: runManifestRelease,
  values: runDiffValues,
};

/** `diff RELEASE CHART` compares with the cluster; the subcommands are those of the helm-diff plugin. */
export const command = (context: CliContext, run = runs): Command =>
  flagCommand(
    'diff',
    { ...ofUpgrade, ...valuesFlag },
    { usage: 'RELEASE CHART [flags]', words: { exactly: 2 } },
    (words, flags) => run.upgrade(upgradeRequest(words, flags), context),
  )
    .description('show what an upgrade, or with --install an install, would change in the cluster')
    .addCommand(upgradeForm(context, run))
    .addCommand(rollbackForm(context, run))
    .addCommand(revisionForm(context, run))
    .addCommand(releaseForm(context, run))
    .addCommand(diffValuesForm(context, run.values))
    .addCommand(versionForm(context));

/** `diff version`: that of the helm-diff plugin whose words these are, for programs that ask it. */
const versionForm = (context: CliContext): Command =>
  new Command('version')
    .description('print the version of the helm-diff plugin that tshelm is compatible with')
    .argument('[words...]')
    .usage('[flags]')
    .action((words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 0 });
      context.io.stdout.write(`${helmDiffVersion}\n`);
    });

function upgradeRequest(words: readonly string[], flags: GivenFlags<typeof ofUpgrade>): DiffUpgradeRequest {
  refuseContradictions(flags);
  const options = { ...optionsOf(upgradeOptionFlags, flags), name: words[0] as string, hideSecret: false };
  return { chart: words[1] as string, options, ...chartInputs(flags), flags };
}

/** A wrapper may give it what it gives to `upgrade`, as helm-diff takes it under this variable. */
const upgradeNamed = (name: string, { io }: CliContext): Command =>
  io.env['HELM_DIFF_IGNORE_UNKNOWN_FLAGS'] === 'true' ? ignoreUnknownFlags(new Command(name)) : new Command(name);

/** `diff upgrade`; with --live it is `diff RELEASE CHART`. */
const upgradeForm = (context: CliContext, run: typeof runs): Command =>
  addFlags(upgradeNamed('upgrade', context), ofManifestUpgrade)
    .description('show what an upgrade would change in the manifest of a release')
    .argument('[words...]')
    .usage('RELEASE CHART [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireWords(words, 'release name', 'chart path');
      const { live, ...flags } = command.optsWithGlobals<GivenFlags<typeof ofManifestUpgrade>>();
      const request = upgradeRequest(words, { ...flags, dryRun: flags.dryRun ?? 'none' });
      if (live) await run.upgrade(request, context);
      else await run.manifestUpgrade({ ...request, flags }, context);
    });

/** `diff rollback`, without a revision to the one before the last; --live shows what it would change in the cluster. */
const rollbackForm = (context: CliContext, run: typeof runs): Command =>
  flagCommand('rollback', ofManifestRollback, { usage: 'RELEASE [REVISION] [flags]' }, async (words, flags) => {
    if (words.length !== 1) requireWords(words, 'release name', 'revision number');
    if (!flags.live) return run.manifestRollback({ words, flags }, context);
    refuseContradictions(flags);
    const revision = words[1] === undefined ? undefined : readRevision(words[1]);
    const options = { ...optionsOf(rollbackOptionFlags, flags), name: words[0] as string, revision };
    await run.rollback({ options, flags }, context);
  }).description("show what a rollback would change in a release's manifest");

const revisionForm = (context: CliContext, run: typeof runs): Command =>
  flagCommand('revision', manifestDiffFlags, { usage: 'RELEASE REVISION [REVISION] [flags]' }, async (words, flags) => {
    checkRevisions(words);
    await run.revision({ words, flags }, context);
  }).description('show the differences between two revisions of a release, or between one and the newest');

const releaseForm = (context: CliContext, run: typeof runs): Command =>
  flagCommand(
    'release',
    manifestDiffFlags,
    { usage: '[NAMESPACE/]RELEASE [NAMESPACE/]RELEASE [flags]' },
    async (words, flags) => {
      requireWords(words, 'release name-1', 'release name-2');
      await run.release({ words, flags }, context);
    },
  ).description('show the differences between the newest revisions of two releases of one chart');

/** Helm-diff has -q for another flag. */
function relevantOnly<Specs extends Readonly<Record<string, FlagSpec>>>(specs: Specs): Specs {
  const shown = Object.entries(specs).map(([name, spec]) => [
    name,
    irrelevantFlags.includes(name)
      ? { ...spec, hidden: true, ...(name === 'quiet' ? { short: undefined } : {}) }
      : spec,
  ]);
  return Object.fromEntries(shown) as Specs;
}

async function diffUpgrade(request: DiffUpgradeRequest, context: CliContext): Promise<void> {
  const { options, flags } = request;
  const { loadRequest } = await import('../sources/load-request.ts');
  const { chart, values } = await loadRequest({ ...request, reference: request.chart }, context);
  const { warnOfUnreadValues } = await import('../print-problems.ts');
  const title = `diff ${options.name}`;
  await warnOfUnreadValues({ title, chart: request.chart, loaded: { chart, values }, always: true }, context);
  const { diffUpgrade: compare } = await import('../../actions/diff.ts');
  const session = await context.open(flags, { postRenderer: postRendererOf(flags, context) });
  const diff = await compare(chart, values, options, session);
  const isCompared = flags.chartValues === true && diff.from !== undefined;
  const besides = isCompared ? { values: await chartValues({ chart, values, name: options.name }, session) } : {};
  await writeDiff({ ...diff, ...besides }, flags, wholeCommand(context), context);
}

interface ChartOfRelease {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly name: string;
}

/** Against the chart that the release has recorded; what the user does not set anew he has set before. */
async function chartValues({ chart, values, name }: ChartOfRelease, session: CommandSession): Promise<ValuesDiff> {
  const { diffValues } = await import('../../actions/diff-values.ts');
  const { findRelease } = await import('../../actions/find-release.ts');
  const release = await findRelease(name, undefined, session);
  return diffValues(release.chart, chart, values.size > 0 ? values : release.config);
}

async function diffRollback({ options, flags }: DiffRequest<RollbackOptions>, context: CliContext): Promise<void> {
  const { diffRollback: compare } = await import('../../actions/diff.ts');
  await writeDiff(await compare(options, await context.open(flags)), flags, wholeCommand(context), context);
}

const wholeCommand = (context: CliContext) => async (): Promise<string> =>
  (await import('../errors/next-command.ts')).fullCommand(context);
