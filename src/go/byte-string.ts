import { latin1Bytes, latin1Text } from '../support/bytes.ts';
import { isAscii } from './runes.ts';
import { decodeText, encodeText } from './text.ts';

/** A Go string as one UTF-16 unit (0 to 255) for each byte, for functions that count in bytes. */
export const toByteString = (text: string): string => (isAscii(text) ? text : latin1Text(encodeText(text)));

/** The way back from {@link toByteString}. */
export const fromByteString = (bytes: string): string => (isAscii(bytes) ? bytes : decodeText(latin1Bytes(bytes)));
