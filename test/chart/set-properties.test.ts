import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSet, typedValue, type ValueGrammar } from '../../src/chart/set/parser.ts';
import { GoError, GoInt, type GoMap } from '../../src/go/value.ts';
import { mapOf } from './values.ts';

const grammars: readonly ValueGrammar[] = [
  { kind: 'text', read: typedValue },
  { kind: 'text', read: (text) => text },
  { kind: 'json' },
  { kind: 'literal' },
];

const signs = fc.constantFrom(
  '=',
  ',',
  '.',
  '[',
  ']',
  '{',
  '}',
  '\\',
  '"',
  '0',
  '1',
  'a',
  'b',
  ' ',
  'null',
  'true',
  'é',
);
const text = fc.oneof(
  fc.string(),
  fc.array(signs, { maxLength: 40 }).map((parts) => parts.join('')),
);

/** The value, or the error, which must be one of ours. */
function parse(input: string, grammar: ValueGrammar, target: GoMap = new Map()): GoMap | GoError {
  try {
    parseSet(input, target, grammar);
    return target;
  } catch (error) {
    if (error instanceof GoError) return error;
    throw error;
  }
}

describe('any text is values or a clear error', () => {
  test.each(grammars.map((grammar, index) => [grammar.kind, index, grammar] as const))(
    '%s %i',
    (_kind, _index, grammar) => {
      fc.assert(
        fc.property(text, (input) => {
          const outcome = parse(input, grammar, mapOf({ a: { b: [1, { c: null }] }, b: 'text' }));
          return outcome instanceof Map || outcome.message !== '';
        }),
        { numRuns: 2000 },
      );
    },
  );
});

test('what is escaped arrives as it was', () => {
  const escaped = (part: string): string => part.replace(/[\\,.=[\]{}]/g, '\\$&');
  const word = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(word, word, fc.string(), (outer, inner, value) => {
      const line = `${escaped(outer)}.${escaped(inner)}=${escaped(value)}`;
      expect(parse(line, { kind: 'text', read: (read) => read })).toEqual(mapOf({ [outer]: { [inner]: value } }));
    }),
  );
});

test('JSON arrives as it was, and so does what follows it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (first, second) => {
      const line = `a=${JSON.stringify(first)},b=${JSON.stringify(second)}`;
      expect(parse(line, { kind: 'json' })).toEqual(
        mapOf({ a: JSON.parse(JSON.stringify(first)), b: JSON.parse(JSON.stringify(second)) }),
      );
    }),
  );
});

test('an integer is an int64 as long as it fits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }), (integer) => {
      const value = typedValue(String(integer));
      const fits = BigInt.asIntN(64, integer) === integer;
      expect(value).toEqual(fits ? new GoInt('int64', integer) : String(integer));
    }),
  );
});

describe('hostile texts end at once', () => {
  const string: ValueGrammar = { kind: 'text', read: (read) => read };

  test.each([
    ['an index beyond the limit', 'a[65537]=x', 'index of 65537 is greater than maximum supported index of 65536'],
    [
      'many levels of names',
      `${'a.'.repeat(100_000)}b=1`,
      'value name nested level is greater than maximum supported nested level of 30',
    ],
    ['many levels of indexes', `a${'[0]'.repeat(100_000)}=1`, 'more than 1000 indexes in one name'],
    ['a list without an end', `a={${'x,'.repeat(100_000)}`, "list must terminate with '}'"],
  ])('%s', (_title, input, message) => expect(parse(input, string)).toEqual(new GoError(message)));

  test('many levels of JSON', () => {
    expect(parse(`a=${'['.repeat(100_000)}`, { kind: 'json' })).toBeInstanceOf(GoError);
  });

  test('a value of megabytes', () => {
    const value = 'x'.repeat(5_000_000);
    expect(parse(`a=${value}`, string)).toEqual(new Map([['a', value]]));
  });
});
