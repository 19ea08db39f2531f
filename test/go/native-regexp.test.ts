import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nativeRegexp } from '../../src/go/native-regexp.ts';
import { compileRegexp, type Regexp } from '../../src/go/regexp.ts';

/** The same expression for re2js: flags are left to it. */
const byRe2 = (source: string): Regexp => compileRegexp(`(?-s:${source})`);

const seen = (regexp: Regexp, text: string): unknown => ({
  matches: regexp.matches(text),
  find: regexp.find(text),
  search: regexp.search(text),
  all: regexp.findAll(text, -1),
  two: regexp.findAll(text, 2),
  replaced: regexp.replaceAll(text, '<$0|$1|$2|${3}>'),
  literal: regexp.replaceAllLiteral(text, '$1'),
  split: regexp.split(text, -1),
});

test.each([
  '@sha.*',
  '\\$(?:__(?:env|file|vault))?{[^}]+}',
  '[^-A-Za-z0-9_.]',
  'v\\d+\\.\\d+\\.\\d+',
  '^redis:\\/\\/(.*)',
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
  '(a|ab)(c|bcd)?',
])('%s needs no re2js', (source) => expect(nativeRegexp(source)).toBeDefined());

test.each([
  '',
  'a**',
  '(a',
  'a)',
  '(a+)+',
  '(a|b)*',
  '(a?)?',
  '(?i)a',
  '(?P<n>a)',
  '[[:alpha:]]',
  '[]a]',
  '[z-a]',
  '[a-Z]',
  '\\pL',
  '\\1',
  '\\Qa',
  'a{3,2}',
  'a{1001}',
  'é',
  '^*',
  'a|',
  '()',
])('%s is left to re2js', (source) => expect(nativeRegexp(source)).toBeUndefined());

test('a text that would take long is left to re2js', () => {
  expect(compileRegexp('a*a*a*a*a*b').matches('a'.repeat(5_000))).toBe(false);
  expect(nativeRegexp('a*a*a*a*a*b')?.longestText).toBeLessThan(20);
});

const pieces = (
  '^ $ . * + ? *? +? ?? ( ) (?: (?: ) ) | | [ [^ ] - a-c [a-c] [^ab] [-a] [^-b_] [a-] [\\w.-] [\\s-] [\\d,] [-] [^-] ' +
  'a b c A 0 _ , @ } { {2} {1,2} {2,} {0} {0,1}? \\d \\w \\s \\S \\D \\W \\b \\. \\- \\n \\v \\_ \\$ \\\\ (a|b) (a|ab)? (b)?? ] ^ &'
).split(' ');
const characters = 'a b c ab aab A 0 _ , @ - . { } $ \\ é ß \u212a \u2028 😀 & ^ ]'
  .split(' ')
  .concat(' ', '\n', '\r', '\v');
const runs = Number(process.env['TSHELM_FUZZ_RUNS'] ?? 5_000);

test('RegExp finds what re2js finds', () => {
  let compared = 0;
  const source = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 });
  const text = fc.array(fc.constantFrom(...characters), { maxLength: 10 });
  fc.assert(
    fc.property(source, fc.array(text, { minLength: 1, maxLength: 4 }), (words, texts) => {
      const expression = words.join('');
      if (nativeRegexp(expression) === undefined) return;
      compared += 1;
      for (const letters of texts) {
        const sample = letters.join('');
        const native = seen(compileRegexp(expression), sample);
        expect({ expression, sample, native }).toEqual({ expression, sample, native: seen(byRe2(expression), sample) });
      }
    }),
    { numRuns: runs },
  );
  expect(compared).toBeGreaterThan(runs / 50);
});
