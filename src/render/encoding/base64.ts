import { encodeText } from '../../go/text.ts';
import { GoError } from '../../go/value.ts';
import { decodedBase64 } from '../../support/base64.ts';
import { base64Text } from '../../support/bytes.ts';

/** Standard base64 with padding, of the bytes of a text. */
export const encodeBase64 = (text: string): string => base64Text(encodeText(text));

/** base64.StdEncoding.DecodeString: line breaks are ignored. Throws GoError with Go's message, which names the byte. */
export function decodeBase64(text: string): Uint8Array {
  const bytes = decodedBase64(text);
  if (bytes !== undefined) return bytes;
  throw new GoError(`illegal base64 data at input byte ${firstIllegalByte(encodeText(text))}`);
}

const code = (char: string): number => char.charCodeAt(0);
const isLineBreak = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;
const isBase64Digit = (byte: number): boolean => /[A-Za-z0-9+/]/.test(String.fromCharCode(byte));

/** Where Go gives up on a text that is no base64. */
function firstIllegalByte(bytes: Uint8Array): number {
  let at = 0;
  for (;;) {
    for (let digits = 0; digits < 4; ) {
      if (at === bytes.length) return at - digits;
      const byte = bytes[at] as number;
      at += 1;
      if (isBase64Digit(byte)) digits += 1;
      else if (!isLineBreak(byte)) return byte === code('=') ? illegalPadding(bytes, at, digits) : at - 1;
    }
  }
}

/** The "=" before `at` came after `digits` digits of a group of four. */
function illegalPadding(bytes: Uint8Array, at: number, digits: number): number {
  if (digits < 2) return at - 1;
  let next = skipLineBreaks(bytes, at);
  if (digits === 2) {
    if (next === bytes.length) return bytes.length;
    if (bytes[next] !== code('=')) return next - 1;
    next = skipLineBreaks(bytes, next + 1);
  }
  return next;
}

function skipLineBreaks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isLineBreak(bytes[at])) at += 1;
  return at;
}
