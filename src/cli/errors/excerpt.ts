import { mentionsSecret } from '../../manifest/mask-secrets.ts';
import type { SourcePlace } from '../../support/errors.ts';
import { maskText } from '../../support/secret-text.ts';
import { linesOf } from '../../support/text.ts';
import { clipped } from '../terminal/fit.ts';
import { type Mark, unmarked } from './line-role.ts';

const linesAround = 2;
const shownColumns = 200;

/** `   3 | image: x` lines, the one in question marked, a caret below its column; headed by the place, if `messageText` does not name its line. */
export function excerptText(place: SourcePlace, messageText = '', mark: Mark = unmarked): string {
  const title = `${place.file}:${place.line}`;
  return messageText.includes(`${title}:`) ? frameText(place) : `${mark('file', title)}\n${frameText(place)}`;
}

/** The lines alone. */
export function frameText(place: SourcePlace, { isNumbered = true } = {}): string {
  const isSecret = place.file.endsWith('(rendered)') && mentionsSecret(place.text);
  const lines = linesOf(maskText(place.text, { isDocument: true, isSecret }));
  const first = Math.max(1, place.line - linesAround);
  const end = lines.findLastIndex((line) => line !== '') + 1;
  const last = Math.max(place.line, Math.min(end, place.line + linesAround));
  const width = String(last).length;
  let text = '';
  const from = windowStart((place.column ?? 1) - 1, shownColumns);
  for (let number = first; number <= last; number++) {
    const line = lines[number - 1] ?? '';
    const isMeant = number === place.line;
    const shown = windowOf(line, isMeant ? from : 0, shownColumns);
    text += `${isMeant ? '>' : ' '} ${(isNumbered ? String(number) : '').padStart(width)} | ${shown}\n`;
    if (number === place.line && place.column !== undefined && place.column <= line.length + 1) {
      const before = line.slice(from, place.column - 1).replace(/[^\t]/g, ' ');
      text += `  ${' '.repeat(width)} | ${before}^\n`;
    }
  }
  return text;
}

/** Where a line is shown from, so that the column of the caret is among the first `room`. */
export const windowStart = (column: number, room: number): number =>
  column < room - 1 ? 0 : column - Math.trunc(room / 2);

export function windowOf(line: string, from: number, room: number): string {
  if (from === 0 || line.length <= from) return clipped(line.slice(from), room, '…');
  return `…${clipped(line.slice(from + 1), room - 1, '…')}`;
}
