import { encodeText } from '../text.ts';

/** The time package's own quoting: what is not ASCII shows as bytes. */
export function quoteTimeText(text: string): string {
  let out = '';
  for (const rune of text) {
    if (rune === '"' || rune === '\\') out += `\\${rune}`;
    else if (rune >= ' ' && rune < '\x80') out += rune;
    else for (const byte of encodeText(rune)) out += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${out}"`;
}
