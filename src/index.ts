/**
 * tshelm for programs: charts rendered, deployed, compared and looked after without a command line.
 *
 *     const tshelm = new Tshelm({ cluster: { kubeconfig: './kubeconfig' }, namespace: 'shop' });
 *     await tshelm.install('shop', './chart', { values: { replicas: 3 }, wait: 'watcher' });
 *
 * Everything here is stable (docs/sdk.md); `tshelm/engine` has the parts.
 */
import './support/node-version.ts';
import './actions/error-codes.ts';
import './change/error-codes.ts';
import './chart/error-codes.ts';
import './cluster/error-codes.ts';
import './execute/error-codes.ts';
import './manifest/error-codes.ts';
import './mcp/error-codes.ts';
import './plan/error-codes.ts';
import './problem/error-codes.ts';
import './release/error-codes.ts';
import './render/error-codes.ts';
import './sandbox/error-codes.ts';
import './saved-plan/error-codes.ts';
import './sdk/error-codes.ts';
import './secrets/error-codes.ts';
import './sigstore/error-codes.ts';
import './sops/error-codes.ts';
import './source/error-codes.ts';
import './stack/error-codes.ts';

export type { IgnoreRule } from './actions/check/ignored.ts';
export type { Change, ObjectDiff, RandomField, ReleaseDiff } from './actions/comparison/object-diff.ts';
export type { ReleaseDiagnosis, UnreadyObject } from './actions/diagnose.ts';
export type { FieldDrift, ObjectDrift, ReleaseDrift } from './actions/drift.ts';
export type { ReleaseMetadata } from './actions/get.ts';
export type { ObjectHealth } from './actions/health.ts';
export type { LintMessage, Severity } from './actions/lint/message.ts';
export type { ContainerLog } from './actions/test-logs.ts';
export type { KeepObjects } from './change/moves/kept-objects.ts';
export type { MovedObject, MovedRecord, MovePlan, MoveResult } from './change/moves/moves.ts';
export type { RecordedFailure } from './change/undo.ts';
export type { OutsideNeed } from './chart/need.ts';
export type {
  CelReadiness,
  ConditionReadiness,
  DeclaredResourceRule,
  OrderDeclarations,
} from './chart/order-file.ts';
export type { ChartMetadata, Dependency, Maintainer } from './chart/types.ts';
export type { SchemaProblem } from './chart/validate-values.ts';
export type { PodCounts, WorkloadProblem } from './cluster/diagnosis.ts';
export type { HealthCheck } from './cluster/health.ts';
export type { Unready } from './cluster/observe.ts';
export type { FailedBatch } from './execute/batch-title.ts';
export type { ExecutionEvent as TshelmEvent, HookState, ResourceState, UnitState } from './execute/events.ts';
export type { FieldWriter } from './manifest/field-writers.ts';
export type {
  ClusterPlace,
  Hook,
  HookDeletePolicy,
  HookEvent,
  HookExecution,
  HookOutputLogPolicy,
  KubernetesObject,
  Malformed,
  Manifest,
  ObjectMeta,
  ResourceId,
} from './manifest/types.ts';
export type {
  Batch,
  BatchNode,
  FollowUp,
  KindWaves,
  NodeOrder,
  Plan,
  PlannedAction,
  PlannedChanges,
  PlannedNeed,
  PlannedObject,
  RecordedStatus,
  RevisionOfChart,
  Step,
  StepPolicy,
  Unit,
  WaitStrategy,
} from './plan/types.ts';
export type { ChartFact } from './problem/chart-fact.ts';
export type { Fact } from './problem/fact.ts';
export type { Level } from './problem/level.ts';
export type { FieldPlace, FilePlace, Place, TemplatePlace, ValuePlace } from './problem/place.ts';
export type { Evidence, ObjectSubject, Problem, ProblemCode, Subject } from './problem/problem.ts';
export { Quote } from './problem/quote.ts';
export type { MalformedPart, RefusalFact } from './problem/refusal-fact.ts';
export type { OutsideStep, Remedy } from './problem/remedy.ts';
export type {
  Circumstances,
  JobEnd,
  ObjectCause,
  Outlook,
  Patience,
  PodCause,
  PreviousExit,
  ProbeFailure,
  ProbeKind,
  Reference,
  Requested,
  SchedulingObstacle,
  Shortage,
  WorkloadFact,
} from './problem/workload-fact.ts';
export type { ReleaseId, ReleaseStatus } from './release/types.ts';
export { type AnnotationsOptions, annotations } from './sdk/annotations.ts';
export { type ChartFiles, LoadedChart } from './sdk/charts.ts';
export type { ClusterChoice, ClusterOptions, Environment, GivenCluster } from './sdk/connection.ts';
export { isTshelmError } from './sdk/failures.ts';
export { type FormatDiffOptions, formatDiff } from './sdk/format-diff.ts';
export { formatDrift } from './sdk/format-drift.ts';
export { type FormatPlanOptions, formatPlan } from './sdk/format-plan.ts';
export { ofKind } from './sdk/of-kind.ts';
export type { Operation } from './sdk/operation.ts';
export type {
  AdoptOptions,
  ApplyOptions,
  ApplyResult,
  CallOptions,
  ChartCallOptions,
  ChartReference,
  CheckFinding,
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
  PlanFile,
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
} from './sdk/options.ts';
export { problemText } from './sdk/problem-text.ts';
export type {
  ComparedRun,
  RehearsalReport,
  RehearsedFailure,
  RehearsedObject,
  RehearsedRun,
  RehearsedStep,
} from './sdk/rehearsal-report.ts';
export type { Release, ReleaseSummary } from './sdk/release.ts';
export type { Rendered, RenderedHook, RenderSyncOptions, RenderTarget } from './sdk/render.ts';
export type {
  AccessOptions,
  Dependencies,
  DependencyOptions,
  NewRepository,
  PulledChart,
  PullOptions,
  Repositories,
  Repository,
} from './sdk/sources.ts';
export type {
  CheckedStackRelease,
  LintedStackRelease,
  ListedRelease,
  PlannedStackRelease,
  RehearsedStackRelease,
  StackApplyOptions,
  StackCallOptions,
  StackChange,
  StackCheckOptions,
  StackDestroyOptions,
  StackDriftOptions,
  StackEvent,
  StackFixDriftOptions,
  StackFixDriftResult,
  StackFixedRelease,
  StackLintOptions,
  StackOptions,
  StackPlanOptions,
  StackRehearsalReport,
  StackRehearseOptions,
  StackRelease,
  StackReleaseDiff,
  StackReleaseDrift,
  StackReleaseResult,
  StackReleaseStatus,
  StackResult,
  StackRunEvent,
  StackTemplateOptions,
  StackTestedRelease,
  StackTestOptions,
  StackTestResult,
  TemplatedRelease,
} from './sdk/stack/options.ts';
export type { Stack } from './sdk/stack/stack.ts';
export { Tshelm } from './sdk/tshelm.ts';
export type { ReferenceOptions, ValuesOptions } from './sdk/user-values.ts';
export type { NoData, Value, Values, ValuesOf } from './sdk/values.ts';
export { toYaml } from './sdk/yaml.ts';
export type { Verification } from './source/chart-access.ts';
export type { DependencyRow, DependencyStatus } from './source/dependency/status.ts';
export type { DependencyEvent } from './source/dependency/tools.ts';
export type { PushedChart } from './source/oci/push.ts';
export type { HelmFiles } from './source/paths.ts';
export type { RepositoryEntry } from './source/repository/repositories.ts';
export type { Refreshed } from './source/repository/update.ts';
export { type ErrorCode, type ErrorDetails, type SourcePlace, TshelmError } from './support/errors.ts';
