import { textWidth } from '../output/table.ts';
import { countsText, isSettled, type ProgressRow, type ProgressState } from './state.ts';

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const frameMs = 100;

/** What the live table looks like at `nowMs`: a line on the whole run, then the objects that are not done yet. */
export function liveLines(
  state: ProgressState,
  size: { readonly columns: number; readonly rows: number },
  startedMs: number,
  nowMs: number,
  paint: Paint,
): string[] {
  const frame = frames[Math.trunc(nowMs / frameMs) % frames.length] as string;
  const batch = state.batch === '' ? '' : `${state.batch} `;
  const head = `${paint.busy(frame)} ${batch}${state.title} ${paint.dim(`${seconds(nowMs - startedMs)}  ${countsText(state)}`)}`;
  const open = [...state.rows.values()].filter((row) => !isSettled(row));
  const room = Math.max(1, size.rows - 4);
  const shown = open.slice(0, room);
  const more = open.length > shown.length ? [paint.dim(`  … ${open.length - shown.length} more`)] : [];
  const width = Math.max(0, ...shown.map((row) => textWidth(row.label)));
  return [head, ...shown.map((row) => rowLine(row, width, nowMs, paint)), ...more].map((line) =>
    clipped(line, size.columns),
  );
}

function rowLine(row: ProgressRow, width: number, nowMs: number, paint: Paint): string {
  const gap = ' '.repeat(Math.max(0, width - textWidth(row.label)));
  const state = row.state === 'failed' ? paint.bad(row.state) : row.state;
  return `  ${row.label}${gap}  ${state} ${paint.dim(seconds(nowMs - row.sinceMs))}  ${row.reason}`.trimEnd();
}

export const seconds = (ms: number): string =>
  ms < 60_000
    ? `${(ms / 1000).toFixed(1)}s`
    : `${Math.trunc(ms / 60_000)}m${String(Math.trunc(ms / 1000) % 60).padStart(2, '0')}s`;

/** A line that fits into the terminal, colours kept whole. */
function clipped(line: string, columns: number): string {
  if (textWidth(line) < columns) return line;
  let text = '';
  for (const piece of line.split(/(\x1b\[[\d;]*m)/)) {
    if (piece.startsWith('\x1b')) text += piece;
    else for (const character of piece) if (textWidth(text + character) < columns - 1) text += character;
  }
  return `${text}…\x1b[0m`;
}

export interface Paint {
  busy(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
}

const plainText = (text: string): string => text;
export const noPaint: Paint = { busy: plainText, good: plainText, bad: plainText, dim: plainText };
