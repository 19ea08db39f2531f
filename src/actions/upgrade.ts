import { checkDependencies, checkInstallable } from '../chart/checks.ts';
import type { Chart } from '../chart/types.ts';
import { executePlan } from '../execute/execute.ts';
import type { Manifest, ResourceId } from '../manifest/types.ts';
import { planUpgrade } from '../plan/plan.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import type { Plan } from '../plan/types.ts';
import {
  createRevision,
  deployedRevision,
  isPending,
  lastRevision,
  noDeployedReleases,
  refuseTooLarge,
  supersede,
  withStatus,
} from '../release/history.ts';
import { mergeLabels, refuseSystemLabels } from '../release/labels.ts';
import type { Release, ReleaseStorage } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';
import { formatTime } from '../support/time.ts';
import type { GoMap } from '../support/value.ts';
import type { Context, PreparedChart, Rendered } from './context.ts';
import { type ApplyMode, refuseForce, usesServerSideApply } from './deploy/apply-method.ts';
import { deleteCreated } from './deploy/clean-up.ts';
import { chartCrds, compareCrds, crdModeOf, installCrds } from './deploy/crds.ts';
import { type ChartOptions, executionContext, isDryRun, refuseHidingForReal } from './deploy/deploy-options.ts';
import { hookModesOf } from './deploy/hook-modes.ts';
import { chooseOrder, inOrder, type Order, storedOrder, withOrder } from './deploy/order.ts';
import { withHazards } from './deploy/plan-hazards.ts';
import { checkChange, type Existing } from './deploy/resource-check.ts';
import { reusedValues, type ValuesReuse } from './deploy/reused-values.ts';
import { failureText, prefixed } from './failure.ts';
import { checkName } from './find-release.ts';
import { type InstallOptions, install } from './install.ts';
import { deleteDeadHooks, leftBehind } from './record/dead-runs.ts';
import { inputsOf } from './record/inputs.ts';
import { ReleaseRecord, updateOrWarn } from './record/release-record.ts';
import { resumption } from './record/resume.ts';
import { type SettledHistory, settledHistory } from './record/settled-history.ts';
import { trimmedChart } from './record/trim-record.ts';
import { calmed, operationRecord, withLock } from './record/with-lock.ts';
import { rollback } from './rollback.ts';

export interface UpgradeOptions extends ChartOptions, ValuesReuse {
  readonly name: string;
  /** Installs the release when there is none, or when it was uninstalled. */
  readonly install?: boolean | undefined;
  /** Told before that install begins. */
  readonly onInstall?: (() => void) | undefined;
  /** Goes on with a revision that failed, after the last hook and batch that it finished. */
  readonly resume?: boolean | undefined;
  /** With `install`. */
  readonly createNamespace?: boolean | undefined;
  /** Revisions to keep; 0 means all. */
  readonly maxHistory?: number | undefined;
  /** Deletes what a failed upgrade created. */
  readonly cleanupOnFail?: boolean | undefined;
  /** Default `auto`: as the release was last deployed. */
  readonly serverSide?: ApplyMode | undefined;
}

export interface UpgradeResult {
  readonly release: Release;
  readonly plan: Plan;
  readonly warnings: readonly string[];
  /** There was no such release, and --install was given. */
  readonly isInstalled: boolean;
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
  checkName(options.name, `release name is invalid: ${options.name}`);
  const task = (locked: Context): Promise<UpgradeResult> => upgradeLocked(chart, values, options, locked);
  return isDryRun(options) ? task(context) : withLock('upgrade', options, context, task);
}

async function upgradeLocked(
  chart: Chart,
  values: GoMap,
  options: UpgradeOptions,
  context: Context,
): Promise<UpgradeResult> {
  const { history, isTakenOver } = await historyFor(options, context);
  if (options.resume && !(options.install && history.length === 0)) {
    return resume(chart, values, history, options, context);
  }
  // An install that died is begun anew, its pre-install hooks too.
  const isNew = isGone(options.name, history) || (isTakenOver && history.every(wasNeverDeployed));
  if (options.install && isNew) return installInstead(chart, values, history, options, context);
  checkInstallable(chart);
  checkDependencies(chart);
  const { last, current } = findRevisions(options.name, history);
  refuseForce(usesServerSideApply(options.serverSide, last), options);
  const reused = reusedValues(chart, values, current, options);
  const prepared = await context.renderer.prepare(reused.chart, reused.values);
  const mode = crdModeOf(options, 'skip');
  const crds = chartCrds(prepared, mode, context);
  const declared = mode === 'skip' || (isDryRun(options) && !options.unchecked) ? [] : crds;
  const plainly = await renderUpgrade(prepared, reused.values, last, current, declared, options, context);
  refuseSystemLabels(options.labels ?? {});
  refuseHidingForReal(options);
  const order = chooseOrder(reused.chart, prepared, plainly, options, context);
  const rendered = inOrder(plainly, order);
  const pending = pendingRelease(prepared, reused.values, rendered, last, current, options, context);
  const release = {
    ...withOrder(pending, order),
    operation: operationRecord(options, context, () => ({ action: 'upgrade', inputs: inputsOf(chart, reused.values) })),
  };
  if (!isDryRun(options)) await refuseTooLarge(await context.storage(), release);
  const change = await compareCrds(crds, mode, options, context);
  const planned = planOf(prepared, rendered, order, change.manifests, current, history, options);
  const plan = await withHazards(planned, order.warnings, options, context);
  await installCrds(change, { ...plan, applyMethod: release.applyMethod ?? 'csa' }, options, context);
  const result = { plan, warnings: rendered.warnings, isInstalled: false };
  if (isDryRun(options) && options.unchecked) return { ...result, release: dryRunOf(release, options) };
  const replaced = readStoredManifest(current.manifest);
  const existing = await checkChange(rendered.manifests, replaced, release, options, context);
  if (isDryRun(options)) return { ...result, release: dryRunOf(release, options) };
  return { ...result, release: await deploy(plan, release, current, history, existing, options, context) };
}

/** Goes on with the last revision, which failed: as a new one, after what is finished of it. */
async function resume(
  chart: Chart,
  values: GoMap,
  history: readonly Release[],
  options: UpgradeOptions,
  context: Context,
): Promise<UpgradeResult> {
  const current = deployedRevision(history) ?? lastRevision(options.name, history);
  const reused = reusedValues(chart, values, current, options);
  const { release, plan, done } = resumption({ chart, values: reused.values }, { history, current }, options, context);
  const result = { plan, warnings: [], isInstalled: false };
  const manifests = readStoredManifest(release.manifest);
  const existing = await checkChange(manifests, readStoredManifest(current.manifest), release, options, context);
  if (isDryRun(options)) return { ...result, release: dryRunOf(release, options) };
  const text = `revision ${release.version} goes on where revision ${release.version - 1} failed; finished: ${done.size}`;
  context.onEvent?.({ kind: 'note', text });
  return { ...result, release: await deploy(plan, release, current, history, existing, options, context, done) };
}

async function historyFor(options: UpgradeOptions, context: Context): Promise<SettledHistory> {
  if (!isDryRun(options)) return settledHistory(options.name, options, context);
  return { history: await (await context.storage()).revisions(options.name), isTakenOver: false };
}

const isGone = (name: string, history: readonly Release[]): boolean =>
  history.length === 0 || lastRevision(name, history).info.status === 'uninstalled';

const wasNeverDeployed = ({ info }: Release): boolean => info.status === 'failed' && info.deleted === undefined;

async function installInstead(
  chart: Chart,
  values: GoMap,
  history: readonly Release[],
  options: UpgradeOptions,
  context: Context,
): Promise<UpgradeResult> {
  const { serverSide = 'auto', onInstall } = options;
  onInstall?.();
  const installOptions: InstallOptions = {
    ...options,
    replace: history.length > 0,
    serverSide: serverSide !== 'false',
  };
  return { ...(await install(chart, values, installOptions, context)), isInstalled: true };
}

interface Revisions {
  readonly last: Release;
  /** What is replaced: the deployed revision, or the last one when none is. */
  readonly current: Release;
}

function findRevisions(name: string, history: readonly Release[]): Revisions {
  if (history.length === 0) throw noDeployedReleases(name);
  const last = lastRevision(name, history);
  if (isPending(last)) throw operationInProgress(last);
  if (last.info.status === 'deployed') return { last, current: last };
  const deployed = deployedRevision(history);
  const isReplaceable = last.info.status === 'failed' || last.info.status === 'superseded';
  if (deployed === undefined && !isReplaceable) throw noDeployedReleases(name);
  return { last, current: deployed ?? last };
}

/** Helm's errPending. */
const operationInProgress = ({ name, version, info }: Release): TshelmError =>
  new TshelmError('operation-in-progress', {
    message: 'another operation (install/upgrade/rollback) is in progress',
    details: { release: name, revision: version, status: info.status },
  });

const renderUpgrade = async (
  prepared: PreparedChart,
  values: GoMap,
  last: Release,
  current: Release,
  declaredCrds: readonly Manifest[],
  options: UpgradeOptions,
  context: Context,
): Promise<Rendered> =>
  context.renderer.render(prepared, values, {
    release: { name: options.name, namespace: current.namespace, revision: last.version + 1, isUpgrade: true },
    cluster: await context.cluster(),
    declaredCrds,
    subchartNotes: options.renderSubchartNotes,
    hideSecrets: options.hideSecret,
    skipSchemaValidation: options.skipSchemaValidation,
    enableDns: options.enableDns,
    signal: context.signal,
  });

function pendingRelease(
  prepared: PreparedChart,
  values: GoMap,
  rendered: Rendered,
  last: Release,
  current: Release,
  options: UpgradeOptions,
  context: Context,
): Release {
  return {
    name: options.name,
    namespace: current.namespace,
    version: last.version + 1,
    info: {
      firstDeployed: current.info.firstDeployed,
      lastDeployed: formatTime(context.clock.now()),
      status: 'pending-upgrade',
      description: 'Preparing upgrade',
      notes: rendered.notes,
    },
    chart: options.trimRecord ? trimmedChart(prepared.chart, values) : prepared.chart,
    config: values,
    manifest: rendered.manifest,
    hooks: rendered.hooks,
    applyMethod: usesServerSideApply(options.serverSide, last) ? 'ssa' : 'csa',
    labels: mergeLabels(last.labels, options.labels ?? {}),
  };
}

const planOf = (
  prepared: PreparedChart,
  rendered: Rendered,
  order: Order,
  crds: readonly Manifest[],
  current: Release,
  history: readonly Release[],
  options: UpgradeOptions,
): Plan =>
  planUpgrade({
    release: options.name,
    namespace: current.namespace,
    strategy: order.strategy,
    unit: order.unit,
    current: readStoredManifest(current.manifest),
    leftBehind: leftBehind(history),
    currentUnit: order.unit && storedOrder(current, history, 'ordered').unit,
    crds,
    manifests: rendered.manifests,
    hooks: rendered.hooks,
    runHooks: !options.noHooks,
    hookModeOf: hookModesOf(prepared.chart),
    warnings: rendered.warnings,
  });

const completeTexts = { install: 'Install complete', upgrade: 'Upgrade complete' } as const;

const dryRunOf = (release: Release, { description }: UpgradeOptions): Release =>
  withStatus(release, 'pending-upgrade', description || 'Dry run complete');

/** Carries the change out as a new revision; from its record on, a failure is recorded in it. */
async function deploy(
  plan: Plan,
  release: Release,
  current: Release,
  history: readonly Release[],
  existing: Existing,
  options: UpgradeOptions,
  context: Context,
  done?: ReadonlySet<string>,
): Promise<Release> {
  const storage = await context.storage();
  await deleteDeadHooks(history, plan, options, context);
  await createRevision(storage, release, history, options.maxHistory);
  const record = new ReleaseRecord(release, storage, context.onEvent);
  const created: ResourceId[] = [];
  const isMethodChanged = current.applyMethod !== 'ssa' && release.applyMethod === 'ssa';
  try {
    const steps = plan.steps.filter((step) => step.kind !== 'install-crds');
    await executePlan(
      { ...plan, steps },
      {
        ...(await executionContext(options, context)),
        onEvent: record.onEvent,
        ...existing,
        applyMethod: release.applyMethod,
        upgradeFieldManager: isMethodChanged,
        onCreate: (id) => created.push(id),
        onHook: async (hook) => record.hookChanged(hook),
        progress: record.progress(done),
      },
    );
  } catch (error) {
    throw await failUpgrade(error, record, plan, created, options, context);
  }
  const deployed = await record.finish((latest) =>
    withStatus(
      latest,
      'deployed',
      options.description || completeTexts[plan.action === 'install' ? 'install' : 'upgrade'],
    ),
  );
  await supersedeAll(current, history, storage, context);
  return deployed;
}

/** What was replaced, and what a run that died had deployed and not superseded any more. */
async function supersedeAll(
  current: Release,
  history: readonly Release[],
  storage: ReleaseStorage,
  context: Context,
): Promise<void> {
  const replaced = history.filter((release) => release === current || release.info.status === 'deployed');
  for (const release of replaced) await updateOrWarn(supersede(release), storage, context.onEvent);
}

/** Records the failure, tidies up and goes back as the options say. Returns the error to throw (Upgrade.failRelease). */
async function failUpgrade(
  error: unknown,
  record: ReleaseRecord,
  plan: Plan,
  created: readonly ResourceId[],
  options: UpgradeOptions,
  context: Context,
): Promise<unknown> {
  const { name } = options;
  const text = failureText(error, record.whereabouts);
  if (context.lock?.lost.aborted) return error;
  const calm = calmed(context);
  await record.fail((latest) => withStatus(latest, 'failed', `Upgrade "${name}" failed: ${text}`));
  if (options.cleanupOnFail) {
    await prefixed(`an error occurred while cleaning up resources. original upgrade error: ${text}`, () =>
      deleteCreated(created, calm),
    );
  }
  return options.rollbackOnFailure ? rollBack(error, text, plan, options, calm) : error;
}

async function rollBack(
  error: unknown,
  text: string,
  plan: Plan,
  options: UpgradeOptions,
  context: Context,
): Promise<unknown> {
  const { name } = options;
  const history = await (await context.storage()).revisions(name);
  const good = history.filter(({ info }) => info.status === 'superseded' || info.status === 'deployed').at(-1);
  if (good === undefined) {
    return new TshelmError('no-revision-to-roll-back-to', {
      message: `unable to find a previously successful release when attempting to rollback. original upgrade error: ${text}`,
      details: { release: name },
      cause: error,
    });
  }
  await prefixed(`an error occurred while rolling back the release. original upgrade error: ${text}`, () =>
    rollback(
      {
        name,
        revision: good.version,
        wait: plan.strategy,
        readinessTimeoutMs: options.readinessTimeoutMs,
        eager: options.eager,
        waitForJobs: options.waitForJobs,
        noHooks: options.noHooks,
        forceReplace: options.forceReplace && !usesServerSideApply(options.serverSide, good),
        forceConflicts: options.forceConflicts && usesServerSideApply(options.serverSide, good),
        serverSide: options.serverSide,
        timeoutMs: options.timeoutMs,
        concurrency: options.concurrency,
        failFast: options.failFast,
        graceMs: options.graceMs,
      },
      context,
    ),
  );
  return new TshelmError('upgrade-rolled-back', {
    message: `release ${name} failed, and has been rolled back due to rollback-on-failure being set: ${text}`,
    details: { release: name, revision: good.version },
    cause: error,
  });
}
