import { Command } from 'commander';
import type { Context } from '../../actions/context.ts';
import type { Plan } from '../../plan/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { requireArguments } from '../arguments.ts';
import { type ChartFlags, capabilityFlags, chartFlags, deployOptions, valueOptions } from '../chart-flags.ts';
import type { CliContext } from '../context.ts';
import type { FlagSpec } from '../flag-option.ts';
import { addFlags } from '../flags.ts';

const actions = ['install', 'upgrade', 'rollback', 'uninstall'] as const;
type Action = (typeof actions)[number];
const formats = ['tree', 'json', 'yaml', 'dot', 'mermaid', 'html'] as const;
type Format = (typeof formats)[number];

export interface PlanFlags extends Omit<ChartFlags, 'dryRun'> {
  readonly action?: Action;
  readonly apiVersions?: readonly string[];
  readonly kubeVersion?: string;
  readonly output: Format;
  readonly release?: string;
  readonly revision?: number;
}

const { 'dry-run': _dryRun, ...flagsOfCharts } = chartFlags;

const planFlags = {
  ...flagsOfCharts,
  ...capabilityFlags,
  action: {
    type: 'choice',
    placeholder: 'string',
    parse: oneOf(actions),
    description:
      'what to plan: install, upgrade, rollback or uninstall (default install; with --release upgrade, or install where there is no such release; with --release and no chart uninstall, or rollback with --revision)',
  },
  output: {
    type: 'choice',
    short: 'o',
    default: 'tree',
    placeholder: 'format',
    parse: oneOf(formats),
    description:
      'prints the plan in the specified format. Allowed values: tree, json, yaml, dot, mermaid, html (one page with the graph drawn)',
  },
  release: { type: 'string', description: 'the release that is upgraded, rolled back or uninstalled' },
  revision: { type: 'int', description: 'the revision to plan a rollback to (default the one before the last)' },
} satisfies Record<string, FlagSpec>;

function oneOf<T extends string>(allowed: readonly T[]): (text: string) => T {
  return (text) => {
    const found = allowed.find((one) => one === text);
    if (found === undefined) throw new Error(`must be one of: ${allowed.join(', ')}`);
    return found;
  };
}

export const planCommand = (context: CliContext, run = runPlan): Command =>
  addFlags(new Command('plan'), planFlags)
    .description('show in which order a release would be deployed, as --wait=ordered does it')
    .argument('[words...]')
    .usage('[NAME] [CHART] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      const flags = command.optsWithGlobals<PlanFlags>();
      requireArguments(command, words, { atMost: 2 });
      const isInstall = actionOf(words[0], flags) === 'install';
      if (isInstall) requireArguments(command, words, { atLeast: 1 });
      else requireArguments(command, words, { atMost: 1 });
      const [first, second] = words;
      await run(
        second ?? first,
        second === undefined ? flags : { ...flags, action: 'install', release: first },
        context,
      );
    });

async function runPlan(chart: string | undefined, flags: PlanFlags, context: CliContext): Promise<void> {
  const plan = await planFor(actionOf(chart, flags), chart, { ...flags, wait: flags.wait ?? 'ordered' }, context);
  context.io.stdout.write(await planText(plan, flags.output));
  if (flags.output === 'dot' || flags.output === 'mermaid')
    for (const text of plan.warnings) context.io.stderr.write(`warning: ${text}\n`);
  if (flags.strictPlan) (await import('../../actions/deploy/plan-hazards.ts')).refuseHazards(plan.hazards ?? []);
}

function actionOf(chart: string | undefined, { action, release, revision }: PlanFlags): Action {
  if (action !== undefined) return action;
  if (release === undefined) return 'install';
  if (chart !== undefined) return 'upgrade';
  return revision === undefined ? 'uninstall' : 'rollback';
}

async function planFor(
  action: Action,
  chart: string | undefined,
  flags: PlanFlags,
  context: CliContext,
): Promise<Plan> {
  const options = { ...deployOptions(flags), strictPlan: false };
  if (action === 'install') return planInstall(needed(chart, 'a chart'), flags, context);
  const name = needed(flags.release, '--release');
  if (flags.kubeVersion !== undefined || flags.apiVersions !== undefined)
    throw new TshelmError('bad-flag', {
      message: `a plan for release ${name} asks the cluster for its versions; leave out --kube-version and --api-versions`,
    });
  // Warnings are part of the plan, and shown with it.
  const session = { ...(await context.open(flags)), onEvent: undefined };
  switch (action) {
    case 'upgrade': {
      const { upgrade } = await import('../../actions/upgrade.ts');
      const request = await loadChart(needed(chart, 'a chart'), flags, context);
      // Without --action, a release that is not there yet is planned as the install that it would be.
      const install = flags.action === undefined;
      return (await upgrade(request.chart, request.values, { ...options, name, install, dryRun: 'server' }, session))
        .plan;
    }
    case 'rollback': {
      const { rollback } = await import('../../actions/rollback.ts');
      return (await rollback({ ...options, name, revision: flags.revision, dryRun: 'server' }, session)).plan;
    }
    case 'uninstall': {
      const { uninstall } = await import('../../actions/uninstall.ts');
      const { plan } = await uninstall({ ...options, name, dryRun: true }, session);
      return plan as Plan;
    }
  }
}

/** Without a cluster, as --dry-run=client renders. Errors: `invalid-kube-version`, those of install. */
async function planInstall(reference: string, flags: PlanFlags, context: CliContext): Promise<Plan> {
  const { install } = await import('../../actions/install.ts');
  const { helmRenderer } = await import('../../actions/rendering/renderer.ts');
  const { chart, values } = await loadChart(reference, flags, context);
  const { toldCapabilities } = await import('../../actions/rendering/told-capabilities.ts');
  const { now } = context.io;
  const withoutCluster: Context = {
    namespace: await context.namespace(flags),
    cluster: async () => (await context.open(flags)).cluster(),
    storage: async () => (await context.open(flags)).storage(),
    renderer: helmRenderer({ now, capabilities: toldCapabilities(flags) }),
    clock: { now },
  };
  const name = flags.release ?? chart.metadata.name;
  return (
    await install(chart, values, { ...deployOptions(flags), strictPlan: false, name, dryRun: 'client' }, withoutCluster)
  ).plan;
}

async function loadChart(reference: string, flags: PlanFlags, context: CliContext) {
  const { loadRequest } = await import('../load-request.ts');
  return loadRequest(reference, valueOptions(flags), context);
}

function needed(value: string | undefined, what: string): string {
  if (value !== undefined) return value;
  throw new TshelmError('bad-arguments', {
    message: `this plan needs ${what}: tshelm plan CHART, or tshelm plan --release NAME [CHART]`,
  });
}

async function planText(plan: Plan, format: Format): Promise<string> {
  switch (format) {
    case 'tree':
      return (await import('../../plan/draw-tree.ts')).drawPlan(plan);
    case 'dot':
      return (await import('../../plan/diagram.ts')).dotText(plan);
    case 'html':
      return (await import('../plan-page/page.ts')).planPage(plan);
    case 'mermaid':
      return (await import('../../plan/diagram.ts')).mermaidText(plan);
    case 'json':
    case 'yaml': {
      const { planData } = await import('../../plan/plan-data.ts');
      const { formatted } = await import('../output/format.ts');
      return formatted(planData(plan), format);
    }
  }
}
