import { utf8Bytes } from '../support/bytes.ts';
import { textOfUnits } from '../support/code-units.ts';

/**
 * Go strings are bytes; ours are JavaScript strings. Bytes that are not UTF-8 are kept as lone surrogates
 * U+DC80…U+DCFF (one for each byte 0x80…0xFF), so that every file survives the way through a template unchanged.
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    // Not UTF-8.
    return decodeLossless(bytes);
  }
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeLossless(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  let count = 0;
  for (let index = 0; index < bytes.length; ) {
    const length = sequenceLength(bytes, index);
    const first = bytes[index] as number;
    if (length <= 1) {
      units[count++] = length === 1 ? first : 0xdc00 + first;
    } else {
      // The first of n bytes has 7 - n bits of the character, the others 6.
      let rune = first & (0x7f >> length);
      for (let at = index + 1; at < index + length; at++) rune = (rune << 6) | ((bytes[at] as number) & 0x3f);
      if (rune > 0xffff) {
        units[count++] = 0xd7c0 + (rune >> 10);
        rune = 0xdc00 | (rune & 0x3ff);
      }
      units[count++] = rune;
    }
    index += Math.max(length, 1);
  }
  return textOfUnits(units.subarray(0, count));
}

/** The length of the well-formed UTF-8 sequence at `index`; 0 where there is none. Unicode 15, table 3-7. */
function sequenceLength(bytes: Uint8Array, index: number): number {
  const first = bytes[index] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes[index + 1] ?? 0;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let at = index + 2; at < index + length; at++) {
    if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/** The bytes of a Go string: UTF-8, and the raw bytes that decodeText kept as lone surrogates. */
export function encodeText(text: string): Uint8Array {
  if (!/[\udc80-\udcff]/.test(text) || isWellFormed(text)) return utf8Bytes(text);
  const bytes = new Uint8Array(3 * text.length);
  let count = 0;
  let plainFrom = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(index + 1))) {
      index += 1;
    } else if (unit >= 0xdc80 && unit <= 0xdcff) {
      if (index > plainFrom) count += encoder.encodeInto(text.slice(plainFrom, index), bytes.subarray(count)).written;
      bytes[count++] = unit - 0xdc00;
      plainFrom = index + 1;
    }
  }
  count += encoder.encodeInto(text.slice(plainFrom), bytes.subarray(count)).written;
  return bytes.subarray(0, count);
}

const encoder = new TextEncoder();

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

// Node 20 has both; the library types of ES2023 do not know them yet.
interface Utf16Text {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/** Whether the text is valid UTF-8 in Go: it holds no byte kept as a lone surrogate. */
export const isWellFormed = (text: string): boolean => (text as unknown as Utf16Text).isWellFormed();

/** The text with U+FFFD for each byte that is not UTF-8, as Go's encoders write it. */
export const toWellFormed = (text: string): string => (text as unknown as Utf16Text).toWellFormed();

/** Go's len() of a string: its bytes. */
export function byteLength(text: string): number {
  return /^[\0-\x7f]*$/.test(text) ? text.length : encodeText(text).length;
}
