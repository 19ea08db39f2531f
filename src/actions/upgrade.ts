import type { Context } from '../change/context.ts';
import { isClientSide } from '../change/deploy/apply-method.ts';
import { isDryRun } from '../change/deploy/deploy-options.ts';
import { keepingWarnings } from '../change/failure.ts';
import {
  isNewRelease,
  openToResume,
  openUpgrade,
  optionsToGoBack,
  type UpgradeRequest,
} from '../change/open-upgrade.ts';
import type { Rendered } from '../change/phases.ts';
import { prefetchClusterInfo } from '../change/prefetch-cluster-info.ts';
import { endUpgrade } from '../change/record/end.ts';
import { foreseenHistory, type SettledHistory, settledHistory } from '../change/record/settled-history.ts';
import { withLock } from '../change/record/with-lock.ts';
import { renderChart } from '../change/render-chart.ts';
import { resumeRelease } from '../change/resume.ts';
import { runPhases } from '../change/run-phases.ts';
import { undo } from '../change/undo.ts';
import { checkDependencies, checkInstallable } from '../chart/checks.ts';
import type { Chart } from '../chart/types.ts';
import type { GoMap } from '../go/value.ts';
import type { Plan } from '../plan/types.ts';
import { withStatus } from '../release/history.ts';
import { checkNameAsked } from '../release/name.ts';
import type { Release } from '../release/types.ts';
import { unreachable } from '../support/errors.ts';
import { installFromUpgrade } from './install.ts';
import type { UpgradeOptions } from './options/upgrade.ts';
import { rollback } from './rollback.ts';
import { isUnchanged, renderedOtherwise } from './unchanged.ts';

export interface UpgradeResult {
  readonly release: Release;
  readonly plan: Plan;
  readonly warnings: readonly string[];
  /** There was no such release, and --install was given. */
  readonly isInstalled: boolean;
  /** With `skipUnchanged`: `release` was deployed already, and nothing was done. */
  readonly isUnchanged?: true | undefined;
}

/**
 * Brings a release to a new chart or new values. Follows action.Upgrade. Errors: `no-deployed-releases`,
 * `operation-in-progress`, those of install; from the moment the new record exists, a failure is recorded in it.
 */
export async function upgrade(
  chart: Chart,
  values: GoMap,
  options: UpgradeOptions,
  context: Context,
): Promise<UpgradeResult> {
  const { name } = options;
  checkNameAsked(name);
  if (!options.resume) prefetchClusterInfo(options, context);
  const request = { chart, values, options };
  const isReplacing = (options.replaceObjects ?? []).length > 0;
  const skips = options.skipUnchanged && !isReplacing && !isDryRun(options);
  const unchanged = skips ? await unchangedRelease(request, context) : undefined;
  if (unchanged !== undefined) return unchanged;
  if (!isDryRun(options)) {
    return withLock('upgrade', options, context, async (locked) =>
      upgradeFrom(request, await settledHistory(name, options, locked), locked),
    );
  }
  return upgradeFrom(request, await foreseenHistory(name, options, context), context);
}

/** The deployed revision, where there is nothing to do; found before the lock is taken, so that nothing at all is written. */
async function unchangedRelease(request: Requested, context: Context): Promise<UpgradeResult | undefined> {
  const history = await (await context.storage()).revisions(request.options.name);
  const current = history.at(-1);
  if (current?.info.status !== 'deployed') return undefined;
  const planned = { ...request, options: { ...request.options, dryRun: 'plan', strictPlan: false } } as const;
  const quiet = { ...context, onEvent: undefined };
  const decided = await upgradeFrom(planned, { history, isTakenOver: false }, quiet);
  if (!(await isUnchanged(current, decided, context))) {
    const why = renderedOtherwise(current, decided.release);
    if (why !== undefined) context.onEvent?.({ kind: 'note', text: `${current.name} is upgraded: ${why}` });
    return undefined;
  }
  return { ...decided, release: current, isUnchanged: true };
}

type Requested = UpgradeRequest & { readonly options: UpgradeOptions };

async function upgradeFrom(request: Requested, found: SettledHistory, context: Context): Promise<UpgradeResult> {
  const { chart, values, options } = request;
  const { history } = found;
  if (options.resume && !(options.install && history.length === 0)) {
    return changed(resumeRelease(openToResume(request, history), context), options, context);
  }
  if (options.install && isNewRelease(found)) {
    options.onInstall?.();
    const instead = { ...options, replace: history.length > 0, serverSide: !isClientSide(options.serverSide) };
    return { ...(await installFromUpgrade({ chart, values, options: instead }, found, context)), isInstalled: true };
  }
  checkInstallable(chart);
  checkDependencies(chart);
  return changed(await renderChart(await openUpgrade(request, history, context), context), options, context);
}

const changed = (rendered: Rendered, options: UpgradeOptions, context: Context): Promise<UpgradeResult> =>
  keepingWarnings(rendered.warnings, () => upgradeRendered(rendered, options, context));

async function upgradeRendered(rendered: Rendered, options: UpgradeOptions, context: Context): Promise<UpgradeResult> {
  const outcome = await runPhases(rendered, context);
  const { plan, release } = outcome;
  const result = { plan, warnings: rendered.warnings, isInstalled: false };
  switch (outcome.kind) {
    case 'shown':
      return {
        ...result,
        release: withStatus(release, 'pending-upgrade', options.description || 'Dry run complete'),
      };
    case 'done':
      return { ...result, release: await endUpgrade(outcome, context) };
    case 'stopped': {
      const rollBack = (revision: number, calm: Context) =>
        rollback({ ...optionsToGoBack(options, outcome.history, revision), wait: plan.strategy }, calm);
      throw await undo(outcome, { rollBack }, context);
    }
    default:
      return unreachable(outcome);
  }
}
