import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { type ChartInputs, capabilityFlags, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import { installFlags } from '../../actions/options/install.ts';
import { upgradeFlags } from '../../actions/options/upgrade.ts';
import type { GivenCapabilities } from '../../actions/rendering/given-capabilities.ts';
import type { Context } from '../../change/context.ts';
import { chartFlags } from '../../change/deploy/deploy-options.ts';
import { type FlagSpec, type FlagsOf, type OptionsOf, optionsOf } from '../../change/option-rows.ts';
import type { Plan } from '../../plan/types.ts';
import { TshelmError } from '../../support/errors.ts';
import type { Fields } from '../../support/json.ts';
import { isNear } from '../../support/near.ts';
import { camelCase } from '../../support/text.ts';
import type { CliContext } from '../context.ts';
import { fullName, requireArguments, unknownCommand } from '../flags/arguments.ts';
import { refuseContradictions } from '../flags/chart-flags.ts';
import { exitCodeFlags } from '../flags/exit-code-flags.ts';
import { flagCommand } from '../flags/flag-command.ts';
import { planText } from '../output/plan-text.ts';
import { bringFlags, formFlags, type PlanFormRequest } from '../saved-plan/plan-request.ts';
import type { GlobalFlags } from '../settings.ts';
import { postRendererOf } from '../sources/post-renderer.ts';
import { kindOf } from '../terminal/io.ts';
import {
  planInstallForm,
  planReleaseForm,
  planRollbackForm,
  planUninstallForm,
  planUpgradeForm,
  runForm,
  runRelease,
} from './plan-forms.ts';

const actions = ['install', 'upgrade', 'rollback', 'uninstall'] as const;
type Action = (typeof actions)[number];
const ownFlags = {
  action: {
    type: 'choice',
    hidden: true,
    placeholder: 'string',
    choices: actions,
    description: 'what to plan: install, upgrade, rollback or uninstall',
  },
  release: { type: 'string', hidden: true, description: 'the release to upgrade, roll back or uninstall' },
  revision: {
    type: 'int',
    hidden: true,
    description: 'the revision to roll back to (default: the one before the last)',
  },
} satisfies Record<string, FlagSpec>;

/** Those of a release that exists: a chart alone has no use for them. */
const { install: _implied, 'hide-secret': _neverShown, 'skip-unchanged': _whenRun, ...releaseFlags } = upgradeFlags;

const planFlags = {
  ...releaseFlags,
  ...capabilityFlags,
  ...chartInputFlags,
  ...bringFlags,
  offline: {
    type: 'bool',
    description:
      'download nothing and do not ask the cluster: use the caches, list everything that they lack, and show the order in which --wait=ordered would install',
  },
  ...formFlags,
  ...ownFlags,
} satisfies Record<string, FlagSpec>;

export interface PlanRequest extends ChartInputs {
  readonly words: readonly string[];
  /** Of an upgrade that installs where there is no release. */
  readonly options: OptionsOf<typeof releaseFlags>;
  readonly capabilities: GivenCapabilities;
  readonly flags: GlobalFlags & FlagsOf<typeof planFlags>;
}

const runs = { plan: runPlan, form: runForm, release: runRelease };

/**
 * `plan NAME CHART` asks the cluster; `plan CHART`, or with --offline, shows the order of the chart alone. The words of an
 * action, and `--action` and `--release`, are other ways to say the same.
 */
export const command = (context: CliContext, run = runs): Command =>
  flagCommand('plan', planFlags, { usage: '[NAME] [CHART] [flags]' }, async (words, flags, command) => {
    refuseMisspeltForm(command, words);
    requireArguments(command, words, { atMost: 2 });
    const { action, release } = flags;
    if (release !== undefined) requireArguments(command, words, { atMost: 1 });
    if (action === undefined && release === undefined) requireArguments(command, words, { atLeast: 1 });
    refuseContradictions(flags);
    const [options, capabilities] = [optionsOf(releaseFlags, flags), optionsOf(capabilityFlags, flags)];
    await run.plan({ words, options, capabilities, ...chartInputs(flags), flags }, context);
  })
    .description('show what installing or upgrading a release would do, object by object and in order')
    .addCommand(planInstallForm(context, run.form), { hidden: true })
    .addCommand(planUpgradeForm(context, run.form), { hidden: true })
    .addCommand(planRollbackForm(context, run.form))
    .addCommand(planUninstallForm(context, run.form))
    .addCommand(planReleaseForm(context, run.release));

/** `plan instal shop ./shop` and `plan rolback shop` name neither a release nor a chart. Errors: `unknown-command`. */
function refuseMisspeltForm(command: Command, words: readonly string[]): void {
  const [form = '', chart] = words;
  const names = command.commands.map((one) => one.name());
  if (chart === undefined || !names.some((name) => isNear(name, form))) return;
  if (words.length > 2 || !mayNameChart(chart)) throw unknownCommand(form, fullName(command), names);
}

const mayNameChart = (text: string): boolean => text.includes('/') || existsSync(text);

async function runPlan(request: PlanRequest, context: CliContext): Promise<void> {
  const { flags, words } = request;
  const { action, release, offline } = flags;
  if (action !== undefined || release !== undefined) return runAlias(request, context);
  const [name, chart] = words;
  if (name !== undefined && chart !== undefined && !offline) return runForm(releaseForm(name, chart, request), context);
  await runOrder(name === undefined || chart === undefined ? { chart: name } : { name, chart }, request, context);
}

/** An upgrade, or an install where there is no release. */
function releaseForm(name: string, chart: string, request: PlanRequest): PlanFormRequest {
  const { flags, options, values, access, capabilities } = request;
  refuseGivenCapabilities(capabilities);
  return {
    action: 'upgrade',
    words: [name, chart],
    naming: {},
    options: { ...options, install: true },
    values,
    access,
    flags,
  };
}

/** The order of a chart, as --wait=ordered would install it; the cluster is not asked. */
async function runOrder(
  { name, chart }: { readonly name?: string | undefined; readonly chart: string | undefined },
  request: PlanRequest,
  context: CliContext,
): Promise<void> {
  const { flags } = request;
  const { output } = flags;
  refuseReleaseFlags(flags);
  if (output === 'markdown') throw needsCluster('-o markdown');
  const plan = await planInstall(name, needed(chart, 'a chart'), request, context);
  context.io.stdout.write(await planText(plan, output), kindOf(output));
  if (output === 'dot' || output === 'mermaid')
    for (const text of plan.warnings) context.io.stderr.write(`warning: ${text}\n`, 'folded');
  if (flags.strictPlan) (await import('../../change/deploy/plan-hazards.ts')).refuseHazards(plan.hazards ?? []);
}

/** Errors: `bad-flag` for what is said of a release, or of objects, in the cluster. */
function refuseReleaseFlags(flags: PlanRequest['flags']): void {
  const options = new Set<string>(Object.values(installFlags).map(({ option }) => option));
  const ofReleases = Object.entries(releaseFlags).flatMap(([name, { option }]) => (options.has(option) ? [] : [name]));
  const isGiven = (name: string): boolean => Boolean((flags as unknown as Fields)[camelCase(name)]);
  const given = [...ofReleases, 'out', ...Object.keys(exitCodeFlags), 'diff'].find(isGiven);
  if (given !== undefined) throw needsCluster(`--${given}`);
}

const needsCluster = (what: string): TshelmError =>
  new TshelmError('bad-flag', { message: `${what} needs the cluster: tshelm plan NAME CHART, without --offline` });

/** `--release NAME [CHART]`, `--action ACTION`. */
async function runAlias(request: PlanRequest, context: CliContext): Promise<void> {
  const { flags, words, options, values, access } = request;
  const [first, second] = words;
  const [name, chart] = [flags.release ?? needed(first, 'the name of a release'), flags.release ? first : second];
  const action = actionOf(chart, flags);
  if (action === 'upgrade' && flags.action === undefined)
    return runForm(releaseForm(name, needed(chart, 'a chart'), request), context);
  refuseGivenCapabilities(request.capabilities);
  const own = action === 'rollback' ? { ...options, revision: flags.revision } : options;
  const brings = action === 'install' || action === 'upgrade';
  const all = brings ? [name, needed(chart, 'a chart')] : [name];
  return runForm({ action, words: all, naming: {}, options: own, values, access, flags }, context);
}

function refuseGivenCapabilities({ kubeVersion, apiVersions }: GivenCapabilities): void {
  if (kubeVersion === undefined && apiVersions === undefined) return;
  throw new TshelmError('bad-flag', {
    message:
      'the plan of a release takes the versions from the cluster: remove --kube-version and --api-versions, or add --offline',
  });
}

function actionOf(chart: string | undefined, { action, revision }: PlanRequest['flags']): Action {
  if (action !== undefined) return action;
  if (chart !== undefined) return 'upgrade';
  return revision === undefined ? 'uninstall' : 'rollback';
}

/** Without a cluster, as --dry-run=client renders. Errors: `invalid-kube-version`, those of install. */
async function planInstall(
  name: string | undefined,
  reference: string,
  request: PlanRequest,
  context: CliContext,
): Promise<Plan> {
  const { capabilities, flags } = request;
  const { install } = await import('../../actions/install.ts');
  const { loadRequest } = await import('../sources/load-request.ts');
  const { chart, values } = await loadRequest({ ...request, reference }, context);
  const { warnOfUnreadValues } = await import('../print-problems.ts');
  const title = `plan ${name ?? chart.metadata.name}`;
  await warnOfUnreadValues({ title, chart: reference, loaded: { chart, values }, always: true }, context);
  const { givenCapabilities } = await import('../../actions/rendering/given-capabilities.ts');
  const { now } = context.io;
  const withoutCluster: Context = {
    namespace: await context.namespace(flags),
    cluster: async () => (await context.open(flags)).cluster(),
    storage: async () => (await context.open(flags)).storage(),
    rendering: {
      now,
      postRenderer: postRendererOf(flags, context),
      capabilities: givenCapabilities(capabilities),
    },
    clock: { now },
  };
  const options = { wait: 'ordered', ...optionsOf(chartFlags, flags), strictPlan: false, dryRun: 'client' } as const;
  return (await install(chart, values, { ...options, name: name ?? chart.metadata.name }, withoutCluster)).plan;
}

function needed(value: string | undefined, what: string): string {
  if (value !== undefined) return value;
  throw new TshelmError('bad-arguments', {
    message: `this plan needs ${what}: tshelm plan [NAME] CHART`,
  });
}
