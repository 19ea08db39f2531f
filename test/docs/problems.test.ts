import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { problemCodes, problemMeanings, problemPage, textsOfCodes } from '../../scripts/problem-codes.mjs';
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

test('a code shows its texts of the golden files', () => {
  const texts = textsOfCodes();
  expect(texts.get('kind-unknown')).toEqual(['no matches for kind "B" in version "a/v1"']);
  expect(texts.get('image-not-found')).toEqual(['container app: ImagePullBackOff: … (no such tag or repository)']);
  expect(codes.filter(({ code }) => texts.has(code)).length).toBeGreaterThan(110);
});

test.each(codes.filter(({ area }) => area === 'refusal'))('$code says what it means and what to do', (one) => {
  expect(one.meaning).toMatch(/^\S.{10,}\.$/);
  expect(one.wayOut).toMatch(/^\S.{4,}\.$/);
});
