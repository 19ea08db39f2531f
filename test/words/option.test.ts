import { expect, test } from 'vitest';
import type { Sentence } from '../../src/problem/sentence.ts';
import { sentenceText } from '../../src/words/option.ts';

const sentence: Sentence = [
  { option: 'readinessTimeoutMs' },
  ' and ',
  { option: 'eager', value: 'true' },
  ' need ',
  { option: 'wait', value: 'ordered' },
  ' and not ',
  { option: 'crds', value: 'two words' },
];

test('a terminal reads flags, as the shell takes them', () => {
  expect(sentenceText(sentence, 'terminal')).toBe(
    "--readiness-timeout and --eager=true need --wait=ordered and not --crds='two words'",
  );
  expect(sentenceText('a text without options', 'terminal')).toBe('a text without options');
});

test('a program reads the options of the library, as it writes them', () => {
  expect(sentenceText(sentence, 'program')).toBe(
    "readinessTimeoutMs and eager: true need wait: 'ordered' and not crds: 'two words'",
  );
});
