import { printableLine } from '../../support/printable.ts';
import { textWidth } from '../output/table.ts';
import { clipped, padded, shortened } from './fit.ts';
import type { RunModel } from './model.ts';
import { type Branch, isDone, isRow, type Progress, progressOf, type Row } from './rows.ts';
import type { Style } from './style.ts';
import { seconds } from './words.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const frameMs = 100;

/**
 * The run at `nowMs`, in at most `size.rows` lines of at most `size.columns`: a line on the whole of it, then the tree.
 * Branches that are over or have not begun take a line each. Where the tree is too high, what is not ready stays, and the
 * last line counts the rest.
 */
export function treeLines(model: RunModel, size: Size, nowMs: number, style: Style): string[] {
  const look: Look = { ...style, ...size, nowMs, spinner: spinnerAt(nowMs, style) };
  const selection = new Selection(size.rows - 1);
  for (const step of model.steps) selection.addBranch(step, 0);
  const shown = selection.shown();
  const width = labelWidth(shown, size.columns);
  const lines = shown.map((entry) => entryLine(entry, width, look));
  const rest = selection.moreText(shown);
  const more = rest === '' ? [] : [style.paint.dim(`  ${style.marks.ellipsis} ${rest}`)];
  return [headLine(model, look), ...lines, ...more]
    .slice(0, Math.max(1, size.rows))
    .map((line) => clipped(line, size.columns, style.marks.ellipsis));
}

interface Look extends Style, Size {
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
}

const branchRanks: Readonly<Record<Progress, number>> = { failed: 0, active: 0, pending: 4, done: 5 };
const lastRank = 7;

function rowRank(row: Row): number {
  if (row.state === 'failed') return 1;
  if (row.state === 'pending') return lastRank;
  if (isDone(row)) return 6;
  return row.state === 'waiting' || row.reason !== '' ? 2 : 3;
}

/**
 * The lines of a tree that there is room for. It goes through thousands of rows ten times a second: of each rank no more
 * are kept than can be shown, the others are counted.
 */
class Selection {
  readonly #room: number;
  readonly #byRank: Entry[][] = Array.from({ length: lastRank + 1 }, () => []);
  readonly #words = new Map<string, number>();
  #count = 0;

  constructor(room: number) {
    this.#room = Math.max(0, room);
  }

  addBranch(branch: Branch, depth: number): void {
    const progress = progressOf(branch);
    this.#add(branch, depth, branchRanks[progress], progress);
    if (progress === 'pending' || progress === 'done') return;
    for (const child of branch.children) {
      if (isRow(child)) this.#add(child, depth + 1, rowRank(child), child.state);
      else this.addBranch(child, depth + 1);
    }
  }

  /** By rank; where not all fit, one line is left for the count of the others. */
  shown(): readonly Entry[] {
    let room = this.#count <= this.#room ? this.#room : this.#room - 1;
    const shown: Entry[] = [];
    for (const entries of this.#byRank) {
      shown.push(...entries.slice(0, Math.max(0, room)));
      room -= entries.length;
    }
    return shown.sort((a, b) => a.at - b.at);
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
    if (entries.length < this.#room) entries.push({ node, depth, rank, at: this.#count });
    this.#words.set(word, (this.#words.get(word) ?? 0) + 1);
    this.#count += 1;
  }
}

function headLine(model: RunModel, { spinner, paint, nowMs }: Look): string {
  const { total, done, failed } = sums(model);
  const counts = `${done}/${total}${failed === 0 ? '' : `, ${failed} failed`}`;
  const title = `${model.action} ${model.release} in ${model.namespace}`;
  return `${paint.busy(spinner)} ${title}  ${paint.dim(`${seconds(nowMs - model.startedMs)}  ${counts}`)}`;
}

export function sums({ steps }: RunModel): { total: number; done: number; failed: number } {
  const sum = (count: (step: Branch) => number): number => steps.reduce((before, step) => before + count(step), 0);
  return { total: sum(({ total }) => total), done: sum(({ done }) => done), failed: sum(({ failed }) => failed) };
}

/** Names share a column, which takes no more than half of a line. */
const labelWidth = (entries: readonly Entry[], columns: number): number =>
  Math.min(
    Math.max(12, Math.trunc(columns / 2)),
    Math.max(0, ...entries.map(({ node, depth }) => indent(depth).length + 2 + textWidth(titleOf(node)))),
  );

const indent = (depth: number): string => '  '.repeat(depth + 1);
const titleOf = (node: Branch | Row): string => (isRow(node) ? node.label : printableLine(node.title));

function entryLine({ node, depth }: Entry, width: number, look: Look): string {
  const { marks, paint } = look;
  const progress = isRow(node) ? rowProgress(node) : progressOf(node);
  const before = `${indent(depth)}${markOf(progress, look)} `;
  const name = shortened(titleOf(node), Math.max(4, width - indent(depth).length - 2), marks.ellipsis);
  const start = padded(name, width - indent(depth).length - 2);
  const rest = isRow(node) ? rowRest(node, look) : branchRest(node, look);
  const line = `${before}${progress === 'pending' ? paint.dim(start) : start}  ${rest}`;
  return line.trimEnd();
}

function rowProgress(row: Row): Progress {
  if (row.state === 'pending' || row.state === 'failed') return row.state;
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
    case 'pending':
      return paint.dim(marks.pending);
  }
}

const stateColumns = 10;

function rowRest(row: Row, { paint, nowMs }: Look): string {
  if (row.state === 'pending') return '';
  const state = padded(row.state, stateColumns);
  const pods =
    row.pods === undefined || (row.kind === 'hook' && isDone(row)) ? '' : ` ${row.pods.ready}/${row.pods.desired}`;
  const age = seconds((row.endedMs ?? nowMs) - (row.startedMs ?? nowMs));
  const reason = row.reason === '' || isDone(row) ? '' : `  ${printableLine(row.reason)}`;
  return `${row.state === 'failed' ? paint.bad(state) : state}${paint.dim(`${age.padStart(6)}${pods.padStart(6)}`)}${reason}`;
}

function branchRest(branch: Branch, { paint, nowMs }: Look): string {
  const { done, total, startedMs, endedMs } = branch;
  if (startedMs === undefined) return paint.dim(total === 0 ? '' : `${total}`.padStart(stateColumns));
  const counts = total === 0 ? '' : `${done}/${total}`;
  return paint.dim(`${padded(counts, stateColumns)}${seconds((endedMs ?? nowMs) - startedMs).padStart(6)}`);
}
