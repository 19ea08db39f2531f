import { isAscii } from './runes.ts';
import { decodeText, encodeText } from './text.ts';

/** A Go string as one UTF-16 unit (0 to 255) for each byte, for functions that count in bytes. */
export const toByteString = (text: string): string =>
  isAscii(text) ? text : Buffer.from(encodeText(text)).toString('latin1');

/** The way back from {@link toByteString}. */
export const fromByteString = (bytes: string): string =>
  isAscii(bytes) ? bytes : decodeText(Buffer.from(bytes, 'latin1'));
