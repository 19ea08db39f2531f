import { fromByteString, toByteString } from '../../go/byte-string.ts';
import { checkTextLength } from '../../go/limits.ts';
import { isSpace } from '../../go/runes.ts';

const ellipsis = '...';

/** goutils.Abbreviate: at most `width` bytes, the last three of them dots. Widths below 4 change nothing. */
export const abbreviate = (width: number, text: string): string => (width < 4 ? text : shorten(text, 0, width));

/** goutils.AbbreviateFull: shows the text around byte `left`, with dots on both sides. */
export function abbreviateBoth(left: number, width: number, text: string): string {
  return width < 4 || (left > 0 && width < 7) ? text : shorten(text, left, width);
}

function shorten(text: string, left: number, width: number): string {
  const bytes = toByteString(text);
  return bytes.length <= width ? text : fromByteString(shortenBytes(bytes, left, width));
}

function shortenBytes(bytes: string, left: number, width: number): string {
  const length = bytes.length;
  if (length <= width) return bytes;
  const shown = width - ellipsis.length;
  let offset = Math.min(left, length);
  if (length - offset < shown) offset = length - shown;
  if (offset <= 4) return bytes.slice(0, shown) + ellipsis;
  // goutils gives up here, and sprig drops the error.
  if (width < 7) return '';
  if (offset + shown < length) return ellipsis + (shown < 4 ? '' : shortenBytes(bytes.slice(offset), 0, shown));
  return ellipsis + bytes.slice(length - shown);
}

/** goutils.Wrap: breaks at spaces, long words stay whole. */
export const wrap = (width: number, text: string): string => wrapBytes(text, width, '\n', false);

/** goutils.WrapCustom with long words broken; an empty separator is a newline. */
export const wrapWith = (width: number, separator: string, text: string): string =>
  wrapBytes(text, width, separator === '' ? '\n' : separator, true);

function wrapBytes(text: string, width: number, separator: string, breakWords: boolean): string {
  const bytes = toByteString(text);
  const columns = Math.max(width, 1);
  checkTextLength(bytes.length + Math.ceil(bytes.length / columns) * separator.length);
  const newline = toByteString(separator);
  const lines: string[] = [];
  let offset = 0;
  while (bytes.length - offset > columns) {
    if (bytes[offset] === ' ') {
      offset += 1;
      continue;
    }
    const space = bytes.slice(offset, offset + columns + 1).lastIndexOf(' ');
    if (space >= 0) {
      lines.push(bytes.slice(offset, offset + space));
      offset += space + 1;
    } else if (breakWords) {
      lines.push(bytes.slice(offset, offset + columns));
      offset += columns;
    } else {
      const next = bytes.indexOf(' ', offset + columns);
      if (next === -1) break;
      lines.push(bytes.slice(offset, next));
      offset = next + 1;
    }
  }
  return fromByteString([...lines, bytes.slice(offset)].join(newline));
}

// These two of goutils take each byte for a rune, so that letters beyond ASCII come out as two.

/** goutils.DeleteWhiteSpace. */
export function withoutSpaces(text: string): string {
  const bytes = toByteString(text);
  const kept = [...bytes].filter((byte) => !isSpace(byte)).join('');
  return kept.length === bytes.length ? text : kept;
}

/** goutils.Initials: the first byte of each word. */
export function initials(text: string): string {
  let afterSpace = true;
  let result = '';
  for (const byte of toByteString(text)) {
    const isGap = isSpace(byte);
    if (!isGap && afterSpace) result += byte;
    afterSpace = isGap;
  }
  return result;
}
