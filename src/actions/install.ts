import type { Context } from '../change/context.ts';
import { isClientSide } from '../change/deploy/apply-method.ts';
import { crdModeOf } from '../change/deploy/crds.ts';
import {
  clusterKnowledgeOf,
  executionOptions,
  isDryRun,
  lastPhaseOf,
  refuseHideSecretWithoutDryRun,
} from '../change/deploy/deploy-options.ts';
import { keepingWarnings } from '../change/failure.ts';
import { checkNewName, historyForFreeName, historyOfNewName, plannedHistory } from '../change/open-install.ts';
import type { Rendered } from '../change/phases.ts';
import { prefetchClusterInfo } from '../change/prefetch-cluster-info.ts';
import { inputsOf } from '../change/record/inputs.ts';
import type { SettledHistory } from '../change/record/settled-history.ts';
import { withLock } from '../change/record/with-lock.ts';
import { type ChartOpened, renderChart } from '../change/render-chart.ts';
import { runPhases } from '../change/run-phases.ts';
import { undo } from '../change/undo.ts';
import { checkDependencies, checkInstallable } from '../chart/checks.ts';
import type { Chart } from '../chart/types.ts';
import type { GoMap } from '../go/value.ts';
import type { Plan } from '../plan/types.ts';
import { lastRevision, withStatus } from '../release/history.ts';
import { refuseSystemLabels } from '../release/labels.ts';
import type { Release } from '../release/types.ts';
import { unreachable } from '../support/errors.ts';
import type { InstallOptions } from './options/install.ts';
import { uninstall } from './uninstall.ts';

export interface InstallResult {
  readonly release: Release;
  /** What was done, or with a dry run would be. */
  readonly plan: Plan;
  readonly warnings: readonly string[];
}

/**
 * Installs a chart as a new release. Follows action.Install. Errors: of validateReleaseName, `name-in-use`,
 * `dependencies-missing`, `plan-hazards`, `no-matches-for-kind`, `ownership-conflict`, and whatever the execution fails with; from the
 * moment the record exists, a failure is recorded in it.
 */
export async function install(
  chart: Chart,
  values: GoMap,
  options: InstallOptions,
  context: Context,
): Promise<InstallResult> {
  const request = { chart, values, options };
  await checkRequest(request);
  prefetchClusterInfo(options, context);
  if (isDryRun(options)) {
    const history = options.dryRun === 'plan' ? await plannedHistory(options, context) : [];
    return renderAndInstall(await opened(request, history, context), context);
  }
  return withLock('install', options, context, async (locked) =>
    renderAndInstall(await opened(request, await historyOfNewName(options, locked), locked), locked),
  );
}

/** The same where an upgrade with --install has locked the release and read its history. Errors: those of install. */
export async function installFromUpgrade(
  request: Requested,
  found: SettledHistory,
  context: Context,
): Promise<InstallResult> {
  await checkRequest(request);
  const { options } = request;
  const isKnown = options.dryRun === 'plan' || !isDryRun(options);
  const history = isKnown ? await historyForFreeName(options, found) : [];
  return renderAndInstall(await opened(request, history, context), context);
}

async function checkRequest({ chart, options }: Requested): Promise<void> {
  checkInstallable(chart);
  checkDependencies(chart);
  refuseSystemLabels(options.labels ?? {});
  refuseHideSecretWithoutDryRun(options);
  await checkNewName(options.name);
}

interface Requested {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly options: InstallOptions;
}

async function opened(request: Requested, history: readonly Release[], context: Context): Promise<ChartOpened> {
  const { chart, values, options } = request;
  const sight = clusterKnowledgeOf(options);
  return {
    ...request,
    action: 'install',
    lastPhase: lastPhaseOf(options),
    sight,
    namespace: context.namespace,
    history,
    crdMode: crdModeOf(options, 'create'),
    cluster: sight === 'nothing' ? undefined : await context.cluster(),
    templateRevision: 1,
    newRevision: {
      version: history.length === 0 ? 1 : lastRevision(options.name, history).version + 1,
      status: 'pending-install',
      description: 'Initial install underway',
      applyMethod: isClientSide(options.serverSide) ? 'csa' : 'ssa',
      labels: options.labels ?? {},
    },
    inputs: () => inputsOf(chart, values),
  };
}

async function renderAndInstall(change: ChartOpened, context: Context): Promise<InstallResult> {
  const rendered = await renderChart(change, context);
  return keepingWarnings(rendered.warnings, () => installRendered(rendered, change.options, context));
}

async function installRendered(
  rendered: Rendered,
  options: ChartOpened['options'],
  context: Context,
): Promise<InstallResult> {
  const { name, noHooks, description } = options;
  const outcome = await runPhases(rendered, context);
  const { plan, warnings, release } = outcome;
  switch (outcome.kind) {
    case 'shown':
      return { release: withStatus(release, 'pending-install', 'Dry run complete'), plan, warnings };
    case 'done': {
      const text = description || 'Install complete';
      return { release: await outcome.record.finish((last) => withStatus(last, 'deployed', text)), plan, warnings };
    }
    case 'stopped': {
      const without = { ...executionOptions(options), name, noHooks, wait: plan.strategy };
      throw await undo(outcome, { uninstall: (calm) => uninstall(without, calm) }, context);
    }
    default:
      return unreachable(outcome);
  }
}
