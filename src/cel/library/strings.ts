import { compileRegexp, type Regexp } from '../../go/regexp.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { messageOf } from '../../support/errors.ts';
import { isObject } from '../../support/json.ts';
import { CelError } from '../error.ts';
import type { Library } from './library.ts';

function regexp(source: string, start = ''): Regexp {
  try {
    return compileRegexp(source);
  } catch (cause) {
    throw new CelError(start + messageOf(cause), { cause });
  }
}

const findAll = (text: string, source: string, limit = -1n): string[] =>
  regexp(source, 'Illegal regex: ').findAll(text, Number(limit)) ?? [];

/** The character at a place; '' at the end. */
function charAt(text: string, at: bigint): string {
  if (at < 0n || at > text.length) throw new CelError(`index out of range: ${at}`);
  return text.charAt(Number(at));
}

function replace(text: string, old: string, replacement: string, limit = -1n): string {
  const parts = text.split(old);
  const count = limit < 0n ? parts.length : Number(limit) + 1;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(old)].slice(0, parts.length).join(replacement);
}

/** `'%s of %d'.format([…])` */
function format(pattern: string, values: readonly unknown[]): string {
  let next = 0;
  return pattern.replace(/%(?:%|(?:\.(\d+))?(.))/gs, (_clause: string, precision?: string, verb?: string) => {
    if (verb === undefined) return '%';
    const write = verbs[verb];
    if (write === undefined)
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
    if (next >= values.length) throw new CelError(`index ${next} out of range`);
    return write(values[next++], precision === undefined ? 6 : Number(precision));
  });
}

const verbs: Readonly<Record<string, (value: unknown, precision: number) => string>> = {
  s: (value) => shown(value),
  d: (value) => whole(value).toString(),
  f: (value, precision) => Number(value).toFixed(precision),
  e: (value, precision) => scientific(Number(value), precision),
  b: (value) => whole(typeof value === 'boolean' ? BigInt(value) : value).toString(2),
  x: (value) => hexadecimal(value),
  X: (value) => hexadecimal(value).toUpperCase(),
  o: (value) => whole(value).toString(8),
};

/** `1.5×10⁰³` */
function scientific(value: number, precision: number): string {
  const [mantissa, exponent = '0'] = value.toExponential(precision).split('e');
  const digits = `${Math.abs(Number(exponent))}`
    .padStart(2, '0')
    .replace(/\d/g, (digit) => superscripts[Number(digit)] as string);
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${digits}`;
}

const superscripts = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

function whole(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  throw new CelError('error during formatting: integer clause can only be used on integers');
}

const hexadecimal = (value: unknown): string =>
  typeof value === 'string' ? Buffer.from(value).toString('hex') : whole(value).toString(16);

/** formatting.go, FormatString: texts inside of lists and maps are quoted. */
function shown(value: unknown, isInside = false): string {
  if (typeof value === 'string') return isInside ? JSON.stringify(value) : value;
  if (Array.isArray(value)) return `[${value.map((item) => shown(item, true)).join(', ')}]`;
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (isObject(value) && Object.getPrototypeOf(value) === Object.prototype) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${shown(item, true)}`).join(', ')}}`;
  }
  return String(value);
}

/** `strings.quote(…)` */
class StringFunctions {}

export const strings: Library = {
  namespaces: { strings: { StringFunctions } },
  functions: {
    'string.matchesGoRegexp(string): bool': (text: string, source: string) => regexp(source).matches(text),
    'string.find(string): string': (text: string, source: string) => regexp(source, 'Illegal regex: ').find(text),
    'string.findAll(string): list<string>': (text: string, source: string) => findAll(text, source),
    'string.findAll(string, int): list<string>': findAll,
    'string.charAt(int): string': charAt,
    'string.replace(string, string): string': (text: string, old: string, replacement: string) =>
      text.replaceAll(old, () => replacement),
    'string.replace(string, string, int): string': replace,
    'string.format(list): string': format,
    'StringFunctions.quote(string): string': (_namespace: StringFunctions, text: string) => quote(text),
  },
};
