import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FloatFormat, formatFloat } from '../../src/go/strconv/format-float.ts';
import {
  atoi,
  canBackquote,
  NumError,
  parseBool,
  parseFloat,
  parseInt,
  parseUint,
  quote,
  quoteRune,
  quoteRuneToASCII,
  quoteToASCII,
  unquote,
} from '../../src/go/strconv/strconv.ts';
import { GoError } from '../../src/go/value.ts';

/** What Go 1.26's strconv answers: test/e2e/go-template/strconv writes it. */
const go = JSON.parse(readFileSync('fixtures/go/strconv.json', 'utf8')) as Record<string, unknown[][]>;
const rows = <Row extends unknown[]>(name: string): Row[] => go[name] as Row[];

const goFloat = (value: number): string => formatFloat(value, 'g', -1);

/** The value and the error text, as Go returns both. */
function outcome(run: () => unknown, text: (value: never) => string = String): [string, string | null] {
  try {
    return [text(run() as never), null];
  } catch (error) {
    if (error instanceof NumError) return [text(error.value as never), error.message];
    if (error instanceof GoError) return ['', error.message];
    throw error;
  }
}

describe('parsing', () => {
  test.each(rows<[string, number, string, string | null]>('parseInt'))(
    'ParseInt %j in base %d',
    (text, base, value, error) => expect(outcome(() => parseInt(text, base))).toEqual([value, error]),
  );
  test.each(rows<[string, number, string, string | null]>('parseUint'))(
    'ParseUint %j in base %d',
    (text, base, value, error) => expect(outcome(() => parseUint(text, base))).toEqual([value, error]),
  );
  test.each(rows<[string, string, string | null]>('parseInt8'))('ParseInt %j with 8 bits', (text, value, error) =>
    expect(outcome(() => parseInt(text, 10, 8))).toEqual([value, error]),
  );
  test.each(rows<[string, string, string | null]>('atoi'))('Atoi %j', (text, value, error) =>
    expect(outcome(() => atoi(text))).toEqual([value, error]),
  );
  test.each(rows<[string, string, string | null]>('parseFloat'))('ParseFloat %j', (text, value, error) =>
    expect(outcome(() => parseFloat(text), goFloat)).toEqual([value, error]),
  );
  test.each(rows<[string, boolean, string | null]>('parseBool'))('ParseBool %j', (text, value, error) =>
    expect(
      outcome(
        () => parseBool(text),
        (truth) => String(Boolean(truth)),
      ),
    ).toEqual([String(value), error]),
  );
});

describe('quoting', () => {
  // JSON cannot hold the byte 0xff that "\xff" stands for; here it is the lone surrogate of go/text.ts.
  const asJson = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

  test.each(rows<[string, string, string | null]>('unquote'))('Unquote %s', (literal, text, error) =>
    expect(outcome(() => unquote(literal), asJson)).toEqual([text, error]),
  );
  test.each(rows<[string, string, string, boolean]>('quote'))('Quote %j', (text, quoted, ascii, backquotable) =>
    expect([quote(text), quoteToASCII(text), canBackquote(text)]).toEqual([quoted, ascii, backquotable]),
  );
  test.each(rows<[number, string, string]>('quoteRune'))('QuoteRune %d', (rune, quoted, ascii) =>
    expect([quoteRune(rune), quoteRuneToASCII(rune)]).toEqual([quoted, ascii]),
  );
  test('bytes that are not UTF-8 are escaped as bytes', () => {
    expect([quote('a\udcffb'), canBackquote('a\udcff')]).toEqual(['"a\\xffb"', false]);
  });
});

test.each(rows<[string, FloatFormat, number, string]>('formatFloat'))(
  'FormatFloat(%s, %s, %d)',
  (value, format, precision, text) => expect(formatFloat(Number(value), format, precision)).toBe(text),
);
