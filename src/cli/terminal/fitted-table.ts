import { tableText, textWidth } from '../../show/table.ts';
import { clipped, hasUnicode, padded, shortened, wrapped } from './fit.ts';
import type { Io } from './io.ts';

type Rows = readonly (readonly string[])[];

interface TableForm {
  /** How the rows look where they have room; default: as Helm prints them. */
  readonly layout?: (rows: Rows) => string;
  /** Default true: the first row names the columns. */
  readonly hasHeader?: boolean;
}

/**
 * A table for standard output. Pipes get its layout whatever its width, terminals where it has room. On a narrower terminal
 * the widest columns are shortened until no line is too long; where columns would become too narrow to read, each row is a
 * block with a line for each column.
 */
export function fittedTable(rows: Rows, { stdout, env }: Pick<Io, 'stdout' | 'env'>, form: TableForm = {}): string {
  const { layout = tableText, hasHeader = true } = form;
  const text = layout(rows);
  const { columns } = stdout;
  if (!stdout.isTerminal || !columns || text.split('\n').every((line) => screenWidth(line) <= columns)) return text;
  const widths = widthsOf(rows);
  const room = columns - gap.length * (widths.length - 1);
  if (hasHeader && sum(widths.map((width) => Math.min(width, readable))) > room) return blocksText(rows, columns);
  const narrow = narrowedTo(room, widths);
  return linesText(rows, narrow, hasUnicode(env) ? '…' : '~');
}

/** The same for texts that have a table in them. */
export const tableFitting =
  (io: Pick<Io, 'stdout' | 'env'>) =>
  (rows: Rows): string =>
    fittedTable(rows, io);

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

const widthsOf = (rows: Rows): readonly number[] =>
  Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, column) =>
    Math.max(...rows.flatMap((row) => (row[column] ?? '').split('\n').map(textWidth))),
  );

/** The same widths, the widest cut down to one limit, so that together they take no more than the room. */
function narrowedTo(room: number, widths: readonly number[]): readonly number[] {
  const total = (limit: number): number => sum(widths.map((width) => Math.min(width, limit)));
  let limit = Math.max(...widths);
  while (limit > 1 && total(limit) > room) limit--;
  let left = room - total(limit);
  return widths.map((width) => (width > limit && left-- > 0 ? limit + 1 : Math.min(width, limit)));
}

const linesText = (rows: Rows, widths: readonly number[], ellipsis: string): string =>
  rows
    .flatMap((row) => {
      const cells = widths.map((width, column) =>
        (row[column] ?? '').split('\n').map((line) => padded(cut(line, width, ellipsis), width)),
      );
      const height = Math.max(...cells.map((lines) => lines.length));
      return Array.from({ length: height }, (_, line) =>
        cells
          .map((lines, column) => lines[line] ?? ' '.repeat(widths[column] ?? 0))
          .join(gap)
          .trimEnd(),
      );
    })
    .map((line) => `${line}\n`)
    .join('');

const colored = /^(\x1b\[\d+m)([^\x1b]*)(\x1b\[\d+m)$/;

/** Names differ at their ends, so their middle goes; of sentences and times the end does. */
function cut(cell: string, width: number, ellipsis: string): string {
  const [, start = '', text = cell, end = ''] = colored.exec(cell) ?? [];
  return start + (text.includes(' ') ? clipped : shortened)(text, width, ellipsis) + end;
}

function blocksText(rows: Rows, columns: number): string {
  const [header = [], ...records] = rows;
  const labelWidth = Math.max(...header.map(textWidth));
  const room = Math.max(1, columns - labelWidth - gap.length);
  const before = ' '.repeat(labelWidth) + gap;
  const block = (row: readonly string[]): string =>
    header
      .map((label, column) => {
        const lines = (row[column] ?? '').split('\n').flatMap((line) => foldedCell(line, room));
        return `${padded(label, labelWidth)}${gap}${lines.join(`\n${before}`)}`;
      })
      .map((line) => `${line.trimEnd()}\n`)
      .join('');
  return records.map(block).join('\n');
}

const foldedCell = (cell: string, room: number): readonly string[] =>
  textWidth(cell) <= room ? [cell] : wrapped(colored.exec(cell)?.[2] ?? cell, room);
