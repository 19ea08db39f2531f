import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addedDetails, errorCodes, errorPage } from '../../scripts/error-codes.mjs';
import { messagesByCode } from '../../scripts/error-messages.mjs';

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

test('each code has one heading, with its details in a piece', () => {
  const headings = [...errorPage().matchAll(/^## ([a-z]+(?:-[a-z]+)*)$/gm)].map(([, code]) => code);
  expect(headings).toEqual(codes.map(({ code }) => code));
  const countOf = (text: string, sign: string): number => text.split(sign).length;
  const cut = codes.filter(({ details }) => countOf(details, '{') !== countOf(details, '}') || details.includes('/*'));
  expect(cut).toEqual([]);
});

test('a code shows what it prints, without the names that are filled in', () => {
  const messages = messagesByCode('src');
  expect(messages.get('cluster-unreachable')).toEqual(['kubernetes cluster unreachable: …']);
  expect(messages.get('no-deployed-releases')).toEqual(['"…" has no deployed releases']);
  expect(messages.get('operation-in-progress')).toHaveLength(3);
  expect([...messages.values()].flat().filter((message) => /\$\{|\\|\n/.test(message))).toEqual([]);
  expect(codes.filter(({ code }) => (messages.get(code) ?? []).length > 0).length).toBeGreaterThan(85);
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
  expect(page).toContain(
    '- In the library: Leave the fields out of the chart, or take over the fields with `forceConflicts`.\n',
  );
  expect(page).toContain('- In the library: Run `repositories.update()`, or correct the range.\n');
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
