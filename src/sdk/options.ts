import type { CheckOptions as ActionCheck } from '../actions/check.ts';
import type { LintMessage } from '../actions/lint/message.ts';
import type { LintOptions as ActionLint } from '../actions/lint.ts';
import type { HealthOptions } from '../actions/options/health.ts';
import type { InstallOptions as ActionInstall } from '../actions/options/install.ts';
import type {
  AdoptOptions as ActionAdopt,
  MoveOptions as ActionMove,
  RenameOptions as ActionRename,
} from '../actions/options/moves.ts';
import type {
  DriftOptions as ActionDrift,
  FixOptions as ActionFix,
  GetOptions as ActionGet,
  HistoryOptions as ActionHistory,
  ListOptions as ActionList,
  DiffOptions as ObjectDiffOptions,
} from '../actions/options/readings.ts';
import type { RollbackOptions as ActionRollback } from '../actions/options/rollback.ts';
import type { TestOptions as ActionTest } from '../actions/options/test.ts';
import type { UninstallOptions as ActionUninstall } from '../actions/options/uninstall.ts';
import type { UpgradeOptions as ActionUpgrade } from '../actions/options/upgrade.ts';
import type { TemplateOptions as ActionTemplate } from '../actions/template.ts';
import type { ContainerLog } from '../actions/test-logs.ts';
import type { MovePlan } from '../change/moves/moves.ts';
import type { OrderDeclarations } from '../chart/order-file.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import type { Plan, WaitMode } from '../plan/types.ts';
import type { Level } from '../problem/level.ts';
import type { Problem } from '../problem/problem.ts';
import type { SharedDriver } from '../release/drivers.ts';
import type { PostRenderStrategy } from '../render/post-render.ts';
import type { HelmFiles } from '../source/paths.ts';
import type { LoadedChart } from './charts.ts';
import type { ClusterChoice, Environment } from './connection.ts';
import type { Release } from './release.ts';
import type { RenderSyncOptions } from './render.ts';
import type { AccessOptions } from './sources.ts';
import type { ReferenceOptions, ValuesOptions } from './user-values.ts';

/** What a `Tshelm` works with. It does not look for anything that is not given. */
export interface TshelmOptions {
  /** Needed by every call that uses a cluster. */
  readonly cluster?: ClusterChoice | undefined;
  /** Where releases are, unless a call says otherwise. Default: the kubeconfig's, or `default`. */
  readonly namespace?: string | undefined;
  /**
   * Variables that are honoured: KUBECONFIG and HOME, HTTPS_PROXY and its kin, HELM_* for Helm's files, DOCKER_CONFIG, the
   * environment of credential plugins. Default: none. `process.env` asks for those of the process.
   */
  readonly environment?: Environment | undefined;
  /** Where records are kept, as $HELM_DRIVER; default `secret`. */
  readonly driver?: SharedDriver | undefined;
  /** `none` if nobody else changes these releases; by default, Leases next to the records keep other runs out. */
  readonly locks?: 'leases' | 'none' | undefined;
  /** Helm's files: repositories, caches, credentials of registries. */
  readonly files?: HelmFiles | undefined;
  /** Whether charts may be fetched. */
  readonly network?: { /** Caches alone are used for charts. */ readonly offline?: boolean | undefined } | undefined;
  /** The clock for templates and records. Default: the system's clock. */
  readonly clock?: { now(): Date } | undefined;
  /** The source of randomness for `randAlpha`, `genCA` and similar functions. Default: the system. */
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
  /** The zone of local times in templates, an IANA name. Default: that of the process. */
  readonly timeZone?: string | undefined;
  /** Allows `getHostByName` in templates to use the network. */
  readonly enableDns?: boolean | undefined;
}

/**
 * A folder, an archive, a name that a repository knows (`bitnami/redis`, or with `repoUrl` `redis`), `oci://…`, or a chart
 * that was loaded.
 */
export type ChartReference = string | LoadedChart;

/** What every call takes. */
export interface CallOptions {
  /** Of the release. Default: that of `new Tshelm()`, or else the one of the cluster. */
  readonly namespace?: string | undefined;
  /** Aborts the call; a change that has started is recorded as failed. */
  readonly signal?: AbortSignal | undefined;
}

/** For every call that renders a chart. */
export interface ChartCallOptions extends CallOptions, ValuesOptions, ReferenceOptions, AccessOptions {
  /** Changes what was rendered: a YAML stream in, a YAML stream out. */
  readonly postRenderer?: ((manifests: string) => string | Promise<string>) | undefined;
  /**
   * Gives the post-renderer manifests and hooks in one text (`combined`), one after another (`separate`), or manifests
   * alone (`nohooks`). Default `combined`.
   */
  readonly postRenderStrategy?: PostRenderStrategy | undefined;
}

export interface RenderOptions extends RenderSyncOptions, ChartCallOptions {
  /** Asks the cluster for its versions and for `lookup`. Default false: the cluster is not used. */
  readonly useCluster?: boolean | undefined;
}

export interface TemplateOptions
  extends RenderOptions,
    Pick<ActionTemplate, 'showOnly' | 'skipTests' | 'noHooks' | 'wait' | 'strictPlan' | 'allowLostOrder'> {}

export interface TemplateResult {
  /** What `helm template` prints. */
  readonly output: string;
  readonly warnings: readonly string[];
}

export interface InstallOptions extends ChartCallOptions, HealthOptions, Omit<ActionInstall, 'name' | 'enableDns'> {}
export interface UpgradeOptions
  extends ChartCallOptions,
    HealthOptions,
    Omit<ActionUpgrade, 'name' | 'enableDns' | 'onInstall'> {}
export interface RollbackOptions extends CallOptions, HealthOptions, Omit<ActionRollback, 'name'> {}
export interface UninstallOptions extends CallOptions, Omit<ActionUninstall, 'name'> {}
export interface TestOptions extends CallOptions, Omit<ActionTest, 'name'> {}
export interface MoveOptions extends CallOptions, SaveMoveOptions, Omit<ActionMove, 'name' | 'to' | 'objects'> {}
export interface RenameOptions extends CallOptions, SaveMoveOptions, Omit<ActionRename, 'name' | 'to'> {}
export interface AdoptOptions extends ChartCallOptions, SaveMoveOptions, Omit<ActionAdopt, 'name' | 'objects'> {}

interface SaveMoveOptions {
  /** Changes nothing, and saves what would be done in a file, for `apply` or `tshelm apply`. */
  readonly save?: Omit<PlanFile, 'encryptTo' | 'passphrase'> | undefined;
}

export interface InstallResult {
  /** The new revision, as it is recorded. */
  readonly release: Release;
  /** What was done, or with a dry run would be. */
  readonly plan: Plan;
  /** What a user should look at: deprecations, hazards of the order, warnings of the API server. */
  readonly warnings: readonly string[];
}

export interface UpgradeResult extends InstallResult {
  /** There was no such release, and `install` was given. */
  readonly isInstalled: boolean;
  /** With `skipUnchanged`: nothing differed, and `release` is the revision that was deployed already. */
  readonly isUnchanged: boolean;
}

export interface FixDriftResult extends RollbackResult {
  /** What has drifted and is not brought back, with the reason. */
  readonly warnings: readonly string[];
}

export interface RollbackResult {
  /** The new revision, as it is recorded. */
  readonly release: Release;
  /** What was done, or with a dry run would be. */
  readonly plan: Plan;
  /** Rules for fields (`takeFields`) that have no effect. */
  readonly warnings: readonly string[];
}

export interface UninstallResult {
  /** Undefined when there was none, and `ignoreNotFound` was given. */
  readonly release?: Release | undefined;
  /** What was done, or with a dry run would be. */
  readonly plan?: Plan | undefined;
  /** Describes what stays in the cluster; '' if nothing does. */
  readonly info: string;
}

export interface TestResult {
  /** With what became of each test in `hooks[].lastRun`. */
  readonly release: Release;
  /** What was run. */
  readonly plan: Plan;
  /** Whether all tests passed. */
  readonly isPassed: boolean;
  /** The error of the test that failed. */
  readonly failure?: unknown;
  /** With `logs`: one for each container of a test pod, init containers first. */
  readonly logs: readonly ContainerLog[];
}

export interface PlanOptions
  extends ChartCallOptions,
    Omit<ActionUpgrade, 'name' | 'enableDns' | 'onInstall' | 'install' | 'dryRun' | 'hideSecret'> {
  /** Whether `upgrade` plans an install where there is no such release, instead of failing. Default true. */
  readonly install?: boolean | undefined;
  /** What is planned: `install` asks no cluster; `upgrade` does. Default `install`. */
  readonly action?: 'install' | 'upgrade' | undefined;
  /** The Kubernetes version that templates see. For `install`. */
  readonly kubeVersion?: string | undefined;
  /** API versions that templates see, in addition to those that every cluster has. For `install`. */
  readonly apiVersions?: readonly string[] | undefined;
  /** As of `install`. Default `ordered`: the whole order of the chart. */
  readonly wait?: WaitMode | undefined;
  /** Saves the plan in a file, for `apply` or `tshelm apply`. Then `install` asks the cluster too. */
  readonly save?: PlanFile | undefined;
}

/** What is saved of a plan, and for whom. */
export interface PlanFile {
  /** Its path; the file is readable by its owner alone. */
  readonly file: string;
  /** How long it can be applied. Default a week. */
  readonly expiresInMs?: number | undefined;
  /**
   * age recipients, for whom what was rendered is kept, encrypted. Without this and `passphrase` the file holds no secrets, and
   * `apply` renders again.
   */
  readonly encryptTo?: readonly string[] | undefined;
  /** The same with a passphrase. */
  readonly passphrase?: string | undefined;
  /** An ed25519 private key that signs it, in PEM or of OpenSSH. */
  readonly signKey?: string | undefined;
}

export interface ApplyOptions
  extends Omit<CallOptions, 'namespace'>,
    ValuesOptions,
    ReferenceOptions,
    AccessOptions,
    HealthOptions {
  /** Objects that may have changed since the plan was made: `Deployment/web`. */
  readonly allow?: readonly string[] | undefined;
  /** age identities (`AGE-SECRET-KEY-1…`) that open an encrypted plan. */
  readonly identities?: readonly string[] | undefined;
  /** The passphrase of an encrypted plan. */
  readonly passphrase?: string | undefined;
  /** ed25519 public keys, in PEM or as `ssh-ed25519 …`: a plan that none of them signed is refused. */
  readonly verifyKeys?: readonly string[] | undefined;
  /** The same keys of those who release plans (`tshelm plan release`): a plan that none of them released is refused. */
  readonly releaseKeys?: readonly string[] | undefined;
}

export interface ApplyResult {
  readonly action: 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'fix' | MovePlan['kind'];
  /** The revision that was made, or uninstalled. */
  readonly release?: Release | undefined;
  /** Of a move, a rename or an adoption: what was done. */
  readonly move?: MovePlan | undefined;
  readonly warnings: readonly string[];
}

export interface DiffOptions extends Omit<UpgradeOptions, 'dryRun' | 'hideSecret' | 'health'>, ObjectDiffOptions {}
export interface RollbackDiffOptions extends Omit<RollbackOptions, 'dryRun' | 'health'>, ObjectDiffOptions {}
export interface DriftOptions extends CallOptions, Omit<ActionDrift, 'name'> {}
export interface FixDriftOptions extends CallOptions, Omit<ActionFix, 'name'> {}

export interface LintOptions
  extends CallOptions,
    ValuesOptions,
    ReferenceOptions,
    Pick<ActionLint, 'strict' | 'skipSchemaValidation' | 'wait'> {
  /** The Kubernetes version that APIs are checked against: `1.34`. */
  readonly kubeVersion?: string | undefined;
}

export interface SuggestOrderOptions
  extends CallOptions,
    ValuesOptions,
    ReferenceOptions,
    AccessOptions,
    Pick<CheckOptions, 'apiVersions' | 'kubeVersion'> {
  /** The release's name, which values may contain; default `fromRun`, or `release-name`. */
  readonly name?: string | undefined;
  /** A release in the cluster that was deployed from the chart: its start times and restarts count too. */
  readonly fromRun?: string | undefined;
}

export interface SuggestedOrder {
  /** For `LoadedChart.withOrder`. */
  readonly order: OrderDeclarations;
  /** The same as an order file, with a comment for each edge that says where it comes from. */
  readonly text: string;
}

export interface CheckOptions extends ChartCallOptions, Pick<ActionCheck, 'apiVersions' | 'ignore' | 'skipCrds'> {
  /** The release's name; default `release-name`. */
  readonly name?: string | undefined;
  /** Leaves out hooks. Default false. */
  readonly noHooks?: boolean | undefined;
  /** How a deploy would wait: hazards of its order are found. */
  readonly wait?: WaitMode | undefined;
  /** Sets `.Release.IsUpgrade` instead of `.Release.IsInstall`. Default false. */
  readonly isUpgrade?: boolean | undefined;
  /** The Kubernetes version that templates see; only without a cluster. */
  readonly kubeVersion?: string | undefined;
  /** Does not check values against values.schema.json. Default false. */
  readonly skipSchemaValidation?: boolean | undefined;
  /** Asks the cluster too: a dry run of each object, and whether it has what the release refers to. Default false. */
  readonly useCluster?: boolean | undefined;
}

/** A problem of a chart, and how much it weighs: `error` of what the API server refuses, `warning` of what will not work, `note` of what depends on the cluster. */
export interface CheckFinding extends Problem {
  readonly level: Level;
}

export interface CheckReport {
  /** False where the chart cannot be rendered: the findings say why. */
  readonly isRendered: boolean;
  /** What was checked, hooks too. */
  readonly objects: readonly ResourceId[];
  /** The heaviest first. */
  readonly findings: readonly CheckFinding[];
  /** Findings that rules, or annotations of the objects, leave out. */
  readonly ignored: readonly { readonly problem: Problem; readonly reason: string }[];
}

export interface DiagnoseOptions extends RevisionOptions, HealthOptions {}
export interface HealthCallOptions extends CallOptions, HealthOptions {}

export interface ListOptions extends CallOptions, Omit<ActionList, 'matches'> {
  /** Only names that match. Default: all. */
  readonly matching?: RegExp | undefined;
}

/** Of which revision; default the newest. */
export interface RevisionOptions extends CallOptions, Omit<ActionGet, 'name'> {}

export interface HistoryOptions extends CallOptions, Omit<ActionHistory, 'name'> {}

export interface RehearseOptions
  extends ChartCallOptions,
    HealthOptions,
    Omit<ActionUpgrade, 'name' | 'enableDns' | 'onInstall' | 'dryRun' | 'hideSecret'> {
  /** What is rehearsed. `upgrade` reads the release from the cluster and changes nothing there. Default `install`. */
  readonly action?: 'install' | 'upgrade' | undefined;
  /** As of `install`. Default `ordered`. */
  readonly wait?: WaitMode | undefined;
  /** How long workloads take, in milliseconds: `{ Deployment: 30_000, 'job/migrate': 120_000, '*': 5_000 }`. */
  readonly assume?: Readonly<Record<string, number>> | undefined;
  /** What fails: `web`, `job/migrate`, `web=image-pull`. */
  readonly fail?: string | undefined;
}

/** Of each order in turn, which is why there is no `wait`. */
export interface CompareOrdersOptions extends Omit<RehearseOptions, 'wait'> {}

export interface LintReport {
  readonly messages: readonly LintMessage[];
  /** Why there is no chart to check; there are then no messages. */
  readonly problem?: string | undefined;
  readonly isFailed: boolean;
}

export interface ReleaseStatusReport {
  readonly release: Release;
  /** By `VERSION/KIND`, as Helm groups them. */
  readonly resources: Readonly<Record<string, readonly KubernetesObject[]>>;
}
