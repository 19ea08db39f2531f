/**
 * tshelm/engine: the parts that the library is made of, for those who build another tool on them. Values are Go's here
 * (maps, integers with their types), and names may change with any minor version; `tshelm` itself is the stable face.
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
import './plugin/error-codes.ts';
import './release/error-codes.ts';
import './render/error-codes.ts';
import './sandbox/error-codes.ts';
import './sdk/error-codes.ts';
import './secrets/error-codes.ts';
import './sigstore/error-codes.ts';
import './sops/error-codes.ts';
import './source/error-codes.ts';

export { type ActionContextOptions, actionContext } from './actions/action-context.ts';
export {
  getMetadata,
  getRelease,
  getValues,
  type ReleaseMetadata,
} from './actions/get.ts';
export { history } from './actions/history.ts';
export { type InstallResult, install } from './actions/install.ts';
export { list } from './actions/list.ts';
export type { InstallOptions } from './actions/options/install.ts';
export type { GetOptions, HistoryOptions, ListOptions, StatusOptions } from './actions/options/readings.ts';
export type { RollbackOptions } from './actions/options/rollback.ts';
export type { TestOptions } from './actions/options/test.ts';
export type { UninstallOptions } from './actions/options/uninstall.ts';
export type { UpgradeOptions } from './actions/options/upgrade.ts';
export { type RollbackResult, rollback } from './actions/rollback.ts';
export { type StatusResult, status } from './actions/status.ts';
export type { ContainerLog } from './actions/test-logs.ts';
export { type TestResult, testRelease } from './actions/test-release.ts';
export { type UninstallResult, uninstall } from './actions/uninstall.ts';
export { type UpgradeResult, upgrade } from './actions/upgrade.ts';
export type { Context } from './change/context.ts';
export type { ChartOptions, DeployOptions, DryRun } from './change/deploy/deploy-options.ts';
export {
  prepareForRelease,
  type Rendered,
  type RenderRequest,
  type RenderSettings,
  renderForRelease,
} from './change/rendering/render.ts';
export { coalesceValues } from './chart/coalesce.ts';
export { type LoadOptions, loadChart } from './chart/load.ts';
export type { Chart, ChartFile, ChartMetadata, CrdFile, Dependency } from './chart/types.ts';
export { ApiError, isApiError } from './cluster/api-error.ts';
export { type ConnectOptions, connect } from './cluster/connect.ts';
export type { Cluster, Readiness, ResourceMapping, WatchEvent } from './cluster/types.ts';
export type { ExecutionContext } from './execute/context.ts';
export type { ExecutionEvent, HookState, OnEvent, ResourceState } from './execute/events.ts';
export { type ExecutionResult, executePlan } from './execute/execute.ts';
export { type GoList, type GoMap, goInt, goInt64, type Value } from './go/value.ts';
export { parseManifest, parseManifests } from './manifest/parse.ts';
export type { Hook, HookEvent, KubernetesObject, Manifest, ResourceId } from './manifest/types.ts';
export type { Hazard } from './plan/hazards/hazard.ts';
export { hazardsOf, hazardText } from './plan/hazards/hazards.ts';
export { hookBatches } from './plan/hooks.ts';
export { type Ordered, orderedUnit } from './plan/ordered.ts';
export {
  type InstallInput,
  planInstall,
  planRollback,
  planTest,
  planUninstall,
  planUpgrade,
  type UninstallInput,
  type UpgradeInput,
} from './plan/plan.ts';
export { readStoredManifest } from './plan/stored-manifest.ts';
export type { Batch, BatchNode, Plan, Step, Unit, WaitStrategy } from './plan/types.ts';
export { decodeRelease, encodeRelease } from './release/codec.ts';
export { computedValues } from './release/computed-values.ts';
export { driverNamed, drivers, type StorageDriver } from './release/drivers.ts';
export type { StorageOptions } from './release/storage-options.ts';
export type { Release, ReleaseInfo, ReleaseStatus, ReleaseStorage } from './release/types.ts';
export { type RenderedChart, type RenderOptions, renderChart } from './render/engine.ts';
export { prepareChart, type RenderReleaseOptions, renderRelease } from './render/release.ts';
export { type AddedDetails, type ErrorCode, type ErrorDetails, hasCode, TshelmError } from './support/errors.ts';
export type { Clock } from './support/time.ts';
