import { Command } from 'commander';
import { type ChartInputs, capabilityFlags, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import type { GivenCapabilities } from '../../actions/rendering/given-capabilities.ts';
import type { Context } from '../../change/context.ts';
import { chartFlags } from '../../change/deploy/deploy-options.ts';
import { type FlagSpec, type FlagsOf, type OptionsOf, optionsOf } from '../../change/option-rows.ts';
import type { Plan } from '../../plan/types.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { postRendererFlags, refuseContradictions } from '../flags/chart-flags.ts';
import { flagCommand } from '../flags/flag-command.ts';
import { saveFlags } from '../flags/saved-plan-flags.ts';
import { offlineFlag } from '../flags/source-flags.ts';
import { planText } from '../output/plan-text.ts';
import { type PlanFormRequest, showFlags } from '../saved-plan/plan-request.ts';
import type { GlobalFlags } from '../settings.ts';
import { postRendererOf } from '../sources/post-renderer.ts';
import { kindOf } from '../terminal/io.ts';
import { planInstallForm, planRollbackForm, planUninstallForm, planUpgradeForm, runForm } from './plan-forms.ts';

const actions = ['install', 'upgrade', 'rollback', 'uninstall'] as const;
type Action = (typeof actions)[number];
const ownFlags = {
  action: {
    type: 'choice',
    placeholder: 'string',
    choices: actions,
    description:
      'what to plan: install, upgrade, rollback or uninstall (default: install; with --release: upgrade, or install if there is no such release; with --release and no chart: uninstall, or rollback if --revision is given)',
  },
  ...showFlags,
  release: { type: 'string', description: 'the release to upgrade, roll back or uninstall' },
  revision: { type: 'int', description: 'the revision to roll back to (default: the one before the last)' },
} satisfies Record<string, FlagSpec>;

const planFlags = {
  ...chartFlags,
  ...capabilityFlags,
  ...chartInputFlags,
  ...postRendererFlags,
  ...offlineFlag,
  ...saveFlags,
  ...ownFlags,
};

export interface PlanRequest extends ChartInputs {
  readonly chart: string | undefined;
  /** Of whatever is planned; an action takes those of them that it has. */
  readonly options: OptionsOf<typeof chartFlags>;
  readonly capabilities: GivenCapabilities;
  readonly flags: GlobalFlags &
    FlagsOf<typeof ownFlags & typeof postRendererFlags & typeof offlineFlag & typeof saveFlags>;
}

const runs = { plan: runPlan, form: runForm };

export const command = (context: CliContext, run = runs): Command =>
  flagCommand(
    'plan',
    planFlags,
    { usage: '[NAME] [CHART] [flags]', words: { atMost: 2 } },
    async (words, flags, command) => {
      const isInstall = actionOf(words[0], flags) === 'install';
      if (isInstall) requireArguments(command, words, { atLeast: 1 });
      else requireArguments(command, words, { atMost: 1 });
      refuseContradictions(flags);
      const [first, second] = words;
      const request: PlanRequest = {
        chart: second ?? first,
        options: { wait: 'ordered', ...optionsOf(chartFlags, flags) },
        capabilities: optionsOf(capabilityFlags, flags),
        ...chartInputs(flags),
        flags: first === undefined || second === undefined ? flags : { ...flags, action: 'install', release: first },
      };
      await run.plan(request, context);
    },
  )
    .description('show the order in which --wait=ordered would deploy a release')
    .addCommand(planInstallForm(context, run.form))
    .addCommand(planUpgradeForm(context, run.form))
    .addCommand(planRollbackForm(context, run.form))
    .addCommand(planUninstallForm(context, run.form));

async function runPlan(request: PlanRequest, context: CliContext): Promise<void> {
  const { flags, options } = request;
  const { output } = flags;
  const action = actionOf(request.chart, flags);
  if (action !== 'install' || output === 'markdown' || flags.out !== undefined || flags.exitCode)
    return runForm(formOf(action, request), context);
  const plan = await planInstall(request, context);
  context.io.stdout.write(await planText(plan, output), kindOf(output));
  if (output === 'dot' || output === 'mermaid')
    for (const text of plan.warnings) context.io.stderr.write(`warning: ${text}\n`);
  if (options.strictPlan) (await import('../../change/deploy/plan-hazards.ts')).refuseHazards(plan.hazards ?? []);
}

/** The plan of a release in the cluster, or one that is saved or compared with it: as `tshelm plan ACTION` makes it. */
function formOf(action: Action, request: PlanRequest): PlanFormRequest {
  const { chart, flags, options, values, access, capabilities } = request;
  const name = needed(flags.release, 'the name of a release');
  refuseGivenCapabilities(
    capabilities,
    action === 'install' ? 'that is saved or compared with the cluster' : `for release ${name}`,
  );
  const brings = action === 'install' || action === 'upgrade';
  const install = flags.action === undefined;
  const own =
    action === 'upgrade'
      ? { ...options, install }
      : action === 'rollback'
        ? { ...options, revision: flags.revision }
        : options;
  const words = brings ? [name, needed(chart, 'a chart')] : [name];
  return { action, words, naming: {}, options: own, values, access, flags };
}

function refuseGivenCapabilities({ kubeVersion, apiVersions }: GivenCapabilities, which: string): void {
  if (kubeVersion === undefined && apiVersions === undefined) return;
  throw new TshelmError('bad-flag', {
    message: `a plan ${which} takes the versions from the cluster; remove --kube-version and --api-versions`,
  });
}

function actionOf(chart: string | undefined, { action, release, revision }: PlanRequest['flags']): Action {
  if (action !== undefined) return action;
  if (release === undefined) return 'install';
  if (chart !== undefined) return 'upgrade';
  return revision === undefined ? 'uninstall' : 'rollback';
}

/** Without a cluster, as --dry-run=client renders. Errors: `invalid-kube-version`, those of install. */
async function planInstall(request: PlanRequest, context: CliContext): Promise<Plan> {
  const { capabilities, flags, options } = request;
  const { install } = await import('../../actions/install.ts');
  const { loadRequest } = await import('../sources/load-request.ts');
  const { chart, values } = await loadRequest({ ...request, reference: needed(request.chart, 'a chart') }, context);
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
  const name = flags.release ?? chart.metadata.name;
  return (await install(chart, values, { ...options, strictPlan: false, name, dryRun: 'client' }, withoutCluster)).plan;
}

function needed(value: string | undefined, what: string): string {
  if (value !== undefined) return value;
  throw new TshelmError('bad-arguments', {
    message: `this plan needs ${what}: tshelm plan CHART, or tshelm plan --release NAME [CHART]`,
  });
}
