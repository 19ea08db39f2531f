import { checkTextLength } from '../../go/limits.ts';
import { GoError } from '../../go/value.ts';
import { base64Text, hexText, latin1Bytes, latin1Text } from '../../support/bytes.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import type { RandomSource } from './environment.ts';

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 0x20 + index));

/** sprig's random text. A negative count gives none, as sprig drops the error of its library. */
export function randomFunctions(source: RandomSource): FunctionTable {
  const textOf = (alphabet: string): FunctionTable[string] =>
    goFunction('func(int) string', (count: number) => {
      checkTextLength(count);
      return randomText(source, alphabet, count);
    });
  return {
    randAlphaNum: textOf(letters + digits),
    randAlpha: textOf(letters),
    randNumeric: textOf(digits),
    randAscii: textOf(printable),
    randBytes: goFunction('func(int) (string, error)', (count: number) => {
      if (count < 0) throw new GoError('runtime error: makeslice: len out of range');
      checkTextLength(base64Length(count));
      return base64Text(source.randomBytes(count));
    }),
    uuidv4: goFunction('func() string', () => uuidOf(source.randomBytes(16))),
  };
}

/** As many random bytes as there are characters are drawn at a time: one draw for each would take minutes for millions. */
function randomText(source: RandomSource, alphabet: string, count: number): string {
  const text = new Uint8Array(Math.max(0, count));
  const codes = latin1Bytes(alphabet);
  const fair = 256 - (256 % codes.length);
  for (let length = 0; length < text.length; ) {
    for (const byte of source.randomBytes(Math.min(text.length - length, 65_536))) {
      if (byte < fair) text[length++] = codes[byte % codes.length] as number;
    }
  }
  return latin1Text(text);
}

const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);

/** A UUID of version 4 and variant 10, from 16 random bytes. */
function uuidOf(bytes: Uint8Array): string {
  const id = Uint8Array.from(bytes);
  id[6] = ((id[6] as number) & 0x0f) | 0x40;
  id[8] = ((id[8] as number) & 0x3f) | 0x80;
  return hexText(id).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
