import { type TimeSource, workloadKey } from '../../actions/rehearsal/assumptions.ts';
import { criticalPath, type Segment } from '../../actions/rehearsal/critical-path.ts';
import type { Rehearsal } from '../../actions/rehearsal/rehearsal.ts';
import { type Span, type StepRun, spanOf } from '../../actions/rehearsal/run-record.ts';
import { type Leaf, leavesOf, partsOf, type Work, workOf } from '../../actions/rehearsal/step-tree.ts';

export type RowSpan = Pick<Span, 'startMs' | 'endMs' | 'state'>;

/** A line of the timeline; without a time it is a title. */
export interface Row {
  readonly depth: number;
  readonly text: string;
  readonly span?: RowSpan | undefined;
  /** Where the time comes from. */
  readonly source?: TimeSource | undefined;
  readonly isCritical?: boolean | undefined;
}

/** The steps as they went, with every object that took time; the others are counted. */
export function timelineRows(rehearsal: Rehearsal): readonly Row[] {
  const critical = new Set(criticalPath(rehearsal.steps, rehearsal.isEager).map(({ span }) => span));
  return rehearsal.steps.flatMap((run) => {
    const work = workOf(run.step, run.namespace, rehearsal.isEager);
    return leavesOf(work).length === 0 ? [] : rowsOf(work, 0, { run, critical, rehearsal });
  });
}

interface Where {
  readonly run: StepRun;
  readonly critical: ReadonlySet<Span>;
  readonly rehearsal: Rehearsal;
}

function rowsOf(work: Work, depth: number, where: Where): readonly Row[] {
  const { run } = where;
  if (leavesOf(work).every(({ id }) => spanOf(run, id) === undefined)) return [];
  if (work.kind === 'leaf') return [leafRow(work.leaf, depth, where)];
  const parts = partsOf(work);
  const inner = work.title === '' ? depth : depth + 1;
  const quiet = parts.filter((part) => part.kind === 'leaf' && isInstant(part.leaf, where));
  const rows = parts.filter((part) => !quiet.includes(part)).flatMap((part) => rowsOf(part, inner, where));
  const title = work.title === '' ? [] : [{ depth, text: work.title }];
  return [...title, ...countRow(quiet.flatMap(leavesOf), inner), ...rows];
}

const countRow = (leaves: readonly Leaf[], depth: number): readonly Row[] =>
  leaves.length === 0
    ? []
    : [{ depth, text: leaves.length <= 3 ? leaves.map(({ name }) => name).join(', ') : manyText(leaves) }];

const manyText = (leaves: readonly Leaf[]): string => `${leaves.length} objects that take no time`;

/** Done at once, and nothing wrong with it. */
function isInstant({ id }: Leaf, { run }: Where): boolean {
  const span = spanOf(run, id);
  return span === undefined || (span.startMs === span.endMs && span.state !== 'failed' && span.state !== 'waiting');
}

function leafRow(leaf: Leaf, depth: number, { run, critical, rehearsal }: Where): Row {
  const span = spanOf(run, leaf.id) as Span;
  const source = run.step.kind === 'delete' ? undefined : rehearsal.sources.get(workloadKey(leaf.name));
  return { depth, text: leaf.name, span, source, isCritical: critical.has(span) };
}

/** `StatefulSet/db (chart database)` */
export const segmentTitle = ({ leaf }: Segment): string =>
  leaf.place === '' ? leaf.name : `${leaf.name} (${leaf.place})`;
