import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const fixtures = 'fixtures/template';
const program = 'test/e2e/go-template';
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'go-template-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const read = (path: string): string => readFileSync(path, 'utf8');

test('the committed cases are those that cases.mjs writes', () => {
  const written = join(directory, 'cases.json');
  execFileSync('node', [join(program, 'cases.mjs'), written]);
  expect(read(written)).toBe(read(join(fixtures, 'cases.json')));
});

test("the committed expectations are still what Go's text/template answers", () => {
  const written = join(directory, 'expected.json');
  execFileSync('go', ['run', '.', join(process.cwd(), fixtures, 'cases.json'), written], { cwd: program });
  const results = (path: string): unknown => (JSON.parse(read(path)) as { results: unknown }).results;
  expect(results(written)).toEqual(results(join(fixtures, 'expected.json')));
});

test("the committed answers of strconv are still Go's", () => {
  const written = join(directory, 'strconv.json');
  execFileSync('go', ['run', './strconv', written], { cwd: program });
  expect(read(written)).toBe(read('fixtures/go/strconv.json'));
});
