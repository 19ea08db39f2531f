/**
 * tshelm as a library: the parts that others can build on, from a chart on disk to a release in a cluster.
 *
 *     const cluster = await connect({ namespace: 'shop' });
 *     const context = actionContext(cluster);
 *     await install(await loadChart('./chart'), new Map(), { name: 'web', wait: 'watcher' }, context);
 */
export { type ActionContextOptions, actionContext } from './actions/action-context.ts';
export type { Context, PreparedChart, Rendered, Renderer, RenderRequest } from './actions/context.ts';
export type { ChartOptions, DeployOptions, DryRun } from './actions/deploy/deploy-options.ts';
export {
  computedValues,
  type GetOptions,
  getMetadata,
  getRelease,
  getValues,
  type ReleaseMetadata,
} from './actions/get.ts';
export { type HistoryOptions, history } from './actions/history.ts';
export { type InstallOptions, type InstallResult, install } from './actions/install.ts';
export { type ListOptions, list } from './actions/list.ts';
export { helmRenderer, type RendererOptions } from './actions/rendering/renderer.ts';
export { type RollbackOptions, type RollbackResult, rollback } from './actions/rollback.ts';
export { type StatusOptions, type StatusResult, status } from './actions/status.ts';
export { type ContainerLog, type TestOptions, type TestResult, testRelease } from './actions/test-release.ts';
export { type UninstallOptions, type UninstallResult, uninstall } from './actions/uninstall.ts';
export { type UpgradeOptions, type UpgradeResult, upgrade } from './actions/upgrade.ts';
export { coalesceValues } from './chart/coalesce.ts';
export { type LoadOptions, loadChart } from './chart/load.ts';
export type { Chart, ChartFile, ChartMetadata, CrdFile, Dependency } from './chart/types.ts';
export { ApiError, isApiError } from './cluster/api-error.ts';
export { type ConnectOptions, connect } from './cluster/connect.ts';
export type { Cluster, Readiness, ResourceMapping, WatchEvent } from './cluster/types.ts';
export type { ExecutionContext } from './execute/context.ts';
export type { ExecutionEvent, HookState, OnEvent, ResourceState } from './execute/events.ts';
export { type ExecutionResult, executePlan } from './execute/execute.ts';
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
export { printPlan } from './plan/print.ts';
export { readStoredManifest } from './plan/stored-manifest.ts';
export type { Batch, BatchNode, Plan, Step, Unit, WaitStrategy } from './plan/types.ts';
export { decodeRelease, encodeRelease } from './release/codec.ts';
export { openStorage } from './release/storage.ts';
export type { Release, ReleaseInfo, ReleaseStatus, ReleaseStorage } from './release/types.ts';
export { type RenderedChart, type RenderOptions, renderChart } from './render/engine.ts';
export { prepareChart, type RenderReleaseOptions, renderRelease } from './render/release.ts';
export { TshelmError } from './support/errors.ts';
export type { Clock } from './support/time.ts';
export { type GoList, type GoMap, goInt, goInt64, type Value } from './support/value.ts';
