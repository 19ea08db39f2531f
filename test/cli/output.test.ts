import { expect, test } from 'vitest';
import { excerptText } from '../../src/cli/errors/excerpt.ts';
import { releaseOutput } from '../../src/cli/output/release-output.ts';
import { ansicTime, timeString } from '../../src/cli/output/time.ts';
import type { Release } from '../../src/release/types.ts';
import { tableText, textWidth } from '../../src/show/table.ts';
import { chartOf } from '../actions/harness.ts';

test('cells are padded to their columns and joined by tabs, the last one too', () => {
  expect(
    tableText([
      ['NAME', 'CHART'],
      ['a', 'podinfo-1.0.0'],
    ]),
  ).toBe('NAME\tCHART        \na   \tpodinfo-1.0.0\n');
});

test('a cell of two lines takes two lines', () => {
  expect(tableText([['a\nbc', 'x']])).toBe('a \tx\nbc\t \n');
});

test.each([
  ['plain', 5],
  ['日本', 4],
  ['\u001b[32mok\u001b[0m', 2],
  ['e\u0301', 1],
])('%j is %i columns wide', (text, width) => expect(textWidth(text)).toBe(width));

test.each([
  ['2026-11-21T09:47:04.123456789Z', 'Sat Nov 21 09:47:04 2026', '2026-11-21 09:47:04.123456789 +0000 UTC'],
  ['2024-01-02T03:04:05Z', 'Tue Jan  2 03:04:05 2024', '2024-01-02 03:04:05 +0000 UTC'],
  ['2024-07-02T03:04:05.5+05:45', 'Tue Jul  2 03:04:05 2024', '2024-07-02 03:04:05.5 +0545 +0545'],
])('%s as Go prints it', (time, ansic, text) => {
  expect(ansicTime(time)).toBe(ansic);
  expect(timeString(time)).toBe(text);
});

test('an excerpt marks the line and the column', () => {
  const text = 'a: 1\nb:\n  c: [\nd: 2\ne: 3\n';
  expect(excerptText({ file: 'values.yaml', line: 3, column: 6, text })).toBe(
    ['values.yaml:3', '  1 | a: 1', '  2 | b:', '> 3 |   c: [', '    |      ^', '  4 | d: 2', '  5 | e: 3', ''].join(
      '\n',
    ),
  );
});

test('an excerpt has no heading where the message names its line', () => {
  const place = { file: 'values.yaml', line: 1, column: 4, text: 'a: [' };
  expect(excerptText(place, 'values.yaml:1:3: bad')).toBe('> 1 | a: [\n    |    ^\n');
  expect(excerptText(place, 'values.yaml:11:3: bad')).toMatch(/^values\.yaml:1\n/);
  const [line, caret] = excerptText({ file: 'f', line: 1, column: 301, text: `${'a'.repeat(300)}X${'b'.repeat(300)}` })
    .split('\n')
    .slice(1);
  expect(line).toHaveLength('> 1 | '.length + 200);
  expect(line?.[caret?.indexOf('^') ?? 0]).toBe('X');
});

test('an excerpt hides what is likely secret, and not the advice of a chart', () => {
  const text = '{{ fail "set credentials: give smtp.user" }}\n{password: hunter2}\n';
  expect(excerptText({ file: 'f', line: 1, text })).toContain(
    '> 1 | {{ fail "set credentials: give smtp.user" }}\n  2 | {password: ***}\n',
  );
});

test('a release that failed is printed with the fields that Helm knows, without what tshelm keeps in its record', async () => {
  const release = {
    name: 'web',
    info: { status: 'failed' },
    version: 2,
    namespace: 'default',
    manifest: '',
    hooks: [],
    config: new Map(),
    operation: { holder: 'root@ci', isLeased: true },
    chart: await chartOf({}),
  } as unknown as Release;
  expect(JSON.parse(releaseOutput(release, 'json', { withoutChart: true }))).toEqual({
    name: 'web',
    info: { status: 'failed' },
    version: 2,
    namespace: 'default',
  });
});
