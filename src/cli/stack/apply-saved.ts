import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { applyRelease, checkRelease, type PreparedRelease, prepareRelease } from '../../saved-plan/apply.ts';
import { readPlan as planOf } from '../../saved-plan/steps.ts';
import type { SavedPlan, SavedRelease, SavedStack } from '../../saved-plan/types.ts';
import { anticipatedCluster, awaitKinds, type ProvidedByRelease, providedBy } from '../../stack/anticipated-cluster.ts';
import { type HookEventName, runHooks } from '../../stack/hooks.ts';
import { planFlags } from '../../stack/option-flags.ts';
import { needsOf, type StackNode } from '../../stack/plan-stack.ts';
import { doneIn, type NodeOutcome, runGraph } from '../../stack/run-graph.ts';
import { outdatedState, stateOf } from '../../stack/saved-state.ts';
import { isUntrustedBy } from '../../stack/untrusted.ts';
import { fixed, installedAs, uninstalled, upgradedTo, withReleaseHooks } from '../../stack/work/deploy.ts';
import { type Done, releasesOfRun } from '../../stack/work/progress.ts';
import type { StackSession } from '../../stack/work/session.ts';
import { preparedRelease, type StackWork, throwFailures, withFileHooks } from '../../stack/work/work.ts';
import { hasCode, messageOf, TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { openerOf } from '../flags/saved-plan-flags.ts';
import type { ApplyRequest } from '../saved-plan/apply-request.ts';
import type { stackDecideFlags } from './change-flags.ts';
import { fixRelease } from './fix-verb.ts';
import type { StackFlags } from './flags.ts';
import { openWork } from './open-work.ts';

/** A release of a saved stack that is ready: everything is as it was. */
interface Ready {
  readonly id: string;
  readonly needs: readonly string[];
  readonly node: StackNode;
  readonly prepared: PreparedRelease;
  readonly session: StackSession;
  /** What those bring that it waits for. */
  readonly before: readonly ProvidedByRelease[];
}

/**
 * Carries the saved plan of a stack out: its files are read once more, every release is looked at before the first is
 * touched, and each goes as soon as those that it needs are done. Errors: `plan-outdated`, naming what has changed in all
 * releases, `stack-failed`, those of reading the stack and of applying one saved plan.
 */
export async function applySavedStack(
  plan: SavedPlan,
  stack: SavedStack,
  request: ApplyRequest,
  context: CliContext,
): Promise<void> {
  const flags = flagsOf(stack, request, context.io.env);
  const { progress: mode, junit, otel, health, output, quiet } = request.flags;
  const shown = {
    ...flags,
    ...(quiet && { quiet }),
    ...(junit === undefined ? {} : { junit }),
    ...(otel === undefined ? {} : { otel }),
    ...(health === undefined ? {} : { health }),
    progress: mode === 'auto' && output !== 'table' ? 'none' : mode,
  };
  const isFix = plan.releases.length > 0 && plan.releases.every(({ action }) => action === 'fix');
  const { work, progress } = await openWork(isFix ? 'drift' : 'apply', shown, optionsOf(planFlags, flags), context);
  const part = chosenPart(plan, work, request.flags.release ?? []);
  const outdated = outdatedState(stack, stateOf(work, context.io.cwd));
  const ready = await readyReleases(part, { work, flags, request, outdated }, context);
  const nodes = ready.map(({ node, needs }) => ({ ...node, needs }));
  const introduced = isFix ? ({ action: 'fix' } as const) : { isEager: flags.eager === true };
  progress.begin(work.command, releasesOfRun(nodes, work.charts, introduced));
  const remaining = new Map<string, NodeOutcome<Done>>();
  const task = async (one: Ready): Promise<Done> => {
    if (!isFix) return applied(one, work);
    const error = await fixRelease(one.prepared, one.session);
    if (error !== undefined) remaining.set(one.id, { kind: 'failed', error });
    return fixed;
  };
  const run = (): Promise<ReadonlyMap<string, NodeOutcome<Done>>> =>
    runGraph(ready, (one) => progress.follow(one.id, () => task(one)), {
      concurrency: request.flags.concurrency,
      signal: context.interruption(),
      onSkip: (one, because) => progress.leaveOut(one.id, because),
    });
  const outcomes = await (isFix ? run() : withFileHooks(work, run));
  throwFailures(new Map([...outcomes, ...remaining]), work.reach);
  progress.finish();
}

/** The releases that are named; all where none is. Errors: `bad-flag` for one that the stack does not have. */
function chosenPart(plan: SavedPlan, { nodes, tools: { progress } }: StackWork, names: readonly string[]): SavedPlan {
  if (names.length === 0) return plan;
  const planned = new Set(plan.releases.map(idOf));
  for (const name of names.filter((one) => !planned.has(one))) {
    if (!nodes.some(({ id }) => id === name))
      throw new TshelmError('bad-flag', { message: `--release ${name}: the stack has no such release` });
    progress.tell(`${name}: the plan does not change it`);
  }
  return { ...plan, releases: plan.releases.filter((release) => names.includes(idOf(release))) };
}

type AppliedFlags = StackFlags & FlagsOf<typeof stackDecideFlags>;

/** Those of the plan, with what it could not keep; where and how the cluster is reached is of this run. */
function flagsOf(
  { flags: saved }: SavedStack,
  { flags, values }: ApplyRequest,
  env: CliContext['io']['env'],
): AppliedFlags {
  const { namespace: _namespace, kubeContext: _kubeContext, ...global } = flags;
  const known = saved as Partial<AppliedFlags>;
  const untrusted = known.untrusted === true || isUntrustedBy(env);
  return { ...global, ...known, untrusted, set: [...(known.set ?? []), ...(values.set ?? [])] } as AppliedFlags;
}

interface Applying {
  readonly work: StackWork;
  readonly flags: AppliedFlags;
  readonly request: ApplyRequest;
  /** Of the state files. */
  readonly outdated: TshelmError<'plan-outdated'> | undefined;
}

/** All releases as they are now, several at a time. Errors: `plan-outdated`, naming what has changed in all of them. */
async function readyReleases(plan: SavedPlan, applying: Applying, context: CliContext): Promise<readonly Ready[]> {
  const opener = await openerOf(applying.request.flags, context.io);
  const graph = plan.releases.map((saved) => ({ id: idOf(saved), needs: saved.needs, saved }));
  const provided = new Map<string, ProvidedByRelease>();
  const outdated = new Map<string, TshelmError<'plan-outdated'>>();
  const outcomes = await runGraph(
    graph,
    async (node): Promise<Ready | undefined> => {
      const before = needsOf(node, graph).flatMap((id) => provided.get(id) ?? []);
      try {
        const { ready, decided } = await readyRelease(node.saved, { ...applying, plan, opener, before });
        provided.set(node.id, decided === undefined ? additionsOfSavedPlan(node.saved) : providedBy(node.id, decided));
        return ready;
      } catch (error) {
        if (!hasCode(error, 'plan-outdated')) throw error;
        outdated.set(node.id, error);
        provided.set(node.id, additionsOfSavedPlan(node.saved));
        return undefined;
      }
    },
    { concurrency: applying.request.flags.concurrency, failFast: true, signal: context.interruption() },
  );
  for (const outcome of outcomes.values()) if (outcome.kind === 'failed') throw applying.outdated ?? outcome.error;
  context.interruption().throwIfAborted();
  const problems = [applying.outdated ?? [], ...graph.map(({ id }) => outdated.get(id) ?? [])].flat();
  const [first] = problems;
  if (first === undefined) return doneIn(graph, outcomes).flatMap((ready) => ready ?? []);
  if (problems.length === 1) throw first;
  throw first.wrapped({ message: problems.map(messageOf).join('\n') });
}

const idOf = ({ id, name }: SavedRelease): string => id ?? name;

/** As the file says it: of what is decided otherwise now. */
const additionsOfSavedPlan = (release: SavedRelease): ProvidedByRelease => {
  const plan = planOf(release.plan, release.texts, []);
  return providedBy(idOf(release), { plan });
};

interface ReleasePreparation extends Applying {
  readonly plan: SavedPlan;
  readonly opener: Awaited<ReturnType<typeof openerOf>>;
  readonly before: readonly ProvidedByRelease[];
}

interface Checked {
  readonly ready: Ready;
  readonly decided: Awaited<ReturnType<typeof checkRelease>>;
}

async function readyRelease(saved: SavedRelease, readying: ReleasePreparation): Promise<Checked> {
  const { work, request, plan, opener, before } = readying;
  const node = work.nodes.find(({ id }) => id === idOf(saved));
  if (node === undefined) {
    throw new TshelmError('plan-outdated', {
      message: `the plan of release "${saved.name}" is out of date: it is no longer in the state files; plan again`,
      details: { release: saved.name, changes: [] },
    });
  }
  const { chart, values, session } = await loaded(saved, node, work);
  const prepared = await prepareRelease(saved, {
    plan,
    inputs: chart && { chart, values: values ?? new Map() },
    opener,
    allowed: request.flags.allow ?? [],
  });
  const promised = anticipatedCluster(await session.cluster(), before);
  const decided = await checkRelease(prepared, { ...session, cluster: async () => promised.cluster });
  return { ready: { id: idOf(saved), needs: saved.needs, node, prepared, session, before }, decided };
}

/** The chart and the values as they are now, where the change brings a chart. */
async function loaded(saved: SavedRelease, node: StackNode, work: StackWork) {
  if (saved.inputs !== undefined) return preparedRelease(node, work);
  const session = work.tools.progress.watched(node.id, await work.sessions.of(node.release, node.file));
  return { chart: undefined, values: undefined, session };
}

async function applied({ node, prepared, session, before }: Ready, work: StackWork): Promise<Done> {
  await awaitKinds(await session.cluster(), before, session);
  const isRemoved = prepared.saved.action === 'uninstall';
  const hooks = (event: HookEventName): Promise<void> =>
    runHooks(
      { event, command: work.command, release: node.release },
      node.file,
      work.reading,
      work.tools.progress.note,
    );
  return withReleaseHooks(node, work, async () => {
    if (isRemoved) await hooks('preuninstall');
    const { release, warnings } = await applyRelease(prepared, session);
    for (const warning of warnings) work.tools.progress.tell(warning);
    const revision = release?.version ?? 0;
    if (!isRemoved) return revision === 1 ? installedAs(revision) : upgradedTo(revision);
    await hooks('postuninstall');
    return uninstalled;
  });
}
