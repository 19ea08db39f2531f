import { awaitOutsideWork } from '../../support/outside-work.ts';
import type { SecretWords } from '../../support/secret-words.ts';
import { checkStackOptions } from '../checked-options.ts';
import { withFailuresForProgramsSync } from '../failures.ts';
import { type Operation, operation } from '../operation.ts';
import type { Session } from '../session.ts';
import type { GivenStack } from './given.ts';
import type {
  CheckedStackRelease,
  LintedStackRelease,
  ListedRelease,
  PlannedStackRelease,
  StackApplyOptions,
  StackCallOptions,
  StackCheckOptions,
  StackDestroyOptions,
  StackDriftOptions,
  StackEvent,
  StackFixDriftOptions,
  StackFixDriftResult,
  StackLintOptions,
  StackOptions,
  StackPlanOptions,
  StackRehearsalReport,
  StackRehearseOptions,
  StackReleaseDiff,
  StackReleaseDrift,
  StackReleaseStatus,
  StackResult,
  StackTemplateOptions,
  StackTestOptions,
  StackTestResult,
  TemplatedRelease,
} from './options.ts';

/**
 * Many releases as one graph: helmfile.yaml and similar files. Each call reads the files anew. Errors: `stack-invalid`,
 * `stack-unsupported` and `stack-empty` for what the files say, and `stack-failed` for releases that failed.
 */
export class Stack {
  readonly #options: StackOptions;
  readonly #session: Session;

  /** @internal */
  constructor(options: StackOptions, session: Session) {
    withFailuresForProgramsSync(() => checkStackOptions(options));
    this.#options = options;
    this.#session = session;
  }

  /** The releases of the state files, by namespace and name. The cluster is not asked. */
  list(): Promise<readonly ListedRelease[]> {
    return this.#reading({}, (readings, given) => readings.listed(given));
  }

  /** The state files with everything resolved, as YAML: what `helmfile build` prints. */
  build(): Promise<string> {
    return this.#reading({}, (readings, given) => readings.built(given));
  }

  /** What `helm template` prints of each release, in the order of the graph. The cluster is not asked. */
  template(options: StackTemplateOptions = {}): Promise<readonly TemplatedRelease[]> {
    return this.#reading(options, (readings, given, own) => readings.templated(given, own));
  }

  /**
   * What `apply` would do with each release, in the order of the graph. Kinds and namespaces that one release brings are
   * known to the plans of those that need it.
   */
  plan(options: StackPlanOptions = {}): Promise<readonly PlannedStackRelease[]> {
    return this.#reading(options, (readings, given, own) => readings.planned(given, own));
  }

  /** What `apply` would change in the cluster, and what somebody has changed there: for `formatDiff`, or release by release. */
  diff(options: StackPlanOptions = {}): Promise<readonly StackReleaseDiff[]> {
    return this.#reading(options, (readings, given, own) => readings.differing(given, own));
  }

  /** What is wrong with the charts of the releases, with their values. The cluster is not asked. */
  lint(options: StackLintOptions = {}): Promise<readonly LintedStackRelease[]> {
    return this.#reading(options, (readings, given, own) => readings.linted(given, own));
  }

  /**
   * What a cluster would refuse in the charts of the releases with their values, and what does not fit together in them.
   * The cluster is not asked.
   */
  check(options: StackCheckOptions = {}): Promise<readonly CheckedStackRelease[]> {
    return this.#reading(options, (readings, given, own) => readings.checked(given, own));
  }

  /** How a run of `apply` over all releases would go: each is rehearsed in a sandbox of its own, in simulated time. */
  rehearse(options: StackRehearseOptions = {}): Promise<StackRehearsalReport> {
    return this.#reading(options, async (_readings, given, own) =>
      (await import('./rehearsal.ts')).rehearsed(given, own),
    );
  }

  /** The newest revision of each release of the state files. */
  status(options: StackCallOptions = {}): Promise<readonly StackReleaseStatus[]> {
    return this.#reading(options, (readings, given, own) => readings.statuses(given, own));
  }

  /** Where the cluster no longer matches the releases that are wanted. One that is not there is a failure. */
  drift(options: StackDriftOptions = {}): Promise<readonly StackReleaseDrift[]> {
    return this.#reading(options, (readings, given, own) => readings.drifted(given, own));
  }

  /**
   * Brings objects that have drifted back to what their releases say, each release after those it needs. No revision is
   * added, and no hooks run. `dryRun: 'plan'` returns what would be sent.
   */
  fixDrift(options: StackFixDriftOptions = {}): Operation<StackFixDriftResult, StackEvent> {
    return this.#running(options, (runs, given, own) => runs.driftFixed(given, own));
  }

  /** Installs and upgrades the releases that change, each as soon as those it needs are done, and removes unwanted ones. */
  apply(options: StackApplyOptions = {}): Operation<StackResult, StackEvent> {
    return this.#running(options, (runs, given, own) => runs.deployed('apply', given, own));
  }

  /** Installs and upgrades all releases, changed or not, and removes unwanted ones. */
  sync(options: StackApplyOptions = {}): Operation<StackResult, StackEvent> {
    return this.#running(options, (runs, given, own) => runs.deployed('sync', given, own));
  }

  /** Uninstalls the releases, each after those that need it. */
  destroy(options: StackDestroyOptions = {}): Operation<StackResult, StackEvent> {
    return this.#running(options, (runs, given, own) => runs.destroyed(given, own));
  }

  /**
   * Runs the tests of the releases, several at a time. A failed test is no rejection but `isPassed: false`, with its error;
   * a release that is not there is a failure.
   */
  test(options: StackTestOptions = {}): Operation<StackTestResult, StackEvent> {
    return this.#running(options, (runs, given, own) => runs.tested(given, own));
  }

  #reading<Options extends StackCallOptions, Result>(
    options: Options,
    work: (readings: typeof import('./readings.ts'), given: GivenStack, options: Options) => Promise<Result>,
  ): Promise<Result> {
    return this.#session.reading(options, async (own) => {
      const readings = await import('./readings.ts');
      const given = this.#given(() => undefined, own.secrets);
      return this.#during(() => work(readings, given, own));
    });
  }

  #running<Options extends StackCallOptions, Result>(
    options: Options,
    work: (runs: typeof import('./runs.ts'), given: GivenStack, options: Options) => Promise<Result>,
  ): Operation<Result, StackEvent> {
    return operation((tell: (event: StackEvent) => void) =>
      this.#session.changing(options, (own) =>
        this.#during(async () =>
          work(await awaitOutsideWork(import('./runs.ts')), this.#given(tell, own.secrets), own),
        ),
      ),
    );
  }

  #given(tell: (event: StackEvent) => void, secrets: SecretWords): GivenStack {
    return { options: this.#options, session: this.#session, secrets, tell };
  }

  #during<T>(work: () => Promise<T>): Promise<T> {
    return this.#session.during(Object.values(this.#options.clusters ?? {}), work);
  }
}
