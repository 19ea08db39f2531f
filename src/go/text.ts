/**
 * Go strings are bytes; ours are JavaScript strings. Bytes that are not UTF-8 are kept as lone surrogates
 * U+DC80…U+DCFF (one for each byte 0x80…0xFF), so that every file survives the way through a template unchanged.
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return decodeLossless(bytes);
  }
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeLossless(bytes: Uint8Array): string {
  let text = '';
  let index = 0;
  while (index < bytes.length) {
    const length = sequenceLength(bytes, index);
    if (length === 0) {
      text += String.fromCharCode(0xdc00 + (bytes[index] as number));
      index += 1;
    } else {
      text += strictDecoder.decode(bytes.subarray(index, index + length));
      index += length;
    }
  }
  return text;
}

/** The length of the well-formed UTF-8 sequence at `index`; 0 where there is none. */
function sequenceLength(bytes: Uint8Array, index: number): number {
  const first = bytes[index] as number;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || index + length > bytes.length) return 0;
  try {
    strictDecoder.decode(bytes.subarray(index, index + length));
    return length;
  } catch {
    return 0;
  }
}

/** The bytes of a Go string: UTF-8, and the raw bytes that decodeText kept as lone surrogates. */
export function encodeText(text: string): Uint8Array {
  if (!/[\udc80-\udcff]/.test(text) || isWellFormed(text)) return Buffer.from(text, 'utf8');
  const parts: Uint8Array[] = [];
  let plainFrom = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(index + 1))) {
      index += 1;
    } else if (unit >= 0xdc80 && unit <= 0xdcff) {
      parts.push(Buffer.from(text.slice(plainFrom, index), 'utf8'), Uint8Array.of(unit - 0xdc00));
      plainFrom = index + 1;
    }
  }
  parts.push(Buffer.from(text.slice(plainFrom), 'utf8'));
  return Buffer.concat(parts);
}

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
