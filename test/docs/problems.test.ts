import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { problemCodes, problemMeanings, problemPage } from '../../scripts/problem-codes.mjs';
import { refusalCodes } from '../../src/problem/refusal-fact.ts';

const codes = problemCodes();

test('docs/problems.md is what the types of facts say; npm run docs:errors writes it', () => {
  expect(readFileSync('docs/problems.md', 'utf8')).toBe(problemPage());
  expect(readFileSync('src/words/meanings.json', 'utf8')).toBe(problemMeanings());
});

test('every code has one heading', () => {
  const headings = [...problemPage().matchAll(/^### (.*)$/gm)].map(([, code]) => code);
  expect(headings).toEqual([...new Set(headings)]);
  const refused = codes.filter(({ area }) => area === 'refusal').map(({ code }) => code);
  expect(refused.sort()).toEqual(Object.keys(refusalCodes).sort());
});

test.each(codes.filter(({ area }) => area === 'refusal'))('$code says what it means and what to do', (one) => {
  expect(one.meaning).toMatch(/^\S.{10,}\.$/);
  expect(one.wayOut).toMatch(/^\S.{4,}\.$/);
});
