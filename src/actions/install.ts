import { checkDependencies, checkInstallable } from '../chart/checks.ts';
import type { Chart } from '../chart/types.ts';
import { isApiError } from '../cluster/api-error.ts';
import { executePlan } from '../execute/execute.ts';
import type { Manifest } from '../manifest/types.ts';
import { planInstall } from '../plan/plan.ts';
import type { Plan } from '../plan/types.ts';
import { createRevision, deployedRevision, lastRevision, refuseTooLarge, withStatus } from '../release/history.ts';
import { refuseSystemLabels } from '../release/labels.ts';
import { validateReleaseName } from '../release/name.ts';
import type { Release } from '../release/types.ts';
import { causesOf, TshelmError } from '../support/errors.ts';
import { formatTime } from '../support/time.ts';
import type { GoMap } from '../support/value.ts';
import type { Context, PreparedChart, Rendered } from './context.ts';
import { chartCrds, compareCrds, crdModeOf, installCrds } from './deploy/crds.ts';
import { type ChartOptions, executionContext, isDryRun, refuseHidingForReal } from './deploy/deploy-options.ts';
import { hookModesOf } from './deploy/hook-modes.ts';
import { chooseOrder, inOrder, type Order, withOrder } from './deploy/order.ts';
import { withHazards } from './deploy/plan-hazards.ts';
import { checkResources } from './deploy/resource-check.ts';
import { failureText, prefixed } from './failure.ts';
import { deleteDeadHooks, leftBehind } from './record/dead-runs.ts';
import { inputsOf } from './record/inputs.ts';
import { ReleaseRecord } from './record/release-record.ts';
import { type SettledHistory, settledHistory } from './record/settled-history.ts';
import { trimmedChart } from './record/trim-record.ts';
import { calmed, operationRecord, withLock } from './record/with-lock.ts';
import { uninstall } from './uninstall.ts';

export interface InstallOptions extends ChartOptions {
  readonly name: string;
  readonly createNamespace?: boolean | undefined;
  /** Takes over the name of a release that failed or was uninstalled with its history kept. */
  readonly replace?: boolean | undefined;
  /** Default true: server-side apply. */
  readonly serverSide?: boolean | undefined;
}

export interface InstallResult {
  readonly release: Release;
  /** What was done, or with --dry-run would be. */
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
  checkInstallable(chart);
  checkDependencies(chart);
  refuseSystemLabels(options.labels ?? {});
  refuseHidingForReal(options);
  await checkNewName(options.name);
  const task = (locked: Context): Promise<InstallResult> => installLocked(chart, values, options, locked);
  return isDryRun(options) ? task(context) : withLock('install', options, context, task);
}

async function installLocked(
  chart: Chart,
  values: GoMap,
  options: InstallOptions,
  context: Context,
): Promise<InstallResult> {
  const history = await historyOfName(options, context);
  const prepared = await context.renderer.prepare(chart, values);
  const mode = crdModeOf(options, 'create');
  const crds = chartCrds(prepared, mode, context);
  const declared = mode === 'skip' || (isDryRun(options) && !options.unchecked) ? [] : crds;
  const plainly = await renderRelease(prepared, values, declared, options, context);
  const order = chooseOrder(chart, prepared, plainly, options, context);
  const rendered = inOrder(plainly, order);
  const pending = pendingRelease(prepared, values, rendered, options, history, context);
  const release = {
    ...withOrder(pending, order),
    operation: operationRecord(options, context, () => ({ action: 'install', inputs: inputsOf(chart, values) })),
  };
  if (!isDryRun(options)) await refuseTooLarge(await context.storage(), release);
  const change = await compareCrds(crds, mode, options, context);
  const planned = planOf(prepared, rendered, order, change.manifests, history, options, context);
  const plan = await withHazards(planned, order.warnings, options, context);
  await installCrds(change, { ...plan, applyMethod: applyMethodOf(options) }, options, context);
  const existing = await checkBeforeInstall(rendered, release, options, context);
  if (isDryRun(options)) return { release: dryRunOf(release), plan, warnings: rendered.warnings };
  await createReleaseNamespace(plan, options, context);
  await deleteDeadHooks(history, plan, options, context);
  await supersedeReplaced(history, context);
  await createRevision(await context.storage(), release, []);
  const deployed = await deploy(plan, release, existing, options, context);
  return { release: deployed, plan, warnings: rendered.warnings };
}

const checkNewName = (name: string): Promise<void> =>
  prefixed('release name check failed', async () =>
    prefixed(`release name "${name}"`, async () => validateReleaseName(name)),
  );

/**
 * The name's revisions; all of them are there to be replaced. An install that died before anything was ever deployed does
 * not keep the name. Errors: `name-in-use` (Install.availableName), `operation-in-progress`.
 */
async function historyOfName(options: InstallOptions, context: Context): Promise<readonly Release[]> {
  const { name } = options;
  if (isDryRun(options)) return [];
  const { history, isTakenOver } = await historyInSight(options, context);
  if (history.length === 0) return history;
  const { status } = lastRevision(name, history).info;
  if (isTakenOver && deployedRevision(history) === undefined) return history;
  if (options.replace && (status === 'uninstalled' || status === 'failed')) return history;
  throw new TshelmError('name-in-use', {
    message: 'release name check failed: cannot reuse a name that is still in use',
    details: { release: name, status },
  });
}

/** Who may not list records may still write one: a name in use is then noticed when the record is created. */
async function historyInSight(options: InstallOptions, context: Context): Promise<SettledHistory> {
  try {
    return await settledHistory(options.name, options, context);
  } catch (error) {
    if (causesOf(error).some((cause) => isApiError(cause, 'Forbidden'))) return { history: [], isTakenOver: false };
    throw error;
  }
}

const installContext = async (options: InstallOptions, context: Context) => ({
  ...(await executionContext(options, context)),
  applyMethod: applyMethodOf(options),
});

const applyMethodOf = ({ serverSide = true }: InstallOptions): 'ssa' | 'csa' => (serverSide ? 'ssa' : 'csa');

const renderRelease = async (
  prepared: PreparedChart,
  values: GoMap,
  declaredCrds: readonly Manifest[],
  options: InstallOptions,
  context: Context,
): Promise<Rendered> =>
  context.renderer.render(prepared, values, {
    release: { name: options.name, namespace: context.namespace, revision: 1, isUpgrade: false },
    cluster: options.dryRun === 'client' ? undefined : await context.cluster(),
    declaredCrds,
    subchartNotes: options.renderSubchartNotes,
    hideSecrets: options.hideSecret,
    skipSchemaValidation: options.skipSchemaValidation,
    enableDns: options.enableDns,
    signal: context.signal,
  });

/** The whole plan, CRDs included; those are not part of what is executed once the chart is rendered. */
const planOf = (
  prepared: PreparedChart,
  rendered: Rendered,
  order: Order,
  crds: readonly Manifest[],
  history: readonly Release[],
  options: InstallOptions,
  context: Context,
): Plan =>
  planInstall({
    leftBehind: leftBehind(history),
    release: options.name,
    namespace: context.namespace,
    strategy: order.strategy,
    unit: order.unit,
    manifests: rendered.manifests,
    hooks: rendered.hooks,
    runHooks: !options.noHooks,
    hookModeOf: hookModesOf(prepared.chart),
    crds,
    createNamespace: options.createNamespace,
    warnings: rendered.warnings,
  });

function pendingRelease(
  prepared: PreparedChart,
  values: GoMap,
  rendered: Rendered,
  options: InstallOptions,
  history: readonly Release[],
  context: Context,
): Release {
  const now = formatTime(context.clock.now());
  return {
    name: options.name,
    namespace: context.namespace,
    version: history.length === 0 ? 1 : lastRevision(options.name, history).version + 1,
    info: {
      firstDeployed: now,
      lastDeployed: now,
      status: 'pending-install',
      description: 'Initial install underway',
      notes: rendered.notes,
    },
    chart: options.trimRecord ? trimmedChart(prepared.chart, values) : prepared.chart,
    config: values,
    manifest: rendered.manifest,
    hooks: rendered.hooks,
    applyMethod: applyMethodOf(options),
    labels: options.labels ?? {},
  };
}

const dryRunOf = (release: Release): Release => withStatus(release, 'pending-install', 'Dry run complete');

/** Every kind is served and nothing belongs to somebody else, before anything is stored or sent. Returns what is there already. */
async function checkBeforeInstall(
  rendered: Rendered,
  release: Release,
  options: InstallOptions,
  context: Context,
): Promise<ReadonlySet<string>> {
  if (options.dryRun === 'client' || (isDryRun(options) && options.unchecked)) return new Set();
  return (await checkResources(rendered.manifests, release, options, context)).existing;
}

async function createReleaseNamespace(plan: Plan, options: InstallOptions, context: Context): Promise<void> {
  const steps = plan.steps.filter((step) => step.kind === 'create-namespace');
  await executePlan({ ...plan, steps }, await installContext(options, context));
}

/** A release that failed keeps its status; any other that is replaced is superseded (Install.replaceRelease). */
async function supersedeReplaced(history: readonly Release[], context: Context): Promise<void> {
  const [last] = history.slice(-1);
  if (last === undefined || last.info.status === 'failed') return;
  await (await context.storage()).update(withStatus(last, 'superseded', 'superseded by new release'));
}

async function deploy(
  plan: Plan,
  release: Release,
  existing: ReadonlySet<string>,
  options: InstallOptions,
  context: Context,
): Promise<Release> {
  const record = new ReleaseRecord(release, await context.storage(), context.onEvent);
  const steps = plan.steps.filter((step) => step.kind !== 'install-crds' && step.kind !== 'create-namespace');
  try {
    await executePlan(
      { ...plan, steps },
      {
        ...(await installContext(options, context)),
        onEvent: record.onEvent,
        existing,
        upgradeFieldManager: existing.size > 0,
        onHook: async (hook) => record.hookChanged(hook),
        progress: record.progress(),
      },
    );
  } catch (error) {
    throw await failInstall(error, record, plan, options, context);
  }
  return record.finish((latest) => withStatus(latest, 'deployed', options.description || 'Install complete'));
}

/** Records the failure, or takes the release away again (--rollback-on-failure). Returns the error to throw. */
async function failInstall(
  error: unknown,
  record: ReleaseRecord,
  plan: Plan,
  options: InstallOptions,
  context: Context,
): Promise<unknown> {
  const { name, timeoutMs, noHooks, failFast, graceMs } = options;
  if (context.lock?.lost.aborted) return error;
  const text = failureText(error, record.whereabouts);
  if (!options.rollbackOnFailure) {
    await record.fail((latest) => withStatus(latest, 'failed', `Release "${name}" failed: ${text}`));
    return error;
  }
  await record.settle();
  await prefixed(`an error occurred while uninstalling the release. original install error: ${text}`, () =>
    uninstall({ name, timeoutMs, noHooks, failFast, graceMs, wait: plan.strategy }, calmed(context)),
  );
  return new TshelmError('install-rolled-back', {
    message: `release ${name} failed, and has been uninstalled due to rollback-on-failure being set: ${text}`,
    details: { release: name },
    cause: error,
  });
}
