import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addedDetails, errorCodes, errorPage } from '../../scripts/error-codes.mjs';

const codes = errorCodes();

test('docs/errors.md is what the union of codes says; npm run docs:errors writes it', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorPage());
});

test('every code is found, once', () => {
  const declared = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:^|\/)(?:errors|error-codes)\.ts$/.test(name))
    .flatMap((name) => [
      ...interfaceIn(readFileSync(join('src', name), 'utf8')).matchAll(/^ {2}(?: {2})?'?([a-z-]+)'?:/gm),
    ])
    .map(([, code]) => `${code}`);
  expect(codes.map(({ code }) => code)).toEqual([...new Set(declared)].sort());
  expect(declared).toHaveLength(new Set(declared).size);
});

const interfaceIn = (text: string): string => /interface ErrorDetails \{\n(.*?)\n {0,2}\}/s.exec(text)?.[1] ?? '';

test('each code has one line, with its details in a piece', () => {
  const rows = errorPage()
    .split('\n')
    .filter((line) => /^\| `[a-z]+(?:-[a-z]+)*` \|/.test(line));
  expect(codes.map(({ code }) => rows.filter((row) => row.startsWith(`| \`${code}\` |`)).length)).toEqual(
    codes.map(() => 1),
  );
  const countOf = (text: string, sign: string): number => text.split(sign).length;
  const cut = codes.filter(({ details }) => countOf(details, '{') !== countOf(details, '}') || details.includes('/*'));
  expect(cut).toEqual([]);
});

test('what any failure may have is listed, with its type and what it is', () => {
  const details = addedDetails();
  const declared = ['src/support/errors.ts', 'src/problem/error-codes.ts', 'src/execute/error-codes.ts'].flatMap(
    (file) => [
      ...(/interface AddedDetails \{\n(.*?)\n {0,2}\}/s.exec(readFileSync(file, 'utf8'))?.[1] ?? '').matchAll(
        /readonly (\w+):/g,
      ),
    ],
  );
  expect(declared.length).toBeGreaterThan(10);
  expect(details.map(({ name }) => name)).toEqual(expect.arrayContaining(declared.map(([, name]) => name)));
  expect(details.filter(({ meaning, type }) => !/^\S.{10,}\.$/.test(meaning) || /'\]|[{}\n]/.test(type))).toEqual([]);
});

test('advice for programs names options and calls', () => {
  const page = errorPage();
  expect(page).toContain('| Leave the fields out of the chart, or take them over with `forceConflicts`. |');
  expect(page).toContain('| Run `repositories.update()`, or correct the range. |');
});

test.each(codes)('$code says what it means and what to do', ({ meaning, wayOut }) => {
  expect(meaning).toMatch(/^\S.{10,}\.$/);
  expect(wayOut).toMatch(/^\S.{10,}\.$/);
});

test('every code is thrown somewhere', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('error-codes.ts'))
    .map((name) => readFileSync(join('src', name), 'utf8'))
    .join('\n');
  expect(codes.map(({ code }) => code).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});
