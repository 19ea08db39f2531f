import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { patternsOnWords } from './patterns-on-words.ts';

// Facts decide, words are printed (CONTRIBUTING.md). What is checked is the text of the sources: a pattern or a comparison
// on something that is called a message, a reason, a hint, or that a function of words/ returns. A message that is first
// given another name is not found, so a reviewer still has to look.

const source = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort();
const textOf = (file: string): string => readFileSync(join(source, file), 'utf8');

/** Only these may open what somebody else wrote. */
const readers = /^(?:problem\/foreign\/|problem\/quote\.ts$|words\/quote\.ts$)/;

test('a quote is opened in problem/foreign, and printed by words', () => {
  const wrong = files.filter(
    (file) => !readers.test(file) && /import [^;]*\btextOf\b[^;]*quote\.ts'/.test(textOf(file)),
  );
  expect(wrong).toEqual([]);
});

/** Rooms whose work is the text of others: Go, YAML, templates, JSON Schema, the API server that tshelm plays itself. */
const foreignWork = /^(?:problem\/foreign|go|yaml|template|render\/functions|chart\/schema|sandbox)\//;

/** What still reads words, how often, and whose words they are. A number may only become smaller; a file at zero leaves the list. */
const remaining = JSON.parse(readFileSync(new URL('patterns-on-words.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, { readonly count: number; readonly why: string }>
>;

test('nobody else reads a message, a reason or a hint; what still does says why, and becomes less', () => {
  const found = files
    .filter((file) => !foreignWork.test(file))
    .map((file) => [file, patternsOnWords(textOf(file)).length] as const)
    .filter(([, count]) => count > 0);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(remaining).map(([file, { count }]) => [file, count])),
  );
});

/** The two doors, the words for the terminal, what is the command line's alone, and where options are declared with their flags. */
const namesFlags =
  /^(?:cli|sdk|words|plugin|sandbox)\/|^stack\/export\/|^actions\/name-and-chart|^chart\/set\/assignments|error-codes\.ts$|(?:options\/[\w-]+|[\w-]+-options|option-flags|option-rows)\.ts$/;

test('no text below the doors names a flag: remedies are data', () => {
  const found = files
    .filter((file) => !namesFlags.test(file))
    .flatMap(
      (file) =>
        textOf(file)
          .replace(/\/\*\*.*?\*\/|\/\/[^\n]*/gs, '')
          .match(/'[^'\n]*'|`[^`]*`|"[^"\n]*"/g) ?? [],
    )
    // A flag alone is what a program is started with, or where a value comes from.
    .filter((text) => /[\s(]--[a-z]{2}|^.--[a-z][\w-]*[^\w'=-]/.test(text) && !text.includes('--expose-gc'));
  expect(found).toEqual([]);
});

test.each([
  ['a pattern', 'if (/Forbidden: updates/.test(message)) again();', 1],
  ['a pattern on the message of an error', 'const found = /x/.exec(messageOf(error));', 1],
  ['a comparison', "error.message.startsWith('x') || reason?.includes('y')", 2],
  ['what words have made', "factText(problem.cause).split(' ')", 1],
  ['a fact', "cause.code === 'field-unknown' && /x/.test(name)", 0],
])('what is found: %s', (_what, text, count) => expect(patternsOnWords(text)).toHaveLength(count));
