import { textWidth } from '../../show/table.ts';
import type { Output } from './io.ts';

/** A line that takes no more than `columns` on the terminal, colours kept whole. */
export function clipped(line: string, columns: number, ellipsis: string): string {
  if (textWidth(line) <= columns) return line;
  if (columns <= 0) return '';
  const room = columns - 1;
  let text = '';
  let width = 0;
  let isFull = false;
  for (const piece of line.split(/(\x1b\[[\d;]*m)/)) {
    if (piece.startsWith('\x1b')) {
      text += piece;
      continue;
    }
    for (const character of piece) {
      if (isFull) break;
      width += textWidth(character);
      if (width > room) isFull = true;
      else text += character;
    }
    if (isFull && !text.includes(ellipsis)) text += ellipsis;
  }
  return text;
}

/** A name of at most `columns`; of a longer one the middle goes, because names differ at their ends. */
export function shortened(name: string, columns: number, ellipsis: string): string {
  if (textWidth(name) <= columns) return name;
  const characters = [...name];
  const kept = Math.max(1, columns - 1);
  const head = Math.ceil(kept / 2);
  const tail = kept - head;
  return `${characters.slice(0, head).join('')}${ellipsis}${tail === 0 ? '' : characters.slice(-tail).join('')}`;
}

export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)));

/** A text in lines of at most `columns`, broken between words; a longer word, such as a path, behind one of its signs. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (!isWider(longer, columns)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (isWider(line, columns)) {
      const head = headOf(line, columns);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line];
}

/** The text as the output shows it: a terminal folded, all else as it is. */
export const foldedFor = (
  { isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>,
  text: string,
  indent = usualIndent,
): string => (isTerminal && columns ? folded(text, Math.max(20, columns - 1), indent) : text);

/** Before what goes on below a line that has no mark or label. */
const usualIndent = '  ';

/** A text of so many columns: what is longer than a line goes on below it, indented, or behind the bars of its tree. */
const folded = (text: string, columns: number, indent: string): string =>
  text
    .split('\n')
    .map((line) => foldedLine(line, columns, indent))
    .join('\n');

/** The indentation of a line that continues what a label begins. */
export const labelledFrom = 9;

const startOfLine =
  /^(?:[│ ] {2})*[├└]─ |^ +(?:(?:where|value|fix|so|log|also|more|next) +)?|^ *(?:-|\d+\.) |^(?:error|warning|note) {2,}/;

export function foldedLine(line: string, columns: number, indent = usualIndent): string {
  if (textWidth(line) <= columns) return line;
  const start = startOfLine.exec(line)?.[0] ?? '';
  const isColumn = /\S/.test(start) || start.length >= labelledFrom;
  const before = start.replaceAll('├', '│').replaceAll(/[^│]/g, ' ') + (isColumn ? '' : indent);
  const [first = '', ...rest] = wrapped(line.slice(start.length), Math.max(8, columns - before.length));
  return [start + first, ...rest.map((each) => before + each)].map((each) => each.trimEnd()).join('\n');
}

/** The beginning of a long text tells it, so that each line of one takes the same time. */
function isWider(text: string, columns: number): boolean {
  const most = 8 * columns + 64;
  if (text.length > most && textWidth(text.slice(0, most).replace(/\x1b[^m]*$/, '')) > columns) return true;
  return textWidth(text) > columns;
}

/** As many characters as fit, at least one; up to a sign that divides the word, unless that leaves half of the line empty. */
function headOf(word: string, columns: number): string {
  let head = '';
  for (const character of word) {
    if (head !== '' && textWidth(head + character) > columns) break;
    head += character;
  }
  const parts = head.slice(0, head.search(/[^/.,:;=&?\]})-]*$/));
  return textWidth(parts) * 2 > columns ? parts : head;
}

/** Whether the locale's characters are UTF-8, by the variables in the order in which POSIX asks them. */
export function hasUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
}
