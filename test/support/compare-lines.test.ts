import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hunksOf } from '../../src/show/diff-hunks.ts';
import { type ComparedLine, compareLines } from '../../src/support/compare-lines.ts';

const shown = (lines: readonly ComparedLine[]): string => lines.map(({ sign, text }) => sign + text).join('\n');
const linesOf = (text: string): string[] => (text === '' ? [] : text.split(' '));

test.each([
  ['equal texts', 'a b c', 'a b c', ' a\n b\n c'],
  ['one line changed', 'a b c', 'a x c', ' a\n-b\n+x\n c'],
  ['a line put in', 'a c', 'a b c', ' a\n+b\n c'],
  ['a line taken out', 'a b c', 'a c', ' a\n-b\n c'],
  ['from nothing', '', 'a b', '+a\n+b'],
  ['to nothing', 'a b', '', '-a\n-b'],
  ['repeated lines', 'a a a', 'a a', ' a\n a\n-a'],
  [
    'of several shortest ways the one of helm-diff',
    'a b c a b b a',
    'c b a b a c',
    '-a\n-b\n c\n-a\n b\n+a\n b\n a\n+c',
  ],
])('%s', (_rule, before, after, expected) => {
  expect(shown(compareLines(linesOf(before), linesOf(after)))).toBe(expected);
});

test('the two texts can be read from the result, and no shorter way exists, for many small texts', () => {
  const words = Array.from({ length: 81 }, (_, number) => number.toString(3).padStart(4, '0').split(''));
  for (const before of words) {
    for (const after of words) {
      const lines = compareLines(before, after);
      expect(lines.filter(({ sign }) => sign !== '+').map(({ text }) => text)).toEqual(before);
      expect(lines.filter(({ sign }) => sign !== '-').map(({ text }) => text)).toEqual(after);
      expect(lines.filter(({ sign }) => sign === ' ').length).toBe(longestCommon(before, after));
    }
  }
});

/** The length of the longest common subsequence, by the textbook's table. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      (table[i] as number[])[j] =
        a[i - 1] === b[j - 1]
          ? (table[i - 1]?.[j - 1] as number) + 1
          : Math.max(table[i - 1]?.[j] as number, table[i]?.[j - 1] as number);
  return table[a.length]?.[b.length] as number;
}

test('thousands of wholly different lines are removed and added; what is common before and after stays', () => {
  const different = (name: string): string[] => Array.from({ length: 20_000 }, (_, index) => `${name} ${index}`);
  const lines = compareLines(['first', ...different('old'), 'last'], ['first', ...different('new'), 'last']);
  expect(lines.filter(({ sign }) => sign === ' ')).toHaveLength(2);
  expect(lines[0]).toEqual({ sign: ' ', text: 'first' });
  expect(lines[1]).toEqual({ sign: '-', text: 'old 0' });
  expect(lines[20_001]).toEqual({ sign: '+', text: 'new 0' });
});

const hasDiff = spawnSync('diff', ['--version']).status === 0;

test.skipIf(!hasDiff)('hunks are those of diff -u', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-diff-'));
  const before = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const after = before.flatMap((line, index) =>
    index === 3 ? ['changed'] : index === 9 ? [] : index === 25 ? [line, 'more', 'and more'] : [line],
  );
  const cases = [
    [before, after],
    [[], before],
    [before, []],
    [before, before],
    [before, ['new first', ...before]],
  ] as const;
  try {
    for (const context of [0, 1, 3, 10]) {
      for (const [old, next] of cases) {
        const files = [old, next].map((lines, index) => {
          const file = join(folder, String(index));
          writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
          return file;
        });
        const { stdout } = spawnSync('diff', [`-U${context}`, ...files], { encoding: 'utf8' });
        const reference = stdout.split('\n').slice(2).join('\n');
        const own = hunksOf(compareLines(old, next), context)
          .map(
            (hunk) =>
              `@@ -${range(hunk.oldStart, hunk.oldCount)} +${range(hunk.newStart, hunk.newCount)} @@\n${shown(hunk.lines)}\n`,
          )
          .join('');
        expect(own).toBe(reference);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const range = (start: number, count: number): string => (count === 1 ? String(start) : `${start},${count}`);
