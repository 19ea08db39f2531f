import { encodeText } from '../go/text.ts';
import { isPrint } from '../go/unicode.ts';

/** text/template's HTMLEscapeString. */
export const escapeHtml = (text: string): string =>
  text.replace(/[\0"'&<>]/g, (character) => htmlEscapes[character] as string);

const htmlEscapes: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** text/template's JSEscapeString: safe inside a JavaScript string. */
export const escapeJavaScript = (text: string): string =>
  text.replace(/[\\'"<>&=]|[^ -~\x7f]/gu, (character) => {
    const rune = character.codePointAt(0) as number;
    if (character === '\\' || character === "'" || character === '"') return `\\${character}`;
    if (rune < 0x80) return `\\u${upperHex(rune)}`;
    // Bytes that are not UTF-8 pass, as in Go.
    const isByte = rune >= 0xd800 && rune <= 0xdfff;
    return isByte || isPrint(rune) ? character : `\\u${upperHex(rune)}`;
  });

const upperHex = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0');

/** url.QueryEscape: a space becomes a plus sign. */
export const escapeQuery = (text: string): string =>
  /^[A-Za-z0-9\-_.~]*$/.test(text) ? text : Array.from(encodeText(text), queryByte).join('');

function queryByte(byte: number): string {
  if (byte === 0x20) return '+';
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9\-_.~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
