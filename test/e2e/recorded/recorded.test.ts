import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judge, nameOf, type Verdict } from './judge.ts';
import leftOut from './left-out.json' with { type: 'json' };
import { differences } from './named.ts';
import { type RecordedCall, readRecords } from './records.ts';

const here = 'test/e2e/recorded';
/** With $RECORDED, what an earlier `run.sh $RECORDED` wrote down is judged. */
const given = process.env['RECORDED'];
const sources = given ?? mkdtempSync(join(tmpdir(), 'recorded-'));
/** A little less than there are: many less is a change of Helm's tests. */
const leastOfAll = 7900;

let calls: readonly RecordedCall[];
let verdicts: readonly Verdict[];

beforeAll(async () => {
  if (given === undefined) execFileSync('bash', [join(here, 'run.sh'), sources], { stdio: 'pipe' });
  calls = readRecords(sources);
  verdicts = await judge(calls);
}, 1_200_000);
afterAll(() => given ?? rmSync(sources, { recursive: true }));

const names: ReadonlyMap<string, string> = new Map(
  Object.entries(differences).flatMap(([reason, tests]) =>
    (tests as readonly string[]).map((name): [string, string] => [name, reason]),
  ),
);

test("tshelm answers what Helm's packages answer their own tests, but for what is named", () => {
  const unnamed = verdicts.filter((one) => one.kind === 'differs' && !names.has(nameOf(one)));
  expect(unnamed.map((one) => ({ ...one, call: { ...one.call, results: undefined } }))).toEqual([]);
  console.table(countsOf(verdicts));
  expect(verdicts.length).toBeGreaterThan(leastOfAll);
});

test('what is named differs indeed', () => {
  const differing = new Set(verdicts.filter(({ kind }) => kind === 'differs').map(nameOf));
  expect([...names.keys()].filter((name) => !differing.has(name))).toEqual([]);
});

test("each of Helm's own tests is a case or left out with its reason", () => {
  const known = new Set(verdicts.map(({ call }) => `${call.package} ${call.test}`));
  const omitted = new Set(Object.values(leftOut as Record<string, readonly string[]>).flat());
  const all = testsBelow(join(sources, 'helm')).filter((name) => !name.startsWith('helm/pkg/cmd '));
  expect(all.filter((name) => !known.has(name) && !omitted.has(name))).toEqual([]);
  expect([...omitted].filter((name) => known.has(name) || !all.includes(name))).toEqual([]);
});

/** `helm/pkg/strvals TestParse` for each test; those of charts of API version v3, an experiment of Helm, are left out. */
function testsBelow(folder: string, below = 'helm'): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testsBelow(path, `${below}/${entry.name}`);
    if (!entry.name.endsWith('_test.go') || /_windows_|\/chart\/v3|\/release\/v2/.test(`${below}/${entry.name}`))
      return [];
    const found = readFileSync(path, 'utf8').matchAll(/^func (Test\w+)\(\w+ \*testing\.T\)/gm);
    return [...found].map(([, name]) => `${below} ${name}`);
  });
}

/** How many cases of each package agree, are named or have no counterpart. */
function countsOf(all: readonly Verdict[]): Record<string, Record<string, number>> {
  const counts: Record<string, Record<string, number>> = {};
  for (const { kind, call } of all) {
    for (const name of [call.package, 'all']) {
      const row = (counts[name] ??= { cases: 0, agrees: 0, differs: 0, 'no counterpart': 0 });
      row['cases'] = (row['cases'] ?? 0) + 1;
      row[kind] = (row[kind] ?? 0) + 1;
    }
  }
  return counts;
}
