import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode, type Shape } from '../../src/yaml/decode.ts';
import { Parser } from '../../src/yaml/parser.ts';
import { readSimple } from '../../src/yaml/simple-reader.ts';
import { YamlProblem } from '../../src/yaml/tokens.ts';

type Read = string | number | bigint | boolean | null | readonly Read[] | ReadonlyMap<string, Read>;

const shape: Shape<Read> = {
  integer: (value) => (typeof value === 'bigint' ? value : BigInt(value)),
  scalar: (value) => value,
  list: (items) => items,
  map: (entries) => entries,
};

/** What the grammar says of a text; the class of the error where it refuses it. */
function byGrammar(text: string, isStrict: boolean): Read | undefined | typeof YamlProblem {
  try {
    const node = new Parser(text).document();
    return node === undefined ? undefined : decode(node, shape, isStrict);
  } catch (error) {
    if (error instanceof YamlProblem) return YamlProblem;
    throw error;
  }
}

function expectAgreement(text: string): void {
  for (const isStrict of [false, true]) {
    const simple = readSimple(text, shape, isStrict);
    if (simple !== undefined)
      expect({ text, isStrict, read: simple }).toEqual({ text, isStrict, read: byGrammar(text, isStrict) });
  }
}

test.each([
  'a: 1\nb: two # note\nc:\n',
  '# head\n---\na:\n- x\n- w: 1\n  z: [a, "b", \'c d\']\nb: {}\nc: { }\n',
  'list:\n  - - 1\n    - 2\n  -\n    k: v\n  - |\n    text\n      more\n\nlast: >-\n  folded\n  text\n',
  "a: long\n  plain text\n\n  of lines\nb: \"quoted\n  lines\"\nc: 'it''s'\n",
  '"quoted key": ~\n\'other\': on\n/path.with/slash: 0x10\n',
  'a:\n  below\nb:\n  "quoted: below"\n',
])('reads %j itself, as the grammar does', (text) => {
  expect(readSimple(text, shape, true)).toEqual(byGrammar(text, true));
});

test.each([
  'a: &x 1\nb: *x\n',
  'a: 1\n---\nb: 2\n',
  '<<: {a: 1}\n',
  'a: !!str 1\n',
  'a:\t1\n',
  '? a\n: b\n',
  '1: one\n',
  'a: b: c\n',
  '',
])('leaves %j to the grammar', (text) => expect(readSimple(text, shape, false)).toBeUndefined());

test('a key that stands twice is left to the grammar where that is a mistake', () => {
  expect(readSimple('a: 1\na: 2\n', shape, true)).toBeUndefined();
  expect(readSimple('a: 1\na: 2\n', shape, false)).toEqual(new Map([['a', 2n]]));
});

const pieces = [
  'a',
  'b: ',
  'c:',
  ':',
  ' ',
  '  ',
  '    ',
  '\n',
  '\n',
  '\n  ',
  '\n    ',
  '\n- ',
  '\n  - ',
  '- ',
  '-',
  '#',
  ' # note',
  '|',
  '|-\n',
  '>\n',
  '>2\n',
  '|+\n',
  '"',
  '"x y"',
  "'",
  "'z'",
  "''",
  '[',
  ']',
  '[a, b]',
  ',',
  '{}',
  '{',
  '}',
  '[]',
  '&x',
  '*x',
  '!',
  '?',
  '%',
  '---',
  '...',
  '\n---\n',
  '1',
  '0x1f',
  '1.5',
  'true',
  'no',
  '~',
  'null',
  '2001-01-01',
  '<<',
  'key',
  'é',
  '\\',
  '/p',
  '.5',
  '@',
  '`',
  '=',
  '\n\n',
  '\n      ',
  'x:y',
  'k: v\n',
  'k:\n',
  '  k: v\n',
];
const runs = Number(process.env['TSHELM_FUZZ_RUNS'] ?? 5_000);

test('agrees with the grammar on texts of any pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), (words) => expectAgreement(words.join(''))),
    { numRuns: runs },
  );
});

const line = fc.tuple(
  fc.constantFrom(0, 0, 2, 2, 4, 6, 1, 3),
  fc.constantFrom('', '', '- ', '- - ', '-'),
  fc.constantFrom('a: ', 'b: ', 'c:', '"q": ', "'s':", '', 'd.e/f-g: ', '1: '),
  fc.constantFrom(
    '',
    'text',
    'long text # c',
    '"x"',
    "'y'",
    '|',
    '>-',
    '[a, "b"]',
    '{}',
    '{  }',
    '[]',
    '12',
    'yes',
    '"open',
    'a: b',
    '- x',
    '#c',
    '"a" b',
    '~',
  ),
);

test('agrees with the grammar on lines like those of manifests', () => {
  const text = (lines: [number, string, string, string][]): string =>
    lines.map(([indent, dash, key, value]) => `${' '.repeat(indent)}${dash}${key}${value}\n`).join('');
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean(), (lines, cut) =>
      expectAgreement(cut ? text(lines).trimEnd() : text(lines)),
    ),
    { numRuns: runs },
  );
});
