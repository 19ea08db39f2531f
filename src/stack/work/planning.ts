import type { ReleaseDiff } from '../../actions/comparison/object-diff.ts';
import { diffDecidedChange } from '../../actions/diff.ts';
import { isUnchanged } from '../../actions/unchanged.ts';
import type { MovePlan } from '../../change/moves/moves.ts';
import type { Cluster } from '../../cluster/types.ts';
import { idOf } from '../../manifest/resource-id.ts';
import { manifestsOfSteps } from '../../plan/arrange.ts';
import { isSameRelease } from '../../release/same-release.ts';
import type { Release } from '../../release/types.ts';
import { decideChange } from '../../saved-plan/decide.ts';
import type { ChangeToSave } from '../../saved-plan/save.ts';
import { uninstallOptionsOf } from '../action-options.ts';
import { anticipatedCluster, type ProvidedByRelease, providedBy } from '../anticipated-cluster.ts';
import { needsOf, type StackNode } from '../plan-stack.ts';
import { LeftOut, type NodeOutcome, runGraph } from '../run-graph.ts';
import { foreseeMoves } from './moves.ts';
import { deployOptionsOf, type UpgradeOverrides } from './options.ts';
import { driftOptionsOf, type StackDriftOptions, withoutNeeds } from './readings.ts';
import type { StackSession } from './session.ts';
import { preparedRelease, type StackWork } from './work.ts';

/** What `apply` would do with a release. */
export interface PlannedNode {
  readonly node: StackNode;
  /** `unchanged`: nothing, since it is there as it would be made; `absent`: nothing, since it is neither wanted nor there. */
  readonly kind: 'change' | 'unchanged' | 'absent';
  /** Of a change and of what is unchanged. */
  readonly change?: ChangeToSave | undefined;
  readonly diff?: ReleaseDiff | undefined;
  /** What is moved to the release before, because the stack says that it was elsewhere. */
  readonly moves?: readonly MovePlan[] | undefined;
  /** What the plan sees: the cluster as it will be when what the release needs is there. */
  readonly session: StackSession;
}

export interface PlanningOptions extends UpgradeOverrides {
  /** Releases at a time. */
  readonly concurrency: number;
  readonly showSecrets?: boolean | undefined;
  /** Compares what is unchanged with the cluster too: somebody may have changed it there. */
  readonly comparesAll?: boolean | undefined;
}

/** Decides how the releases that are wanted are brought back to what their revisions say. One that is not there is a failure. */
export function planFixes(
  { sessions, reach, nodes, tools }: StackWork,
  { concurrency, ...options }: StackDriftOptions,
): Promise<ReadonlyMap<string, NodeOutcome<PlannedNode>>> {
  const planned = async (node: StackNode): Promise<PlannedNode> => {
    const session = await sessions.of(node.release, node.file);
    const fix = driftOptionsOf(node, options);
    const change = await decideChange({ ...named(node, session), action: 'fix', options: { ...fix } }, session);
    const { plan } = change.decided;
    if (!options.showSecrets) tools.onPlan?.(plan);
    if (plan.steps.length === 0) return { node, kind: 'unchanged', change, session };
    return { node, kind: 'change', change, diff: await diffDecidedChange(change, fix, session), session };
  };
  const wanted = new Map(nodes.filter(({ isWanted }) => isWanted).map((node) => [node.id, node]));
  const task = ({ id }: StackNode): Promise<PlannedNode> => {
    const node = wanted.get(id) as StackNode;
    return reach.with(node, () => planned(node));
  };
  return runGraph(withoutNeeds([...wanted.values()]), task, { concurrency, signal: tools.signal });
}

/**
 * Decides what would be done with each release, and compares it with the cluster. What a release needs is planned before
 * it, so that namespaces and kinds that come with that count as there. A release that cannot be planned does not keep
 * others from being planned: then nothing is known of what it brings.
 */
export async function planNodes(
  nodes: readonly StackNode[],
  work: StackWork,
  options: PlanningOptions,
): Promise<ReadonlyMap<string, NodeOutcome<PlannedNode>>> {
  const provided = new Map<string, ProvidedByRelease>();
  const moves = await foreseeMoves(work);
  const outcomes = await runGraph(
    nodes,
    async (node): Promise<Tried> => {
      const before = needsOf(node, nodes).flatMap((id) => provided.get(id) ?? []);
      try {
        const found = await work.reach.with(node, () => planNode(node, before, { work, options }));
        const planned = { ...found, moves: moves.get(node.id) };
        const { decided } = planned.change ?? {};
        if (decided !== undefined && node.isWanted) provided.set(node.id, providedBy(node.id, decided));
        return { kind: 'done', value: planned };
      } catch (error) {
        if (error instanceof LeftOut) return { kind: 'skipped', because: error.because };
        return { kind: 'failed', error };
      }
    },
    { concurrency: options.concurrency, signal: work.tools.signal },
  );
  return new Map([...outcomes].map(([id, outcome]) => [id, outcome.kind === 'done' ? outcome.value : outcome]));
}

type Tried = NodeOutcome<PlannedNode>;

interface Planning {
  readonly work: StackWork;
  readonly options: PlanningOptions;
}

async function planNode(
  node: StackNode,
  before: readonly ProvidedByRelease[],
  planning: Planning,
): Promise<PlannedNode> {
  const { work, options } = planning;
  return node.isWanted ? planDeploy(node, before, planning) : planRemoval(node, work, options);
}

async function planRemoval(node: StackNode, work: StackWork, { showSecrets }: PlanningOptions): Promise<PlannedNode> {
  const { release, file } = node;
  const session = await work.sessions.of(release, file);
  const name = release.name ?? '';
  if ((await work.records.newest(name, session)) === undefined) return { node, kind: 'absent', session };
  const options = { ...uninstallOptionsOf(release, file) };
  const change = await decideChange({ ...named(node, session), action: 'uninstall', options }, session);
  const diff = await diffDecidedChange(change, { name, showSecrets }, session);
  return { node, kind: 'change', change, diff, session };
}

async function planDeploy(
  node: StackNode,
  before: readonly ProvidedByRelease[],
  { work, options: planning }: Planning,
): Promise<PlannedNode> {
  const { chart, values, session: now } = await preparedRelease(node, work);
  const { tools } = work;
  const showSecrets = planning.showSecrets || tools.words.diff(node.file).showSecrets === true;
  const promised = anticipatedCluster(await now.cluster(), before);
  const session: StackSession = { ...now, cluster: async () => promised.cluster, onEvent: undefined };
  const options = { ...deployOptionsOf(node, work, planning) };
  const { reference, access } = work.charts.namedOf(node.release, node.file);
  const given = { reference, access: { ...access }, chart, given: {}, values };
  const history = planning.comparesAll ? await deployedRecord(node, work, now) : undefined;
  const change = await decideChange(
    { ...named(node, now), action: 'upgrade', options, chart: given, history },
    session,
  );
  if (!showSecrets) tools.onPlan?.(change.decided.plan);
  const current = change.history.at(-1);
  const isSame = isSameRelease(current, change.decided.release);
  if (
    current !== undefined &&
    isSame &&
    (!planning.comparesAll || (await isUnchanged(current, change.decided, session)))
  )
    return { node, kind: 'unchanged', change, diff: sameDiff(change, promised.cluster), session };
  const diff = await diffDecidedChange(change, { ...options, showSecrets }, session);
  const warnings = [...diff.warnings, ...promised.used().map((text) => `${text}; not checked by the server`)];
  return { node, kind: isSame ? 'unchanged' : 'change', change, diff: { ...diff, warnings }, session };
}

/** The newest revision if it is deployed: then an upgrade looks at no other. One list for each namespace tells all of them. */
async function deployedRecord(
  { release }: StackNode,
  { records }: StackWork,
  session: StackSession,
): Promise<readonly Release[] | undefined> {
  const newest = await records.newest(release.name ?? '', session);
  return newest?.info.status === 'deployed' ? [newest] : undefined;
}

const named = (node: StackNode, { kubeContext }: StackSession) => ({
  name: node.release.name ?? '',
  id: node.id,
  needs: node.needs,
  kubeContext,
});

/** Of what is not sent again: nobody asks the cluster. */
function sameDiff({ decided, history }: ChangeToSave, { place }: Cluster): ReleaseDiff {
  const { plan, release } = decided;
  const { name, version } = release.chart.metadata;
  const revision = { revision: history.at(-1)?.version ?? 0, chart: `${name}-${version}` };
  const manifests = manifestsOfSteps(plan, 'apply');
  return {
    action: plan.action,
    release: release.name,
    namespace: release.namespace,
    ...(place && { cluster: place }),
    from: revision,
    to: revision,
    objects: manifests.map(({ object }) => ({ id: { ...idOf(object) }, change: 'unchanged', notes: [] })),
    hooks: [],
    warnings: plan.warnings,
    reportedWarnings: [],
  };
}
