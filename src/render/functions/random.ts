import { checkTextLength } from '../../support/limits.ts';
import { GoError } from '../../support/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { type FunctionEnvironment, randomBelow } from './environment.ts';

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 0x20 + index));

/** sprig's random text. A negative count gives none, as sprig drops the error of its library. */
export function randomFunctions(source: Pick<FunctionEnvironment, 'randomBytes'>): FunctionTable {
  const textOf = (alphabet: string): FunctionTable[string] =>
    goFunction('func(int) string', (count: number) => {
      checkTextLength(count);
      let text = '';
      while (text.length < count) text += alphabet.charAt(randomBelow(source, alphabet.length));
      return text;
    });
  return {
    randAlphaNum: textOf(letters + digits),
    randAlpha: textOf(letters),
    randNumeric: textOf(digits),
    randAscii: textOf(printable),
    randBytes: goFunction('func(int) (string, error)', (count: number) => {
      if (count < 0) throw new GoError('runtime error: makeslice: len out of range');
      checkTextLength(base64Length(count));
      return Buffer.from(source.randomBytes(count)).toString('base64');
    }),
    uuidv4: goFunction('func() string', () => uuidOf(source.randomBytes(16))),
  };
}

const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);

/** A UUID of version 4 and variant 10, from 16 random bytes. */
function uuidOf(bytes: Uint8Array): string {
  const id = Uint8Array.from(bytes);
  id[6] = ((id[6] as number) & 0x0f) | 0x40;
  id[8] = ((id[8] as number) & 0x3f) | 0x80;
  return Buffer.from(id)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
