import type { ReleaseDiff } from '../actions/comparison/object-diff.ts';
import type { ReleaseDiagnosis } from '../actions/diagnose.ts';
import type { ReleaseDrift } from '../actions/drift.ts';
import type { ReleaseMetadata } from '../actions/get.ts';
import type { ObjectHealth } from '../actions/health.ts';
import type { MoveResult } from '../change/moves/moves.ts';
import type { ExecutionEvent } from '../execute/events.ts';
import type { Plan } from '../plan/types.ts';
import type { Release as RecordedRelease } from '../release/types.ts';
import { dataWithoutSecrets, failureWithoutSecrets } from '../session/failure-without-secrets.ts';
import type { PushedChart } from '../source/oci/push.ts';
import { awaitOutsideWork } from '../support/outside-work.ts';
import type { SecretWords } from '../support/secret-words.ts';
import { type ChartFiles, LoadedChart, library } from './charts.ts';
import { checkPull } from './checked-options.ts';
import { failureForPrograms, withFailuresForProgramsSync } from './failures.ts';
import type { Moving } from './moves.ts';
import { type Operation, operation } from './operation.ts';
import { checkText, listOfTexts, refused } from './option-checks.ts';
import type {
  AdoptOptions,
  ApplyOptions,
  ApplyResult,
  CallOptions,
  ChartReference,
  CheckOptions,
  CheckReport,
  CompareOrdersOptions,
  DiagnoseOptions,
  DiffOptions,
  DriftOptions,
  FixDriftOptions,
  FixDriftResult,
  HealthCallOptions,
  HistoryOptions,
  InstallOptions,
  InstallResult,
  LintOptions,
  LintReport,
  ListOptions,
  MoveOptions,
  PlanOptions,
  RehearseOptions,
  ReleaseStatusReport,
  RenameOptions,
  RenderOptions,
  RevisionOptions,
  RollbackDiffOptions,
  RollbackOptions,
  RollbackResult,
  SuggestedOrder,
  SuggestOrderOptions,
  TemplateOptions,
  TemplateResult,
  TestOptions,
  TestResult,
  TshelmOptions,
  UninstallOptions,
  UninstallResult,
  UpgradeOptions,
  UpgradeResult,
} from './options.ts';
import { titledPlan } from './plans.ts';
import type { ComparedRun, RehearsalReport } from './rehearsal-report.ts';
import { type Release, type ReleaseSummary, releaseForPrograms, summaryForPrograms } from './release.ts';
import { type Rendered, type RenderSyncOptions, renderNow } from './render.ts';
import { Session, secretsOf } from './session.ts';
import {
  type AccessOptions,
  Dependencies,
  type PulledChart,
  type PullOptions,
  pull,
  push,
  Repositories,
} from './sources.ts';
import type { StackOptions } from './stack/options.ts';
import { Stack } from './stack/stack.ts';
import { userValuesSync } from './user-values.ts';
import { plainValues, type Values } from './values.ts';

/**
 * Helm's charts and releases for programs.
 *
 *     const tshelm = new Tshelm({ cluster: { kubeconfig: './kubeconfig' }, namespace: 'shop' });
 *     const { objects } = await tshelm.render('./chart', { values: { replicas: 3 } });
 *     await tshelm.install('shop', './chart', { wait: 'watcher' });
 *     await tshelm.close();
 *
 * It uses only what it is given: it reads no environment variables, and no files of the user that were not named.
 * Every failure is a TshelmError (`isTshelmError`), docs/errors.md lists the codes; an abort rejects with the signal's reason.
 */
export class Tshelm implements AsyncDisposable {
  /** The charts/ folder of a chart on disk. */
  readonly dependencies: Dependencies;
  /** The repositories of Helm's repositories.yaml. */
  readonly repositories: Repositories;
  readonly #session: Session;

  constructor(options?: TshelmOptions);
  /** @internal `secrets` learns what each call gets to know to be secret. */
  constructor(options: TshelmOptions, secrets: SecretWords);
  constructor(options: TshelmOptions = {}, secrets?: SecretWords) {
    this.#session = new Session(options, secrets);
    this.dependencies = new Dependencies(this.#session.sources);
    this.repositories = new Repositories(this.#session.sources);
  }

  /** Reads a chart, fetching it if necessary: to inspect it, or to use it several times in its current state. */
  load(chart: string, options: AccessOptions = {}): Promise<LoadedChart> {
    return this.#session.reading(options, async (own) => new LoadedChart(await this.#session.chart(chart, own)));
  }

  /** Creates a chart from the contents of its files. */
  chart(files: ChartFiles): LoadedChart {
    return withFailuresForProgramsSync(() => new LoadedChart(library.fromFiles(files)));
  }

  /**
   * Renders a local chart synchronously, for use in constructors: without a cluster, a post-renderer or a download.
   * A chart with Handlebars templates must have been loaded with `load` before.
   */
  renderSync(chart: ChartReference, options: RenderSyncOptions = {}): Rendered {
    return withFailuresForProgramsSync(() =>
      this.#session.now(options, (secrets) => {
        const values = userValuesSync(options);
        secrets.addValues(values);
        return renderNow(this.#session.chartSync(chart), values, options, this.#session.defaults);
      }),
    );
  }

  /** Renders a chart into objects. */
  render(chart: ChartReference, options: RenderOptions = {}): Promise<Rendered> {
    return this.#reading(options, (own, readings) => readings.rendered(chart, own, this.#session));
  }

  /** Renders a chart into the text that `helm template` prints. */
  template(chart: ChartReference, options: TemplateOptions = {}): Promise<TemplateResult> {
    return this.#reading(options, (own, readings) => readings.templated(chart, own, this.#session));
  }

  /** What an install would do, in order, as data, without asking the cluster; with `action: 'upgrade'` what would change. */
  plan(name: string, chart: ChartReference, options: PlanOptions = {}): Promise<Plan> {
    return this.#reading(options, (own, readings) => readings.planned(name, chart, own, this.#session), name);
  }

  /** Installs a chart as a new release. Errors: `name-in-use` if there is one of this name, `wait-failed`, `wait-timeout` and many more. */
  install(name: string, chart: ChartReference, options: InstallOptions = {}): Operation<InstallResult> {
    return this.#session.operation(name, options, async (own, context) => {
      const { install } = await awaitOutsideWork(import('../actions/install.ts'));
      const loaded = await awaitOutsideWork(this.#session.chartAndValues(chart, own));
      const made = await install(loaded.chart, loaded.values, { ...own, name }, context);
      return { ...madeForPrograms(made), warnings: made.warnings.map((text) => secretsOf(own).redact(text)) };
    });
  }

  /** Upgrades a release to a new chart or new values; with `install: true` it is installed if it does not exist. */
  upgrade(name: string, chart: ChartReference, options: UpgradeOptions = {}): Operation<UpgradeResult> {
    return this.#session.operation(name, options, async (own, context) => {
      const { upgrade } = await awaitOutsideWork(import('../actions/upgrade.ts'));
      const loaded = await awaitOutsideWork(this.#session.chartAndValues(chart, own));
      const made = await upgrade(loaded.chart, loaded.values, { ...own, name }, context);
      const { isInstalled, isUnchanged = false } = made;
      const warnings = made.warnings.map((text) => secretsOf(own).redact(text));
      return { ...madeForPrograms(made), warnings, isInstalled, isUnchanged };
    });
  }

  /**
   * Carries out the plan that `plan` with `save`, or the command line, has written to a file: exactly that, or nothing.
   * Errors: `plan-outdated`, `plan-expired`, `plan-of-other-version`, `plan-of-other-cluster`, `plan-key`, `plan-unusable`.
   */
  apply(file: string, options: ApplyOptions = {}): Operation<ApplyResult> {
    return operation((tell: (event: ExecutionEvent) => void) =>
      this.#session.changing(options, async (own) => {
        checkText('file', file);
        const { applied } = await awaitOutsideWork(import('./saved-plan.ts'));
        return this.#session.connection.during(() => applied(file, own, tell, this.#session));
      }),
    );
  }

  /** Restores an earlier revision as a new one; default: the one before the last. */
  rollback(name: string, options: RollbackOptions = {}): Operation<RollbackResult> {
    return this.#session.operation(name, options, async (own, context) => {
      const { rollback } = await awaitOutsideWork(import('../actions/rollback.ts'));
      const made = await rollback({ ...own, name }, context);
      return { ...madeForPrograms(made), warnings: made.warnings };
    });
  }

  /** Deletes a release: its objects, and unless `keepHistory` is given its record. Errors: `release-not-found`. */
  uninstall(name: string, options: UninstallOptions = {}): Operation<UninstallResult> {
    return this.#session.operation(name, options, async (own, context) => {
      const { uninstall } = await awaitOutsideWork(import('../actions/uninstall.ts'));
      const { release, plan, info } = await uninstall({ ...own, name }, context);
      return {
        release: release && releaseForPrograms(release),
        plan: plan && titledPlan(plan),
        info,
      };
    });
  }

  /**
   * Makes objects of a release belong to another one, and changes nothing else of them. `objects` are names as
   * `ConfigMap/settings`. Errors: `release-not-found`, `move-refused`, `move-unfinished`.
   */
  move(name: string, to: string, objects: readonly string[], options: MoveOptions = {}): Operation<MoveResult> {
    return this.#moving(name, options, (own) => {
      checkNames({ to, objects });
      return { kind: 'move', options: { ...own, name, to, objects } };
    });
  }

  /** Gives a release another name, or its records another namespace. Errors: `release-not-found`, `name-in-use`, `move-refused`. */
  rename(name: string, to: string, options: RenameOptions = {}): Operation<MoveResult> {
    return this.#moving(name, options, (own) => {
      checkNames({ to });
      return { kind: 'rename', options: { ...own, name, to } };
    });
  }

  /** Makes objects that are in the cluster part of a release, as its chart renders them. Errors: `move-refused`, `ownership-conflict`. */
  adopt(
    name: string,
    chart: ChartReference,
    objects: readonly string[],
    options: AdoptOptions = {},
  ): Operation<MoveResult> {
    return this.#moving(name, options, (own) => {
      checkNames({ objects });
      return { kind: 'adopt', options: { ...own, name, objects }, chart };
    });
  }

  /** Runs the test hooks of a release. A test that fails is part of the result. */
  test(name: string, options: TestOptions = {}): Operation<TestResult> {
    return this.#session.operation(name, options, async (own, context) => {
      const { testRelease } = await awaitOutsideWork(import('../actions/test-release.ts'));
      const made = await testRelease({ ...own, name }, context);
      const failure = failureForPrograms(failureWithoutSecrets(made.failure, secretsOf(own)));
      return { ...madeForPrograms(made), isPassed: failure === undefined, failure, logs: made.logs };
    });
  }

  /** What an upgrade, or with `install: true` an install, would change in the cluster, object by object. */
  diff(name: string, chart: ChartReference, options: DiffOptions = {}): Promise<ReleaseDiff> {
    return this.#reading(options, (own, readings) => readings.diffRelease(name, chart, own, this.#session), name);
  }

  /** What a rollback would change in the cluster. */
  diffRollback(name: string, options: RollbackDiffOptions = {}): Promise<ReleaseDiff> {
    return this.#session.inCluster(
      [name],
      options,
      async ({ diffRollback }, context, own) => await diffRollback({ ...own, name }, context),
    );
  }

  /** What is wrong with a release as it is now: the objects that are not ready, why, and where to change it. */
  diagnose(name: string, options: DiagnoseOptions = {}): Promise<ReleaseDiagnosis> {
    return this.#session.inCluster([name], options, async ({ diagnose }, context, own) =>
      dataWithoutSecrets(await diagnose({ ...own, name }, context), secretsOf(own)),
    );
  }

  /** Where the cluster no longer matches the release. */
  drift(name: string, options: DriftOptions = {}): Promise<ReleaseDrift> {
    return this.#session.inCluster([name], options, ({ drift }, context, own) => drift({ ...own, name }, context));
  }

  /**
   * Brings objects that have drifted back to what the release says, each with one request; fields whose change is explained
   * stay. No revision is added. `dryRun: 'plan'` returns what would be sent.
   */
  fixDrift(name: string, options: FixDriftOptions = {}): Operation<FixDriftResult> {
    return this.#session.operation(name, options, async (own, context) => {
      const { fixDrift } = await awaitOutsideWork(import('../actions/fix-drift.ts'));
      const { warnings, ...made } = await fixDrift({ ...own, name }, context);
      return { ...madeForPrograms(made), warnings };
    });
  }

  /** What is wrong with the chart in a folder or an archive, as `helm lint` and tshelm's own rules see it. */
  lint(chart: string, options: LintOptions = {}): Promise<LintReport> {
    return this.#reading(options, (own, readings) => readings.linted(chart, own, this.#session));
  }

  /** What a cluster would refuse in a chart, and what does not fit together in it, all at once. Nothing is deployed. */
  check(chart: ChartReference, options: CheckOptions = {}): Promise<CheckReport> {
    return this.#reading(options, (own, readings) => readings.checked(chart, own, this.#session));
  }

  /** An order for a chart that declares none, from what its workloads say of each other (docs/ordering.md, 10). */
  suggestOrder(chart: ChartReference, options: SuggestOrderOptions = {}): Promise<SuggestedOrder> {
    return this.#reading(options, (own, readings) => readings.suggestedOrder(chart, own, this.#session));
  }

  /** Runs a deploy in its own sandbox with simulated time: how long it takes, what waits for what, and what a failure leaves behind. */
  rehearse(name: string, chart: ChartReference, options: RehearseOptions = {}): Promise<RehearsalReport> {
    return this.#session.reading(
      options,
      async (own) => (await import('./rehearsal.ts')).rehearsed(name, chart, own, this.#session),
      { names: [name] },
    );
  }

  /**
   * Rehearses a deploy with no order, with the one that is declared, if any, and with the suggested one. Where `fail` is not
   * given, programs crash until the hosts that they name are ready.
   */
  compareOrders(
    name: string,
    chart: ChartReference,
    options: CompareOrdersOptions = {},
  ): Promise<readonly ComparedRun[]> {
    return this.#session.reading(
      options,
      async (own) => (await import('./rehearsal.ts')).comparedOrders(name, chart, own, this.#session),
      { names: [name] },
    );
  }

  /** The newest revision of each release. */
  list(options: ListOptions = {}): Promise<readonly ReleaseSummary[]> {
    return this.#session.inCluster([], options, async ({ list }, context, { matching, ...own }) => {
      const matches = matching && ((name: string) => name.search(matching) >= 0);
      return (await list({ ...own, matches }, context)).map(summaryForPrograms);
    });
  }

  /** A release with its objects as they are in the cluster. */
  status(name: string, options: RevisionOptions = {}): Promise<ReleaseStatusReport> {
    return this.#session.inCluster([name], options, async ({ status }, context, own) => {
      const { release, resources } = await status({ ...own, name }, context);
      return { release: releaseForPrograms(release), resources: Object.fromEntries(resources) };
    });
  }

  /** Which rule judges an object in the cluster, and what it says of it. Errors: `health-target-not-found`. */
  health(
    object: Pick<ObjectHealth, 'apiVersion' | 'kind' | 'name'>,
    options: HealthCallOptions = {},
  ): Promise<ObjectHealth> {
    return this.#session.inCluster([object.name], options, ({ healthOfObject }, context) =>
      healthOfObject(object, context),
    );
  }

  /** The revisions of a release, oldest first. */
  history(name: string, options: HistoryOptions = {}): Promise<readonly ReleaseSummary[]> {
    return this.#session.inCluster([name], options, async ({ history }, context, own) =>
      (await history({ ...own, name }, context)).map(summaryForPrograms),
    );
  }

  /** A revision of a release as it is recorded. Errors: `release-not-found`, `revision-not-found`. */
  get(name: string, options: RevisionOptions = {}): Promise<Release> {
    return this.#session.inCluster([name], options, async ({ getRelease }, context, own) =>
      releaseForPrograms(await getRelease({ ...own, name }, context)),
    );
  }

  /** The values that the templates of a revision saw: the user's over the chart's. */
  allValues(name: string, options: RevisionOptions = {}): Promise<Values> {
    return this.#session.inCluster([name], options, async ({ getValues }, context, own) =>
      plainValues(await getValues({ ...own, name, all: true }, context)),
    );
  }

  /** What `helm get metadata` tells. */
  metadata(name: string, options: RevisionOptions = {}): Promise<ReleaseMetadata> {
    return this.#session.inCluster([name], options, ({ getMetadata }, context, own) =>
      getMetadata({ ...own, name }, context),
    );
  }

  /**
   * Many releases as one graph, from helmfile.yaml and similar files: the calls of the stack (below) read the files, and
   * work on all releases.
   */
  stack(options: StackOptions = {}): Stack {
    return new Stack(options, this.#session);
  }

  /** Fetches a chart into a folder. */
  pull(chart: string, options: PullOptions): Promise<PulledChart> {
    return this.#session.reading(options, (own) => pull(chart, own, this.#session.sources), { check: checkPull });
  }

  /** Pushes a packed chart to `oci://HOST/PATH`. */
  push(archive: string, target: string, options: AccessOptions = {}): Promise<PushedChart> {
    return this.#session.reading(options, (own) => push(archive, target, own, this.#session.sources));
  }

  /**
   * Ends all calls, and closes the connections. A running call rejects with `closed` as it would with the reason of a signal:
   * changes are recorded as failed before, and undone where `rollbackOnFailure` was given. Later calls reject with `closed`.
   */
  async close(): Promise<void> {
    await this.#session.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #moving<Options extends CallOptions>(
    name: string,
    options: Options,
    movingOf: (own: Options) => Moving,
  ): Operation<MoveResult> {
    return this.#session.operation(name, options, async (own, context) => {
      const { moved } = await awaitOutsideWork(import('./moves.ts'));
      return moved(movingOf(own), context, this.#session);
    });
  }

  /** `names`: of the release, if the call is about one. */
  #reading<Options extends CallOptions, T>(
    options: Options,
    work: (options: Options & { readonly signal: AbortSignal }, readings: Readings) => Promise<T>,
    ...names: readonly string[]
  ): Promise<T> {
    return this.#session.reading(options, async (own) => work(own, await import('./readings.ts')), { names });
  }
}

type Readings = typeof import('./readings.ts');

/** Errors: `bad-options`. */
function checkNames({ to, objects }: { readonly to?: string; readonly objects?: readonly string[] }): void {
  if (to !== undefined) checkText('to', to);
  const problem = objects && listOfTexts(objects);
  if (problem) throw refused('objects', `objects must be ${problem}`);
  for (const one of objects ?? []) checkText('objects', one);
}

const madeForPrograms = ({ release, plan }: { readonly release: RecordedRelease; readonly plan: Plan }) => ({
  release: releaseForPrograms(release),
  plan: titledPlan(plan),
});
