import type { Chart } from '../chart/types.ts';
import type { GoMap } from '../go/value.ts';
import { deployedRevision, isPending, lastRevision, noDeployedReleases } from '../release/history.ts';
import { mergeLabels } from '../release/labels.ts';
import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';
import type { Context } from './context.ts';
import { type ApplyMode, refuseForce, usesServerSideApply } from './deploy/apply-method.ts';
import { crdModeOf } from './deploy/crds.ts';
import { type ChartOptions, clusterKnowledgeOf, executionOptions, lastPhaseOf } from './deploy/deploy-options.ts';
import { reusedValues, type ValuesReuse } from './deploy/reused-values.ts';
import type { LastPhase } from './last-phase.ts';
import { inputsOf } from './record/inputs.ts';
import type { SettledHistory } from './record/settled-history.ts';
import { refuseUnfinishedMove } from './record/unfinished-move.ts';
import type { ChartOpened } from './render-chart.ts';
import type { ResumeOpened } from './resume.ts';

/** What an upgrade brings. */
export interface UpgradeRequest {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly options: ChartOptions & ValuesReuse & { readonly name: string; readonly serverSide?: ApplyMode | undefined };
}

/** Whether an upgrade with --install installs: nothing is there, or an install that died, which is begun anew. */
export const isNewRelease = ({ history, isTakenOver }: SettledHistory): boolean =>
  history.length === 0 ||
  history.at(-1)?.info.status === 'uninstalled' ||
  (isTakenOver && history.every(({ info }) => info.status === 'failed' && info.deleted === undefined));

/** Errors: `no-deployed-releases`, `operation-in-progress`, `invalid-arguments`. */
export async function openUpgrade(
  request: UpgradeRequest,
  history: readonly Release[],
  context: Context,
): Promise<ChartOpened> {
  const { chart, options } = request;
  const { last, current } = revisionsOf(options.name, history);
  const isServerSide = usesServerSideApply(options.serverSide, last);
  if (options.dryRun === 'plan') refuseForce(isServerSide, options);
  const reused = reusedValues(chart, request.values, current, options);
  return {
    ...commonOf(request, history),
    ...reused,
    replaced: current,
    namespace: current.namespace,
    crdMode: crdModeOf(options, 'skip'),
    cluster: await context.cluster(),
    templateRevision: last.version + 1,
    newRevision: {
      version: last.version + 1,
      status: 'pending-upgrade',
      description: 'Preparing upgrade',
      firstDeployed: current.info.firstDeployed,
      applyMethod: isServerSide ? 'ssa' : 'csa',
      labels: mergeLabels(last.labels, options.labels ?? {}),
    },
    inputs: () => inputsOf(chart, reused.values),
  };
}

/** --resume: the chart is asked for again only to see that it is the same. */
export function openToResume(request: UpgradeRequest, history: readonly Release[]): ResumeOpened {
  const { chart, options } = request;
  const replaced = deployedRevision(history) ?? lastRevision(options.name, history);
  const { values } = reusedValues(chart, request.values, replaced, options);
  return { ...commonOf(request, history), chart, values, replaced, namespace: replaced.namespace };
}

const commonOf = ({ options }: UpgradeRequest, history: readonly Release[]) => ({
  options,
  action: 'upgrade' as const,
  lastPhase: lastPhaseOfUpgrade(options),
  sight: clusterKnowledgeOf(options),
  history,
});

/** Helm asks the cluster even for --dry-run=client: templates may look things up, and it is checked who owns what. */
const lastPhaseOfUpgrade = (options: ChartOptions): LastPhase =>
  options.dryRun === 'client' ? 'checked' : lastPhaseOf(options);

/** What of an upgrade's options holds for the rollback after its failure. */
export function optionsToGoBack(options: UpgradeRequest['options'], history: readonly Release[], revision: number) {
  const good = history.find(({ version }) => version === revision);
  const isServerSide = good !== undefined && usesServerSideApply(options.serverSide, good);
  return {
    ...executionOptions(options),
    name: options.name,
    revision,
    noHooks: options.noHooks,
    forceReplace: options.forceReplace && !isServerSide,
    replaceObjects: options.replaceObjects,
    replaceImmutable: options.replaceImmutable,
    onImmutable: options.onImmutable,
    allowDataLoss: options.allowDataLoss,
    forceConflicts: options.forceConflicts && isServerSide,
    takeFields: options.takeFields,
    serverSide: options.serverSide,
  };
}

/**
 * The last revision, and the one that an upgrade replaces: the deployed one, or the last where none is.
 * Errors: `no-deployed-releases`, `move-unfinished`, `operation-in-progress` (Helm's errPending).
 */
function revisionsOf(name: string, history: readonly Release[]): { readonly last: Release; readonly current: Release } {
  if (history.length === 0) throw noDeployedReleases(name);
  const last = lastRevision(name, history);
  refuseUnfinishedMove(last);
  if (isPending(last)) throw operationInProgress(last);
  if (last.info.status === 'deployed') return { last, current: last };
  const deployed = deployedRevision(history);
  const isReplaceable = last.info.status === 'failed' || last.info.status === 'superseded';
  if (deployed === undefined && !isReplaceable) throw noDeployedReleases(name);
  return { last, current: deployed ?? last };
}

const operationInProgress = ({ name, version, info }: Release): TshelmError =>
  new TshelmError('operation-in-progress', {
    message: 'another operation (install/upgrade/rollback) is in progress',
    details: { release: name, revision: version, status: info.status },
  });
