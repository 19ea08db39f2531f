import type { ReleaseDiff } from '../../actions/comparison/object-diff.ts';
import type { ReleaseDrift } from '../../actions/drift.ts';
import type { LintOptions as ActionLint } from '../../actions/lint.ts';
import type { HealthOptions } from '../../actions/options/health.ts';
import type { TestOptions as ActionTest } from '../../actions/options/test.ts';
import type { UpgradeOptions as ActionUpgrade } from '../../actions/options/upgrade.ts';
import type { ContainerLog } from '../../actions/test-logs.ts';
import type { MovePlan } from '../../change/moves/moves.ts';
import type { ExecutionEvent } from '../../execute/events.ts';
import type { Plan } from '../../plan/types.ts';
import type { TrustOptions } from '../../source/chart-access.ts';
import type { NeedsOptions } from '../../stack/choose.ts';
import type { ClusterChoice } from '../connection.ts';
import type { CheckOptions, CheckReport, LintReport } from '../options.ts';
import type { RehearsedObject, RehearsedRun } from '../rehearsal-report.ts';
import type { ReleaseSummary } from '../release.ts';
import type { ValuesOptions } from '../user-values.ts';
import type { Values } from '../values.ts';

/** Which state files are read, and for what; and what charts that are fetched must prove, over what these files say. */
export interface StackOptions extends NeedsOptions, TrustOptions {
  /** What `file` is relative to. Default: the working folder of the process. */
  readonly folder?: string | undefined;
  /** A state file, or a folder of them. Default: helmfile.yaml, helmfile.yaml.gotmpl or helmfile.d. */
  readonly file?: string | undefined;
  /** The environment of the state files. Default `default`. */
  readonly environment?: string | undefined;
  /** Only releases with these labels, each text being an alternative: `tier=front,env!=dev`. Default: all. */
  readonly selectors?: readonly string[] | undefined;
  /** Over the values of the environment. */
  readonly stateValues?: Values | undefined;
  /** Paths of YAML files with values of the environment, below `stateValues`. */
  readonly stateValueFiles?: readonly string[] | undefined;
  /** Of all releases, over what the state files say. Default: theirs, or that of `new Tshelm()`. */
  readonly namespace?: string | undefined;
  /**
   * The clusters of releases that name a `kubeContext`, by that name. Default: the contexts of the kubeconfig that
   * `new Tshelm()` was given.
   */
  readonly clusters?: Readonly<Record<string, ClusterChoice>> | undefined;
  /**
   * Allows the state files to start programs: hooks, `exec` in templates, sops and vals, kustomize, post-renderers. They
   * have the environment of `new Tshelm()`, and are found by its PATH. Default false: whatever needs one fails.
   */
  readonly programs?: boolean | undefined;
  /** Each file waits for those before it, as in helmfile. Default false: releases wait for their needs alone. */
  readonly fileOrder?: boolean | undefined;
  /** Does not fetch dependencies that charts/ lacks. Default false. */
  readonly skipDeps?: boolean | undefined;
  /** Told of what may be wrong in the state files: missing files that they allow, needs of what is not to be installed. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** What every call takes that asks the cluster. */
export interface StackCallOptions {
  /** Aborts the call; a release that is being changed is recorded as failed. */
  readonly signal?: AbortSignal | undefined;
  /** Releases at a time. Default 8. */
  readonly concurrency?: number | undefined;
}

/** What is said of every release: values over its own, and options over those that the state files say. */
export interface StackPlanOptions extends StackCallOptions, ValuesOptions {
  /** What is waited for, as of `install`. Default: what the state files say, or nothing but hooks. */
  readonly wait?: ActionUpgrade['wait'];
  /** With `watcher` and `legacy`: waits for Jobs too. Default: what the state files say. */
  readonly waitForJobs?: ActionUpgrade['waitForJobs'];
  /** Limits each wait and each hook of a release. Default: what the state files say, or 5 minutes. */
  readonly timeoutMs?: ActionUpgrade['timeoutMs'];
  /** With `ordered`: each unit or group of a release starts as soon as those it waits for are ready. Default false. */
  readonly eager?: ActionUpgrade['eager'];
  /** Does not install the files of `crds/`. Default: what the state files say. */
  readonly skipCrds?: ActionUpgrade['skipCrds'];
  /** Adopts objects that belong to another release or to none. Default: what the state files say. */
  readonly takeOwnership?: ActionUpgrade['takeOwnership'];
  /** Deletes and creates again each object that cannot be changed in place, but none that holds data. Default: what the state files say. */
  readonly replaceImmutable?: ActionUpgrade['replaceImmutable'];
  /** Does not check values against values.schema.json. Default: what the state files say. */
  readonly skipSchemaValidation?: ActionUpgrade['skipSchemaValidation'];
  /** Renders without `lookup`: it finds nothing, as in a dry run of the client. Default false. */
  readonly noLookup?: ActionUpgrade['noLookup'];
  /** Secrets are compared openly. Default false: they are masked. */
  readonly showSecrets?: boolean | undefined;
}

export interface StackApplyOptions extends Omit<StackPlanOptions, 'showSecrets'>, HealthOptions {
  /** Begins nothing more after the first failure. Default false: only what needs the failed release is left out. */
  readonly failFast?: boolean | undefined;
  /** As of `upgrade`, of every release. Default false. */
  readonly logs?: ActionUpgrade['logs'];
  /** Goes on where a run failed or was killed: finished releases that would not change are left alone. Default false. */
  readonly resume?: boolean | undefined;
  /**
   * Undoes a failure: `true` or `release` puts back the release that failed, `stack` begins nothing more and puts back every
   * release that the run has changed. Default false.
   */
  readonly rollbackOnFailure?: boolean | 'release' | 'stack' | undefined;
}

export interface StackDestroyOptions extends StackCallOptions {
  /** Begins nothing more after the first failure. Default false. */
  readonly failFast?: boolean | undefined;
  /** How dependents of deleted objects are deleted. Default: what the state says, or `background`. */
  readonly cascade?: 'background' | 'foreground' | 'orphan' | undefined;
}

export interface StackTestOptions extends StackCallOptions {
  /** Begins no more tests after the first failure. Default false. */
  readonly failFast?: boolean | undefined;
  /** Limits each test. Default: what the state says, or 5 minutes. */
  readonly timeoutMs?: number | undefined;
  /** As of `test`: `true` fetches the logs of the test pods; a selector or `all` reports lines as they come. Default false. */
  readonly logs?: ActionTest['logs'];
}

export interface StackLintOptions extends ValuesOptions, Pick<ActionLint, 'strict' | 'skipSchemaValidation' | 'wait'> {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

export interface StackCheckOptions
  extends ValuesOptions,
    Pick<CheckOptions, 'ignore' | 'isUpgrade' | 'kubeVersion' | 'skipCrds' | 'skipSchemaValidation' | 'wait'> {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

export interface StackRehearseOptions extends Omit<StackPlanOptions, 'showSecrets'>, HealthOptions {
  /** Reads the cluster: releases that are there are upgraded. Default false: all of them are new. */
  readonly live?: boolean | undefined;
  /** Begins nothing more after the first failure. Default false: only what needs the failed release is left out. */
  readonly failFast?: boolean | undefined;
  /** How long workloads take, in milliseconds: `{ Deployment: 30_000, 'job/migrate': 120_000, '*': 5_000 }`. */
  readonly assume?: Readonly<Record<string, number>> | undefined;
  /** What fails: a release (`shop/web`), or a workload or hook of one (`shop/web:job/migrate`, `shop/web=image-pull`). */
  readonly fail?: string | undefined;
}

export interface StackTemplateOptions extends ValuesOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /** Leaves hooks out. Default false. */
  readonly noHooks?: boolean | undefined;
  /** Does not check values against values.schema.json. Default: what the state says. */
  readonly skipSchemaValidation?: boolean | undefined;
  /** The Kubernetes version that templates see. Default: what the state says. */
  readonly kubeVersion?: string | undefined;
  /** API versions that templates see, in addition to those that every cluster has. Default: what the state says. */
  readonly apiVersions?: readonly string[] | undefined;
  /** Puts the files of `crds/` before the manifest. Default false. */
  readonly includeCrds?: boolean | undefined;
  /** Leaves tests out. Default false. */
  readonly skipTests?: boolean | undefined;
}

export interface StackDriftOptions extends StackCallOptions {
  /** Secrets are compared openly. Default false: they are masked. */
  readonly showSecrets?: boolean | undefined;
  /** Fields whose changes are expected, as rules; those of the state files come before them. */
  readonly ignore?: readonly string[] | undefined;
}

export interface StackFixDriftOptions extends Omit<StackDriftOptions, 'showSecrets'> {
  /** `plan`: decides what would be sent, and sends nothing. Default `none`. */
  readonly dryRun?: 'none' | 'plan' | undefined;
}

/** A release of a stack. */
export interface StackRelease {
  /** `NAMESPACE/NAME`, and before it the context of its cluster if it names one: as `needs` name it. */
  readonly id: string;
  readonly name: string;
  /** '' for that of the cluster. */
  readonly namespace: string;
}

/** A release as the state files have it. */
export interface ListedRelease extends StackRelease {
  readonly chart: string;
  readonly version?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** The releases that are done before it, by their ids. */
  readonly needs: readonly string[];
  /** Whether it is to be there; otherwise `apply` takes it away. */
  readonly isWanted: boolean;
  /** Whether its `condition` holds. */
  readonly isEnabled: boolean;
  /** The path of its state file. */
  readonly file: string;
}

/** What `apply` would do with a release. */
export interface PlannedStackRelease extends StackRelease {
  /** `absent`: it is neither wanted nor there. */
  readonly kind: 'change' | 'unchanged' | 'absent';
  /** The releases that are done before it, by their ids. */
  readonly needs: readonly string[];
  /** What `moved` of its file brings to it before: objects of another release, or all of a release that is renamed. */
  readonly moves?: readonly MovePlan[] | undefined;
  /** What would be done, in order; of what is unchanged, what an upgrade would do. */
  readonly plan?: Plan | undefined;
  /** What that would change in the cluster. */
  readonly diff?: ReleaseDiff | undefined;
}

/** What `apply` would change of a release. */
export interface StackReleaseDiff extends ReleaseDiff {
  /** As of {@link StackRelease}. */
  readonly id: string;
}

/** Where the cluster no longer matches a release. */
export interface StackReleaseDrift extends ReleaseDrift {
  /** As of {@link StackRelease}. */
  readonly id: string;
}

/** How a release is brought back to what its revision says. */
export interface StackFixedRelease extends StackRelease {
  /** What was done, or with a dry run would be; without steps where nothing has drifted. */
  readonly plan: Plan;
  /** What has drifted and is not brought back, with the reason. */
  readonly warnings: readonly string[];
}

export interface StackFixDriftResult {
  /** In the order of the graph. */
  readonly releases: readonly StackFixedRelease[];
}

/** What the cluster has of a release. */
export interface StackReleaseStatus extends StackRelease {
  /** Whether the state files want it to be there. */
  readonly isWanted: boolean;
  /** Its newest revision; undefined if there is none. */
  readonly release?: ReleaseSummary | undefined;
}

/** A release as text. */
export interface TemplatedRelease extends StackRelease {
  /** What `helm template` prints. */
  readonly output: string;
  readonly warnings: readonly string[];
}

/** How the tests of a release went. */
export interface StackTestedRelease extends StackRelease {
  /** Whether all of them passed; so they did where there are none. */
  readonly isPassed: boolean;
  /** The error of the test that failed. */
  readonly failure?: unknown;
  /** With `logs`: one for each container of a test pod, init containers first. */
  readonly logs: readonly ContainerLog[];
}

export interface StackTestResult {
  readonly isPassed: boolean;
  /** In the order of the graph; without those that `failFast` left out. */
  readonly releases: readonly StackTestedRelease[];
}

/** What lint says of a release's chart with its values. */
export interface LintedStackRelease extends StackRelease, LintReport {
  /** The folder of the chart, or what the release names as one. */
  readonly chart: string;
}

/** What check finds in a release's chart with its values. */
export interface CheckedStackRelease extends StackRelease, CheckReport {
  /** The folder of the chart, or what the release names as one. */
  readonly chart: string;
}

/** When a release would be worked on in a run over the graph; times in seconds since the run began. */
export interface RehearsedStackRelease {
  /** As of {@link StackRelease}. */
  readonly id: string;
  /** The releases that are done before it, by their ids. */
  readonly needs: readonly string[];
  readonly status: 'succeeded' | 'failed' | 'left out';
  /** Of what is left out: the release that failed. */
  readonly because?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** The releases that would be left out if it failed. */
  readonly stops: readonly string[];
  /** How it goes by itself; its times begin with it. */
  readonly run?: RehearsedRun | undefined;
}

/** How a run over the graph would go; times in seconds since it began. */
export interface StackRehearsalReport {
  readonly status: 'succeeded' | 'failed';
  /** How long all of it takes. */
  readonly seconds: number;
  readonly concurrency: number;
  /** In the order of the graph. */
  readonly releases: readonly RehearsedStackRelease[];
  /** The releases whose times add up to the whole, and the objects in them. */
  readonly criticalPath: readonly {
    readonly id: string;
    readonly start: number;
    readonly end: number;
    /** How long it waited for its turn: `concurrency`. */
    readonly waited: number;
    readonly resources: readonly RehearsedObject[];
  }[];
  /** Assumptions about workloads that no release has. */
  readonly idleAssumptions: readonly string[];
  /** Whether `fail` names something that the run does not start, or does not wait for. */
  readonly isFailIdle: boolean;
}

/** What was done with a release. */
export interface StackReleaseResult extends StackRelease {
  readonly change: StackChange;
  /** The revision that was made. */
  readonly revision?: number | undefined;
}

/** `not-installed`: it is not wanted, and was not there. */
export type StackChange = 'installed' | 'upgraded' | 'rolled-back' | 'uninstalled' | 'unchanged' | 'not-installed';

/** What a run has done. */
export interface StackResult {
  /** In the order of the graph: each after those that it needs. */
  readonly releases: readonly StackReleaseResult[];
}

/** What happens in a run: to a release, whose id it then has, or to the run. */
export type StackEvent = (ExecutionEvent & { readonly release: string }) | StackRunEvent;

/** What happens to the run. */
export type StackRunEvent =
  | {
      readonly kind: 'stack-started';
      /** All that the run is about; each waits for its `needs`. */
      readonly releases: readonly (StackRelease & {
        readonly needs: readonly string[];
        readonly action: Plan['action'];
      })[];
    }
  /** It has its turn; a second time where a failure of the run puts it back. */
  | { readonly kind: 'release-started'; readonly release: string; readonly action: Plan['action'] }
  | {
      readonly kind: 'release-ended';
      readonly release: string;
      /** `left-out`: it was never begun. */
      readonly state: 'done' | 'failed' | 'left-out';
      readonly change?: StackChange | 'tested' | undefined;
      readonly revision?: number | undefined;
      /** Why it failed. */
      readonly error?: unknown;
      /** Of what is left out: the release that failed; undefined where the run ended before. */
      readonly because?: string | undefined;
    }
  | { readonly kind: 'warning' | 'note'; readonly release?: undefined; readonly text: string };
