import { hasChanges, type ReleaseDiff } from '../../actions/comparison/object-diff.ts';
import { ignoreFlag } from '../../actions/options/readings.ts';
import type { MovePlan } from '../../change/moves/moves.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { Release } from '../../release/types.ts';
import { needsFlags } from '../../stack/option-flags.ts';
import { deployOrder, type StackNode } from '../../stack/plan-stack.ts';
import { doneIn } from '../../stack/run-graph.ts';
import { columns } from '../../stack/texts.ts';
import { planNodes } from '../../stack/work/planning.ts';
import { driftOfReleases, recordedReleases } from '../../stack/work/readings.ts';
import { throwFailures } from '../../stack/work/work.ts';
import type { CliContext } from '../context.ts';
import { fullCommand } from '../errors/next-command.ts';
import { endWithChanges } from '../flags/exit-code-flags.ts';
import { moveText, moveTitle } from '../output/move-text.ts';
import { timeCell } from '../output/time.ts';
import { refuseIdleFixFlags } from '../saved-plan/drift-request.ts';
import { type Cell, fittedTable, tableFitting } from '../terminal/fitted-table.ts';
import { kindOf } from '../terminal/io.ts';
import type { stackDiffFlags, stackDriftFlags } from './change-flags.ts';
import { extraDiff } from './extra-args.ts';
import type { StackFlags } from './flags.ts';
import { openWork } from './open-work.ts';

type DiffVerbFlags = StackFlags & FlagsOf<typeof stackDiffFlags>;

/** What `apply` would change in the cluster, release by release in the order of the graph. */
export async function runDiff(flags: DiffVerbFlags, context: CliContext): Promise<void> {
  const { work } = await openWork('diff', flags, optionsOf(needsFlags, flags), context);
  const nodes = deployOrder(work.nodes);
  const outcomes = await planNodes(nodes, work, {
    concurrency: flags.concurrency,
    showSecrets: flags.showSecrets,
    overrides: { noLookup: flags.noLookup },
    comparesAll: true,
  });
  const diffs = doneIn(work.nodes, outcomes).flatMap(({ diff, node }): ShownDiff[] => {
    const own = extraDiff(node.file);
    const showSecrets = flags.showSecrets || own.showSecrets === true;
    return diff === undefined ? [] : [{ diff, showSecrets, lines: flags.context ?? own.context ?? 3 }];
  });
  const text = await textOf(diffs, work.moves, flags, context);
  context.io.stdout.write(
    diffs.every(({ showSecrets }) => showSecrets) ? text : context.secrets.redact(text),
    kindOf(flags.output),
  );
  throwFailures(outcomes, work.reach);
  endWithChanges(work.moves.length > 0 || diffs.some(({ diff }) => hasChanges(diff)), flags, context);
}

/** A diff, and how many lines are shown around a change; fewer than none: all. */
interface ShownDiff {
  readonly diff: ReleaseDiff;
  readonly showSecrets: boolean;
  readonly lines: number;
}

const contextOf = ({ lines }: ShownDiff): number => (lines < 0 ? Number.POSITIVE_INFINITY : lines);

async function textOf(
  diffs: readonly ShownDiff[],
  moves: readonly MovePlan[],
  { output }: DiffVerbFlags,
  context: CliContext,
): Promise<string> {
  if (output === 'markdown') {
    const { reviewOf } = await import('../../show/changes/review.ts');
    const { commentLimit, reviewMarkdown } = await import('../../show/changes/markdown.ts');
    return reviewMarkdown(
      diffs.map((one) => reviewOf(one.diff, contextOf(one))),
      commentLimit(context.io.env),
      await fullCommand(context),
      moves.map(moveTitle),
    );
  }
  const { plainDiff } = await import('../../show/changes/diff-text.ts');
  const { stackDiffText } = await import('../../show/changes/stack-diff-text.ts');
  const first = moves.map((plan) => `${moveText({ plan, isUnchanged: false }, false)}\n`).join('');
  return first + stackDiffText(diffs.map((one) => ({ diff: one.diff, context: contextOf(one), paint: plainDiff })));
}

/** What is not as the releases left it. A release that is not there is a failure, and the others are compared all the same. */
export async function runStackDrift(
  flags: StackFlags & FlagsOf<typeof stackDriftFlags>,
  context: CliContext,
): Promise<void> {
  refuseIdleFixFlags(flags);
  if (flags.fix) return (await import('./fix-verb.ts')).runStackFix(flags, context);
  const { work } = await openWork('drift', flags, optionsOf(needsFlags, flags), context);
  const outcomes = await driftOfReleases(work, { ...flags, ...optionsOf(ignoreFlag, flags) });
  const found = doneIn(work.nodes, outcomes);
  const { driftData, stackDriftText } = await import('../../show/changes/drift-text.ts');
  const { formatted } = await import('../terminal/format.ts');
  const text =
    flags.output === 'table'
      ? stackDriftText(found, tableFitting(context.io))
      : formatted(found.map(driftData), flags.output);
  context.io.stdout.write(context.secrets.redact(text), kindOf(flags.output));
  throwFailures(outcomes, work.reach);
  endWithChanges(
    found.some(({ isDrifted }) => isDrifted),
    flags,
    context,
  );
}

/** What the cluster has of each release: one list of records for each namespace. */
export async function runStatus(flags: StackFlags & FlagsOf<typeof needsFlags>, context: CliContext): Promise<void> {
  const { work } = await openWork('status', flags, optionsOf(needsFlags, flags), context);
  const outcomes = await recordedReleases(work);
  const rows = work.nodes.map((node) => {
    const outcome = outcomes.get(node.id);
    return outcome?.kind === 'done' ? statusRow(node, outcome.value) : statusCells(node, { status: 'unknown' });
  });
  const head = ['RELEASE', 'WANTED', 'STATUS', 'REVISION', 'CHART', 'UPDATED'];
  const layout = (all: readonly (readonly string[])[]): string => columns(all, '  ');
  context.io.stdout.write(fittedTable([head, ...rows], context.io, { layout }));
  throwFailures(outcomes, work.reach);
}

function statusRow(node: StackNode, found: Release | undefined): Cell[] {
  if (found === undefined) return statusCells(node, { status: 'not installed' });
  const { info, version, chart } = found;
  const { name, version: chartVersion } = chart.metadata;
  return statusCells(node, {
    status: info.status,
    revision: String(version),
    chart: `${name}-${chartVersion}`,
    updated: info.lastDeployed === undefined ? '' : timeCell(info.lastDeployed, info.lastDeployed),
  });
}

interface Recorded {
  readonly status: string;
  readonly revision?: string;
  readonly chart?: string;
  readonly updated?: Cell;
}

const statusCells = (
  { id, isWanted }: StackNode,
  { status, revision = '', chart = '', updated = '' }: Recorded,
): Cell[] => [id, isWanted ? 'yes' : 'no', status, revision, chart, updated];
