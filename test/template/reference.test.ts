import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Case, type Result, resultOf } from './reference-values.ts';

const read = <T>(name: string): T => JSON.parse(readFileSync(`fixtures/template/${name}`, 'utf8')) as T;
const { data, cases } = read<{ data: Record<string, unknown>; cases: Case[] }>('cases.json');
const { results } = read<{ go: string; results: Result[] }>('expected.json');

test('every case of cases.json gives what Go gives, texts and errors', () => {
  const different = cases.flatMap((each, index) => {
    const ours = resultOf(each, data[each.data ?? 'default']);
    const go = results[index];
    return JSON.stringify(ours) === JSON.stringify(go) ? [] : [{ ...each, go, ours }];
  });
  expect(different).toEqual([]);
  expect(cases.length).toBe(results.length);
});
