/**
 * Rows as Helm's tables print them: every cell padded to its column, cells joined by a tab, a line break at the end.
 * Cells of several lines take several lines; a cell that is wider than `maxColumnWidth` (0: no limit) is cut, with dots
 * at its end. Follows gosuri/uitable.
 */
export function tableText(given: readonly (readonly string[])[], maxColumnWidth = 0): string {
  const rows = maxColumnWidth === 0 ? given : given.map((row) => row.map((cell) => shortened(cell, maxColumnWidth)));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, ...cell.split('\n').map(textWidth));
    });
  }
  return `${rows.flatMap((row) => rowLines(row, widths)).join('\n')}\n`;
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((cell) => cell.split('\n'));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells.map((lines, column) => padded(lines[line] ?? '', widths[column] ?? 0)).join('\t'),
  );
}

/** strutil.Resize: at least one character stays, however narrow the column. */
function shortened(cell: string, width: number): string {
  if (textWidth(cell) <= width) return cell;
  let kept = '';
  let keptWidth = 0;
  for (const character of cell) {
    kept += character;
    keptWidth += textWidth(character);
    if (keptWidth >= width - 3) break;
  }
  return `${kept}...`;
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)));

/** The columns that a text takes on a terminal: wide East Asian characters take two, colours none. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(colorCodes, '')) width += characterWidth(character.codePointAt(0) as number);
  return width;
}

const colorCodes = /\x1b\[[\d;]*m/g;

const characterWidth = (point: number): number => (isCombining(point) ? 0 : isWide(point) ? 2 : 1);
const isCombining = (point: number): boolean =>
  (point >= 0x300 && point <= 0x36f) || point === 0x200d || point === 0xfe0f;
const isWide = (point: number): boolean =>
  (point >= 0x1100 && point <= 0x115f) ||
  (point >= 0x2e80 && point <= 0xa4cf) ||
  (point >= 0xac00 && point <= 0xd7a3) ||
  (point >= 0xf900 && point <= 0xfaff) ||
  (point >= 0xfe30 && point <= 0xfe6f) ||
  (point >= 0xff00 && point <= 0xff60) ||
  (point >= 0xffe0 && point <= 0xffe6) ||
  (point >= 0x1f300 && point <= 0x1faff) ||
  (point >= 0x20000 && point <= 0x3fffd);
