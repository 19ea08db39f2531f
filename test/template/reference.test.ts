import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ParsedSources } from '../../src/template/template-set.ts';
import { type Case, type Result, resultOf } from './reference-values.ts';

const read = <T>(name: string): T => JSON.parse(readFileSync(`fixtures/template/${name}`, 'utf8')) as T;
const { data, cases } = read<{ data: Record<string, unknown>; cases: Case[] }>('cases.json');
const { results } = read<{ go: string; results: Result[] }>('expected.json');

/** The cases that do not give what Go gives, texts and errors. */
const differentCases = (parsed?: ParsedSources): unknown[] =>
  cases.flatMap((each, index) => {
    const ours = resultOf(each, data[each.data ?? 'default'], parsed);
    const go = results[index];
    return JSON.stringify(ours) === JSON.stringify(go) ? [] : [{ ...each, go, ours }];
  });

test('every case of cases.json gives what Go gives, texts and errors', () => {
  expect(differentCases()).toEqual([]);
  expect(cases.length).toBe(results.length);
});

test('every case gives the same where its actions are known from other templates', () => {
  const parsed = new ParsedSources();
  for (const each of cases) {
    const source = `{{/* another template */}}${each.source}`;
    resultOf({ ...each, source }, data[each.data ?? 'default'], parsed);
  }
  expect(differentCases(parsed)).toEqual([]);
});
