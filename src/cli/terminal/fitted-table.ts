import { tableText, textWidth } from '../../show/table.ts';
import { clipped, hasUnicode, padded, shortened, wrapped } from './fit.ts';
import type { Io } from './io.ts';

/** What is in a table: a text, or a time, which is shorter where there is little room. */
export type Cell = string | TimeCell;

interface TimeCell {
  /** As Helm prints it. */
  readonly full: string;
  /** To the second. */
  readonly short: string;
}

export type Rows = readonly (readonly Cell[])[];
type TextRows = readonly (readonly string[])[];

interface TableForm {
  /** How the rows look where they have room; default: as Helm prints them. */
  readonly layout?: (rows: TextRows) => string;
  /** Default true: the first row names the columns. */
  readonly hasHeader?: boolean;
  /** Of a text that is broken between words, no more lines are shown in its column; default 3. */
  readonly maxLines?: number;
}

/**
 * A table for standard output. Pipes get its layout whatever its width, terminals where it has room. On a narrower terminal
 * times are shorter, texts are broken between words, and then the longest words are shortened, until no line is too long; a
 * long text of the last column is below its row. Where columns would become too narrow to read, each row is a block with a line for each column. Times are never cut.
 */
export function fittedTable(rows: Rows, { stdout, env }: Pick<Io, 'stdout' | 'env'>, form: TableForm = {}): string {
  const { layout = tableText, hasHeader = true, maxLines = 3 } = form;
  const text = layout(rows.map((row) => row.map(fullText)));
  const { columns } = stdout;
  if (!stdout.isTerminal || !columns || text.split('\n').every((line) => screenWidth(line) <= columns)) return text;
  const shorter = rows.map((row) => row.map(shortText));
  const widths = narrowedTo(columns, shorter, hasHeader);
  if (widths !== undefined) return linesText(shorter, widths, { ellipsis: hasUnicode(env) ? '…' : '~', maxLines });
  return hasHeader ? blocksText(rows.slice(1), rows[0] ?? [], columns) : blocksText(rows, [], columns);
}

/** The same for texts that have a table in them. */
export const tableFitting =
  (io: Pick<Io, 'stdout' | 'env'>) =>
  (rows: Rows): string =>
    fittedTable(rows, io);

const fullText = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.full);
const shortText = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.short);

const gap = '  ';
/** Names of fewer characters tell little. */
const readable = 10;
const tabStop = 8;

/** The columns that a line takes on a terminal. */
const screenWidth = (line: string): number =>
  line
    .split('\t')
    .reduce((at, cell, index) => (index === 0 ? 0 : (Math.floor(at / tabStop) + 1) * tabStop) + textWidth(cell), 0);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const columnsOf = (rows: TextRows, widthOf: (line: string) => number): readonly number[] =>
  Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, column) =>
    Math.max(...rows.flatMap((row) => (row[column] ?? '').split('\n').map(widthOf))),
  );

const longestWord = (line: string): number => Math.max(...line.split(' ').map(textWidth));

/**
 * How wide each column is where lines have that many columns; undefined if some would be too narrow to read. The header is
 * broken between words first, because that costs one line, then the rows, and the longest words are cut last.
 */
function narrowedTo(columns: number, rows: TextRows, hasHeader: boolean): readonly number[] | undefined {
  const whole = columnsOf(rows, textWidth);
  const words = columnsOf(rows, longestWord);
  const values = columnsOf(hasHeader ? rows.slice(1) : rows, textWidth);
  const wholeValues = words.map((width, column) => Math.max(width, values[column] ?? 0));
  const readableWords = words.map((width) => Math.min(width, readable));
  const room = columns - gap.length * (whole.length - 1);
  return cutDown(room, whole, wholeValues) ?? cutDown(room, wholeValues, words) ?? cutDown(room, words, readableWords);
}

/** The same widths, the widest cut down to one limit, so that together they take no more than the room; none below its least. */
function cutDown(room: number, widths: readonly number[], least: readonly number[]): readonly number[] | undefined {
  const cutTo = (limit: number): number[] =>
    widths.map((width, column) => Math.max(Math.min(width, limit), least[column] ?? 0));
  if (sum(least) > room) return undefined;
  let limit = Math.max(...widths);
  while (sum(cutTo(limit)) > room) limit--;
  let left = room - sum(cutTo(limit));
  return cutTo(limit).map((width, column) => ((widths[column] ?? 0) > width && left-- > 0 ? width + 1 : width));
}

interface Cut {
  readonly ellipsis: string;
  readonly maxLines: number;
}

function linesText(rows: TextRows, widths: readonly number[], manner: Cut): string {
  const lines = rows.flatMap((row) => {
    const [beside, below] = withLastBelow(row, widths, manner);
    const cells = widths.map((width, column) =>
      (beside[column] ?? '')
        .split('\n')
        .flatMap((line) => cut(line, width, manner))
        .map((line) => padded(line, width)),
    );
    const height = Math.max(...cells.map((texts) => texts.length));
    const ofRow = Array.from({ length: height }, (_, line) =>
      cells
        .map((texts, column) => texts[line] ?? ' '.repeat(widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
    );
    return [...ofRow, ...below];
  });
  return lines.map((line) => `${line}\n`).join('');
}

const indent = ' '.repeat(4);

/** The reason of a failure is in the last column: one that needs more lines than it has is shown whole, below its row. */
function withLastBelow(row: readonly string[], widths: readonly number[], { maxLines }: Cut) {
  const last = widths.length - 1;
  const [, start = '', text = row[last] ?? '', end = ''] = colored.exec(row[last] ?? '') ?? [];
  if (last === 0 || wrapped(text, widths[last] ?? 0).length <= maxLines) return [row, []] as const;
  const room = Math.max(readable, sum(widths) + gap.length * last - indent.length);
  const lines = text.split('\n').flatMap((line) => wrapped(line, room));
  return [row.slice(0, last), lines.map((line) => indent + start + line + end)] as const;
}

const colored = /^(\x1b\[\d+m)([^\x1b]*)(\x1b\[\d+m)$/;

/** Names differ at their ends, so their middle goes; other texts take a few lines. */
function cut(cell: string, width: number, { ellipsis, maxLines }: Cut): readonly string[] {
  if (textWidth(cell) <= width) return [cell];
  const [, start = '', text = cell, end = ''] = colored.exec(cell) ?? [];
  const lines = text.includes(' ') ? wrapped(text, width) : [shortened(text, width, ellipsis)];
  const shown =
    lines.length <= maxLines
      ? lines
      : [...lines.slice(0, maxLines - 1), clipped(lines.slice(maxLines - 1).join(' '), width, ellipsis)];
  return shown.map((line) => start + line + end);
}

function blocksText(rows: Rows, header: readonly Cell[], columns: number): string {
  const labels = header.map(fullText);
  const labelWidth = Math.max(0, ...labels.map((label) => textWidth(label) + gap.length));
  const room = Math.max(1, columns - labelWidth);
  const before = ' '.repeat(labelWidth);
  const block = (row: readonly Cell[]): string =>
    row
      .map((cell, column) => ({ label: labels[column] ?? '', lines: blockLines(cell, room) }))
      .filter(({ lines }) => lines.some((line) => line !== ''))
      .map(({ label, lines }) => `${padded(label, labelWidth)}${lines.join(`\n${before}`)}`.trimEnd())
      .map((line) => `${line}\n`)
      .join('');
  return rows.map(block).join('\n');
}

function blockLines(cell: Cell, room: number): readonly string[] {
  const full = fullText(cell);
  const text = textWidth(full) <= room ? full : shortText(cell);
  return text
    .split('\n')
    .flatMap((line) => (textWidth(line) <= room ? [line] : wrapped(colored.exec(line)?.[2] ?? line, room)));
}
