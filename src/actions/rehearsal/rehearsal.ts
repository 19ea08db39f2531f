import type { Context } from '../../change/context.ts';
import { readiness } from '../../cluster/readiness.ts';
import { formatId, idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { manifestsOfStep } from '../../plan/arrange.ts';
import type { Plan } from '../../plan/types.ts';
import type { Release } from '../../release/types.ts';
import { hasCode, messageOf } from '../../support/errors.ts';
import { type Assumptions, type TimeSource, workloadKey } from './assumptions.ts';
import { RunRecord, type StepRun, spanOf } from './run-record.ts';
import { type FateByWorkload, scriptRule } from './script.ts';
import { currentOf, openStage, type Stage, type StageOptions } from './stage.ts';
import { leavesOf, partsOf, type Work, workOf } from './step-tree.ts';

/** What is rehearsed: an action as the command line would run it, in whatever context it is given. */
export interface RehearsedAction {
  /** The action without changing anything. */
  plan(context: Context): Promise<Plan>;
  run(context: Context, options: { readonly rollbackOnFailure: boolean }): Promise<void>;
  readonly releaseName: string;
  /** The release as it is in the cluster; [] for an install. */
  readonly history: readonly Release[];
}

export interface RehearsalOptions extends Omit<StageOptions, 'annotation'> {
  readonly assumptions: Assumptions;
  readonly isEager: boolean;
  readonly rollbackOnFailure: boolean;
}

/** How a rehearsed run went. */
export interface Rehearsal {
  readonly plan: Plan;
  readonly isEager: boolean;
  readonly steps: readonly StepRun[];
  readonly totalMs: number;
  /** Of containers, and the pods of Jobs that failed; of the pods that are there at the end. */
  readonly restarts: number;
  /** Where the time of each workload comes from, by {@link workloadKey}. */
  readonly sources: ReadonlyMap<string, TimeSource>;
  readonly failure?: Failure | undefined;
}

export interface Failure {
  readonly message: string;
  /** With its facts. */
  readonly error: unknown;
  /** Steps, batches and groups of which nothing was begun. */
  readonly neverStarted: readonly string[];
  /** The objects of the plan that are in the cluster at the end, and how they are. */
  readonly left: readonly { readonly name: string; readonly state: string }[];
  /** The revisions at the end: `1 failed: Release "shop" failed: …`. */
  readonly revisions: readonly {
    readonly revision: number;
    readonly status: string;
    readonly description: string | undefined;
  }[];
}

/** Runs the piece on a stage of its own. What fails on it is part of the result. */
export async function runRehearsal(
  piece: RehearsedAction,
  failing: FateByWorkload,
  options: RehearsalOptions,
): Promise<Rehearsal> {
  const sources = new Map<string, TimeSource>();
  const annotation = scriptRule(options.assumptions, failing, ({ kind, name }, _ms, from) =>
    sources.set(workloadKey(`${kind}/${name}`), from),
  );
  const stage = await openStage({ ...options, annotation });
  try {
    if (piece.history.length > 0) await stage.seed(piece.history, currentOf(piece.releaseName, piece.history));
    const plan = await planOn(stage, piece);
    await stage.prepare(objectsOf(plan));
    const record = new RunRecord(stage.nowMs);
    const error = await failureOf(() => piece.run(stage.context(record.onEvent), options));
    if (error !== undefined) record.end();
    const { steps, elapsedMs: totalMs } = record;
    options.signal.throwIfAborted();
    const restarts = restartsOf(await stage.cluster.list('v1', 'Pod'));
    const done = { plan, isEager: options.isEager, steps, totalMs, restarts, sources };
    return error === undefined
      ? done
      : { ...done, failure: await describeFailure(error, done, piece.releaseName, stage) };
  } finally {
    await stage.close();
  }
}

const restartsOf = (pods: readonly KubernetesObject[]): number =>
  pods.reduce((sum, pod) => {
    const { phase, containerStatuses = [] } = (pod['status'] ?? {}) as PodStatus;
    return sum + (phase === 'Failed' ? 1 : 0) + Math.max(0, ...containerStatuses.map((one) => one.restartCount ?? 0));
  }, 0);

interface PodStatus {
  readonly phase?: string;
  readonly containerStatuses?: readonly { readonly restartCount?: number }[];
}

/** What a piece would do, without time passing. */
export async function planOf(piece: RehearsedAction, options: RehearsalOptions): Promise<Plan> {
  const stage = await openStage({ ...options, annotation: (_word, _chain, annotated) => annotated });
  try {
    if (piece.history.length > 0) await stage.seed(piece.history, currentOf(piece.releaseName, piece.history));
    return await planOn(stage, piece);
  } finally {
    await stage.close();
  }
}

/** Kinds that the chart does not define are taken to be there. */
async function planOn(stage: Stage, piece: RehearsedAction): Promise<Plan> {
  for (;;) {
    try {
      return await piece.plan(stage.context(() => {}));
    } catch (error) {
      if (!hasCode(error, 'no-matches-for-kind')) throw error;
      await stage.prepare(error.details.kinds.map(objectOfKind));
    }
  }
}

function objectOfKind(text: string): KubernetesObject {
  const [apiVersion = '', kind = ''] = text.split(' ');
  return { apiVersion, kind, metadata: { name: '' } };
}

/** Every object that a plan may send or delete. */
const objectsOf = ({ steps }: Plan): readonly KubernetesObject[] =>
  steps.flatMap(manifestsOfStep).map(({ object }) => object);

async function failureOf(task: () => Promise<void>): Promise<unknown> {
  try {
    await task();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function describeFailure(
  error: unknown,
  { plan, steps, isEager }: Pick<Rehearsal, 'plan' | 'steps' | 'isEager'>,
  release: string,
  stage: Stage,
): Promise<Failure> {
  const context = stage.context(() => {});
  const revisions = await (await context.storage()).revisions(release);
  return {
    message: messageOf(error),
    error,
    neverStarted: titlesOfUnstarted(plan, steps, isEager),
    left: await objectsLeftBehind(plan, stage),
    revisions: revisions.map(({ version, info }) => ({
      revision: version,
      status: info.status,
      description: info.description,
    })),
  };
}

/** The largest parts of a plan of which nothing was begun. */
function titlesOfUnstarted(plan: Plan, steps: readonly StepRun[], isEager: boolean): readonly string[] {
  const runs = steps.filter(({ action }) => action === plan.action);
  const hasBegun = (work: Work): boolean =>
    leavesOf(work).some(({ id }) => runs.some((run) => spanOf(run, id) !== undefined));
  const parts = (work: Work): readonly string[] => {
    if (leavesOf(work).length === 0) return [];
    if (!hasBegun(work)) return [titleOf(work)];
    return work.kind === 'leaf' ? [] : partsOf(work).flatMap(parts);
  };
  return plan.steps.flatMap((step) => parts(workOf(step, plan.namespace, isEager)));
}

function titleOf(work: Work): string {
  const names = leavesOf(work).map(({ name }) => name);
  if (work.kind === 'leaf') return work.leaf.name;
  return work.title === '' ? names.join(', ') : `${work.title} (${names.join(', ')})`;
}

async function objectsLeftBehind(plan: Plan, { cluster, context }: Stage): Promise<Failure['left']> {
  const { userRules } = context(() => {});
  const left: { name: string; state: string }[] = [];
  const seen = new Set<string>();
  for (const object of objectsOf(plan)) {
    const id = idOf(object, plan.namespace);
    const name = formatId({ ...id, namespace: id.namespace === plan.namespace ? '' : id.namespace });
    if (seen.has(name) || (await cluster.mapping(id.apiVersion, id.kind)) === undefined) continue;
    seen.add(name);
    const live = await cluster.get(id);
    if (live === undefined) continue;
    const state = readiness(live, { strategy: 'ordered', waitForJobs: true, userRules });
    left.push({ name, state: state.state === 'ready' ? 'ready' : `${state.state}: ${state.reason}` });
  }
  return left;
}
