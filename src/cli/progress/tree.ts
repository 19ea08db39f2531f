import { textWidth } from '../../show/table.ts';
import { printableLine } from '../../support/printable.ts';
import { clipped, padded, shortened, wrapped } from '../terminal/fit.ts';
import type { RunModel } from './model.ts';
import {
  type Branch,
  byCause,
  isAppliedOnly,
  isDone,
  isRow,
  needsAttention,
  type Progress,
  progressOf,
  type Row,
  stateWord,
} from './rows.ts';
import type { Style } from './style.ts';
import { seconds } from './words.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
  /** What is printed below the lines: a cause that it contains is left to it. */
  readonly outcomeText?: string | undefined;
}

const frameMs = 100;

/**
 * The run at `nowMs`, in at most `size.rows` lines of at most `size.columns`: a line on the whole of it, then the tree.
 * Branches that are over or have not begun take a line each; below an object that something is in the way of, the
 * cause has lines of its own. Where the tree is too high, what has a cause to show
 * stays, then what is not ready, and the last line counts the rest. Once the run is over, of its objects only those that it
 * ended with or without are shown.
 */
export function treeLines(model: RunModel, size: Size, nowMs: number, style: Style): string[] {
  const look = lookOf(size, nowMs, style);
  return branchLines(headLine(model, look), model.steps, look);
}

/** A line on the whole, then these branches with what is in them, in at most `look.rows` lines. */
export function branchLines(head: string, branches: readonly Branch[], look: Look): string[] {
  const { columns, rows, paint, marks } = look;
  const below = (node: Branch | Row, depth: number) =>
    isReportedAbove(node, look) ? [] : wrappedCause(node, depth, columns);
  const selection = new Selection(rows - 1, below, look.isStill ? needsAttention : () => true);
  for (const branch of branches) selection.addBranch(branch, 0);
  const shown = selection.shown();
  const width = labelWidth(shown, columns);
  const lines = shown.flatMap((entry) => [entryLine(entry, width, look), ...causeLines(entry, look)]);
  const rest = selection.moreText(shown);
  const more = rest === '' ? [] : [paint.dim(`  ${marks.ellipsis} ${rest}`)];
  return [head, ...lines, ...more].slice(0, Math.max(1, rows)).map((line) => clipped(line, columns, marks.ellipsis));
}

export const lookOf = (size: Size, nowMs: number, style: Style): Look => ({
  ...style,
  ...size,
  nowMs,
  spinner: spinnerAt(nowMs, style),
});

export interface Look extends Style, Size {
  readonly nowMs: number;
  readonly spinner: string;
}

const spinnerAt = (nowMs: number, { marks }: Style): string =>
  marks.spinner[Math.trunc(nowMs / frameMs) % marks.spinner.length] as string;

/** A line of the tree. The smaller its rank, the later it goes where room is short. */
interface Entry {
  readonly node: Branch | Row;
  readonly depth: number;
  readonly rank: number;
  /** Its place among all lines of the tree. */
  readonly at: number;
  /** The lines of its cause, and how many of them there is room for. */
  readonly below: readonly string[];
  readonly kept: number;
}

const branchRanks: Readonly<Record<Progress, number>> = {
  failed: 0,
  active: 0,
  pending: 5,
  applied: 6,
  done: 6,
  'left out': 6,
};
/** What releases are made of goes before the releases, where room is short; what of it is over or has not begun is not shown. */
const insideReleaseRank = 4;
const isOpen = (row: Row): boolean => row.state !== 'pending' && !isDone(row);
const lastRank = 8;
const leastUrgentRank = branchRanks.pending;

function rowRank(row: Row): number {
  if (row.state === 'failed') return 1;
  if (row.state === 'pending') return lastRank;
  if (isDone(row)) return 7;
  if (row.cause !== '') return 2;
  return row.state === 'waiting' || row.reason !== '' ? 3 : 4;
}

const isReportedAbove = (node: Branch | Row, { outcomeText }: Size): boolean =>
  outcomeText !== undefined &&
  causeOf(node) !== '' &&
  ((isRow(node) && node.isInMessage) || outcomeText.includes(withoutFrame(shownCause(node))));
/** Without what a wait puts around the words of the cluster. */
const withoutFrame = (cause: string): string =>
  cause.replace(/\s+/g, ' ').replace(/^the job failed: | \(no progress for [^)]*\)$/g, '');
const hasCause = (node: Branch | Row): boolean => isRow(node) && node.cause !== '';
const causeOf = ({ cause = '' }: Branch | Row): string => cause;

/** What has failed, what something is in the way of, then the others as they come. */
const worstFirst = (nodes: readonly (Branch | Row)[]): readonly (Branch | Row)[] =>
  nodes.some(hasCause)
    ? [...nodes.filter(isRow).filter(hasCause).sort(byCause), ...nodes.filter((node) => !hasCause(node))]
    : nodes;

/**
 * The lines of a tree that there is room for. It goes through thousands of rows ten times a second: of each rank no more
 * are kept than can be shown, the others are counted.
 */
class Selection {
  readonly #room: number;
  readonly #below: (node: Branch | Row, depth: number) => readonly string[];
  readonly #isCounted: (row: Row) => boolean;
  readonly #byRank: Entry[][] = Array.from({ length: lastRank + 1 }, () => []);
  readonly #words = new Map<string, number>();
  #count = 0;

  /** `isCounted` tells the rows that are shown, or counted where there is no room. */
  constructor(
    room: number,
    below: (node: Branch | Row, depth: number) => readonly string[],
    isCounted: (row: Row) => boolean,
  ) {
    this.#room = Math.max(0, room);
    this.#below = below;
    this.#isCounted = isCounted;
  }

  addBranch(branch: Branch, depth: number, leastRank = 0): void {
    const progress = progressOf(branch);
    this.#add(branch, depth, Math.max(leastRank, branchRanks[progress]), progress);
    if (progress !== 'active' && progress !== 'failed') return;
    const inside = branch.kind === 'release' ? insideReleaseRank : leastRank;
    for (const child of worstFirst(branch.children)) {
      if (!isRow(child)) this.addBranch(child, depth + 1, inside);
      else if (this.#isCounted(child) && (inside === 0 || isOpen(child)))
        this.#add(child, depth + 1, rowRank(child), child.state);
    }
  }

  /**
   * By rank, a cause with one line at first, and whole before what is over or has not begun; where not all fit, one line
   * is left for the count of the others.
   */
  shown(): readonly Entry[] {
    const entries = this.#byRank.flat();
    const most = entries.reduce((sum, { below }) => sum + 1 + below.length, 0);
    let room = most <= this.#room && this.#count === entries.length ? this.#room : this.#room - 1;
    const chosen: Choice[] = [];
    for (const entry of entries) {
      // What is over or has not begun comes after the whole of a cause.
      if (entry.rank >= leastUrgentRank) room -= withWholeCauses(chosen, room);
      if (room <= 0) break;
      const kept = Math.min(1, entry.below.length, room - 1);
      chosen.push({ entry, kept });
      room -= 1 + kept;
    }
    withWholeCauses(chosen, room);
    return chosen.map(({ entry, kept }) => ({ ...entry, kept })).sort((a, b) => a.at - b.at);
  }

  /** `12 more: 4 waiting, 8 pending`; '' where all are shown. */
  moreText(shown: readonly Entry[]): string {
    const hidden = this.#count - shown.length;
    if (hidden === 0) return '';
    const left = new Map(this.#words);
    for (const { node } of shown) {
      const word = isRow(node) ? node.state : progressOf(node);
      left.set(word, (left.get(word) ?? 0) - 1);
    }
    const counts = [...left].filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
    return `${hidden} more: ${counts.join(', ')}`;
  }

  #add(node: Branch | Row, depth: number, rank: number, word: string): void {
    const entries = this.#byRank[rank] as Entry[];
    if (entries.length < this.#room) {
      const below = causeOf(node) === '' ? [] : this.#below(node, depth);
      entries.push({ node, depth, rank, at: this.#count, below, kept: 0 });
    }
    this.#words.set(word, (this.#words.get(word) ?? 0) + 1);
    this.#count += 1;
  }
}

interface Choice {
  readonly entry: Entry;
  kept: number;
}

/** Gives the causes the rest of their lines, as far as there is room; tells how many that were. */
function withWholeCauses(chosen: readonly Choice[], room: number): number {
  let left = room;
  for (const choice of chosen) {
    const more = Math.max(0, Math.min(left, choice.entry.below.length - choice.kept));
    choice.kept += more;
    left -= more;
  }
  return room - left;
}

function headLine(model: RunModel, { spinner, paint, nowMs, isStill = false }: Look): string {
  const { total, done, failed } = sums(model);
  const notReady = isStill ? countNotReady(model) : 0;
  const counts = [
    // Until there is a plan there is nothing to count.
    total === 0 && model.steps.length === 0 ? beginning(model) : `${done}/${total}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(notReady === 0 ? [] : [`${notReady} not ready`]),
  ].join(', ');
  const title = `${model.action} ${model.release} in ${model.namespace}`;
  return `${paint.busy(spinner)} ${title}  ${paint.dim(`${seconds(nowMs - model.startedMs)}  ${counts}`)}`;
}

const beginning = ({ action }: RunModel): string =>
  `reading the ${action === 'install' || action === 'upgrade' ? 'chart' : 'release'} and asking the cluster`;

/** How many objects a run ended without, which have not failed. */
export const countNotReady = ({ rows }: RunModel): number =>
  rows.filter(({ state, isJudged }) => state === 'waiting' && isJudged).length;

export function sums({ steps }: RunModel): { total: number; done: number; failed: number } {
  const sum = (count: (step: Branch) => number): number => steps.reduce((before, step) => before + count(step), 0);
  return { total: sum(({ total }) => total), done: sum(({ done }) => done), failed: sum(({ failed }) => failed) };
}

/** Names share a column, which leaves room for states, times and pods. */
const labelWidth = (entries: readonly Entry[], columns: number): number =>
  Math.min(
    Math.max(12, columns - 2 - stateColumns - timeColumns - podColumns),
    Math.max(0, ...entries.map(({ node, depth }) => indent(depth).length + 2 + textWidth(titleOf(node)))),
  );

/** There the mark before a name is all that tells its state, and nothing is in columns. */
const isNarrow = (columns: number): boolean => columns < 60;

/** The cause of a row in lines of their own, which are indented below its name. */
const wrappedCause = (node: Branch | Row, depth: number, columns: number): readonly string[] =>
  wrapped(shownCause(node), Math.max(8, columns - indent(depth + 1).length));

function shownCause(node: Branch | Row): string {
  const cause = printableLine(causeOf(node));
  if (!isRow(node)) return cause;
  const shown = withoutOwnPod(cause, node.id.name);
  const isSaid = node.state !== 'failed' && node.lastLogLine !== '' && /exit code \d/.test(cause);
  return isSaid ? `${shown}: "${printableLine(node.lastLogLine)}"` : shown;
}

/** A pod that is named after the row's object needs no name there. */
const withoutOwnPod = (cause: string, name: string): string =>
  cause.startsWith(`Pod/${name}-`) ? cause.replace(/^Pod\/\S+ /, '') : cause;

function causeLines({ node, depth, below, kept }: Entry, { columns, paint, marks }: Look): readonly string[] {
  const before = indent(depth + 1);
  return below.slice(0, kept).map((line, index) => {
    const isLast = index === kept - 1;
    const text = clipped(isLast ? below.slice(index).join(' ') : line, columns - before.length, marks.ellipsis);
    return `${before}${isFailed(node) ? paint.bad(text) : text}`;
  });
}

const isFailed = (node: Branch | Row): boolean => (isRow(node) ? node.state : progressOf(node)) === 'failed';

const indent = (depth: number): string => '  '.repeat(depth + 1);
const titleOf = (node: Branch | Row): string => (isRow(node) ? node.label : printableLine(node.title));

function entryLine({ node, depth, kept }: Entry, width: number, look: Look): string {
  const { marks, paint, columns } = look;
  const progress = isRow(node) ? rowProgress(node, look) : progressOf(node);
  const before = `${indent(depth)}${markOf(progress, look)} `;
  const rest = isRow(node) ? rowRest(node, kept === 0 && !isReportedAbove(node, look), look) : branchRest(node, look);
  const room = isNarrow(columns) ? columns - textWidth(rest) - 2 : width;
  const name = shortened(titleOf(node), Math.max(4, room - indent(depth).length - 2), marks.ellipsis);
  const start = isNarrow(columns) ? name : padded(name, width - indent(depth).length - 2);
  const line = `${before}${progress === 'pending' ? paint.dim(start) : start}  ${rest}`;
  return line.trimEnd();
}

function rowProgress(row: Row, { isStill = false }: Look): Progress {
  if (row.state === 'pending' || row.state === 'failed') return row.state;
  // Of a run that ended before it waited for them, objects that were applied have not failed.
  if (isStill && !row.isJudged && row.state === 'waiting') return 'left out';
  if (isStill && isAppliedOnly(row)) return 'applied';
  return isDone(row) ? 'done' : 'active';
}

function markOf(progress: Progress, { marks, paint, spinner }: Look): string {
  switch (progress) {
    case 'done':
      return paint.good(marks.done);
    case 'failed':
      return paint.bad(marks.failed);
    case 'active':
      return paint.busy(spinner);
    case 'applied':
      return paint.dim(marks.applied);
    case 'pending':
    case 'left out':
      return paint.dim(marks.pending);
  }
}

const stateColumns = 10;
const timeColumns = 6;
const podColumns = 6;

function rowRest(row: Row, withReason: boolean, { paint, nowMs, columns, isStill = false }: Look): string {
  if (row.state === 'pending') return '';
  const pods =
    row.pods === undefined || (row.kind === 'hook' && isDone(row)) ? '' : ` ${row.pods.ready}/${row.pods.desired}`;
  const age = seconds((row.endedMs ?? nowMs) - (row.startedMs ?? nowMs));
  if (isNarrow(columns)) return paint.dim(`${age}${pods}`);
  const state = padded(stateWord(row, isStill), stateColumns);
  const reason = row.reason === '' || isDone(row) || !withReason ? '' : `  ${printableLine(row.reason)}`;
  const counts = `${age.padStart(timeColumns)}${pods.padStart(podColumns)}`;
  return `${row.state === 'failed' ? paint.bad(state) : state}${paint.dim(counts)}${reason}`;
}

function branchRest(branch: Branch, { paint, nowMs, columns }: Look): string {
  const { done, total, startedMs, endedMs, note = '' } = branch;
  if (startedMs === undefined) return paint.dim(total === 0 ? note : `${total}`.padStart(stateColumns));
  const counts = total === 0 ? '' : `${done}/${total}`;
  const age = seconds((endedMs ?? nowMs) - startedMs);
  if (isNarrow(columns)) return paint.dim(`${age} ${counts}`.trimEnd());
  const rest = paint.dim(`${padded(counts, stateColumns)}${age.padStart(timeColumns)}`);
  return note === '' ? rest : `${rest}  ${printableLine(note)}`;
}
