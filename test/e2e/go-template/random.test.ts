import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzzData, missingKeyMode, templateSource } from '../../template/random-template.ts';
import { type Result, resultOf } from '../../template/reference-values.ts';

const seed = Number(process.env['TSHELM_FUZZ_SEED'] ?? 20260101);
const numRuns = Number(process.env['TSHELM_FUZZ_RUNS'] ?? 20_000);
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'go-template-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

// Go's stack ends in a crash where an include calls itself, and its loops have no limit.
const isFitForGo = (source: string): boolean => !/include|9223372036854775807|\p{Surrogate}/u.test(source);

test('random templates give what Go gives', () => {
  const cases = fc
    .sample(fc.record({ source: templateSource, missingKey: missingKeyMode }), { numRuns, seed })
    .filter(({ source }) => isFitForGo(source));
  const [casesFile, resultsFile] = [join(directory, 'cases.json'), join(directory, 'results.json')];
  writeFileSync(casesFile, JSON.stringify({ data: { default: fuzzData }, cases }));
  execFileSync('go', ['run', '.', casesFile, resultsFile], { cwd: 'test/e2e/go-template' });
  const { results } = JSON.parse(readFileSync(resultsFile, 'utf8')) as { results: Result[] };
  const different = cases.flatMap((each, index) => {
    const ours = resultOf(each, fuzzData);
    const go = results[index];
    return JSON.stringify(ours) === JSON.stringify(go) ? [] : [{ ...each, go, ours }];
  });
  expect(different).toEqual([]);
  expect(results.filter(({ text }) => text !== undefined).length).toBeGreaterThan(cases.length / 10);
});
