import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { BufferedFile } from '../../../src/chart/files.ts';
import { createLimiter } from '../../../src/support/concurrency.ts';
import { scratchDirectory } from '../support/charts.ts';
import { helm } from '../support/programs.ts';
import { type Case, casesOf, readChartFiles, valuesOf } from './chart-sources.ts';
import { type Baseline, baselineOf, type Judged, judge, namesLine, namespace, type Verdict } from './judge.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { Tally } from './tally.ts';

// Charts with one wrong line: what the API server refuses of them in a dry run, `check` finds, and no more than that, at the
// line that is wrong. By hand: MUTANTS=3000 MUTANTS_CASES=FILE, a line for each chart as scripts/sandbox-charts.mjs reads
// them; MUTANTS_SEED=… draws others, MUTANTS_REPORT=FILE keeps a line of JSON for each that is not as it should be,
// MUTANTS_OBJECTS=DIR each object, for other validators.
const wanted = Number(process.env['MUTANTS'] ?? 60);
const seed = Number(process.env['MUTANTS_SEED'] ?? 1);
const report = process.env['MUTANTS_REPORT'];
const objects = process.env['MUTANTS_OBJECTS'];
const directory = scratchDirectory();
const minuteMs = 60_000;
/** Helm renders one chart at a time, beside what is judged here. */
const one = createLimiter(1);

test(
  'of charts with a wrong line `check` finds what the API server refuses, at that line',
  async () => {
    const tally = new Tally();
    const answers: Promise<void>[] = [];
    const cases = casesOf(process.env['MUTANTS_CASES']);
    for (const [index, each] of cases.entries()) {
      const baseline = await baselineOf(readChartFiles(each.chart), valuesOf(each));
      const enough = Math.round(((index + 1) * wanted) / cases.length);
      for (let draw = 0; tally.judged < enough && draw < 1000; draw++) {
        const mutation = mutationOf(baseline.sources, (seed * 1009 + index) * 1009 + draw);
        if (mutation === undefined) continue;
        const verdict = await judge(baseline, mutation);
        count(verdict, { tally, baseline, mutation });
        if (verdict.kind !== 'unrendered') continue;
        answers.push(one(() => expectHelmRefuses(verdict.files, { ...each, mutation })));
      }
      if (report !== undefined)
        writeFileSync(`${report}.txt`, `${index + 1} of ${cases.length} charts\n${tally.text()}\n`);
    }
    console.log(`mutants of seed ${seed}\n${tally.text()}`);
    await Promise.all(answers);
    expect(tally.falseAlarms).toBe(0);
    expect(tally.share('found')).toBeGreaterThanOrEqual(0.98);
    expect(tally.share('atLine')).toBeGreaterThanOrEqual(0.95);
  },
  120 * minuteMs,
);

interface Counted {
  readonly tally: Tally;
  readonly baseline: Baseline;
  readonly mutation: Mutation;
}

/** Keeps what is not as it should be. */
function count(verdict: Verdict, { tally, baseline: { files }, mutation }: Counted): void {
  if (verdict.kind === 'same') return;
  const { findings } = verdict;
  const places = findings.map(({ problem }) => namesLine(problem, files, mutation));
  const place = (['first', 'among'] as const).find((one) => places.includes(one)) ?? 'no';
  const about = { chart: files.name, mutation, place, findings };
  if (verdict.kind === 'unrendered') {
    tally.unrendered(mutation, place);
    if (place === 'no') keep(about);
    return;
  }
  for (const object of verdict.objects) keepObject(object, mutation);
  const [wrong] = tally.judge(mutation, place, verdict.objects);
  const refused = verdict.objects.find((object) => object.refused !== undefined);
  const { id, refused: says } = wrong?.judged ?? refused ?? {};
  if (wrong !== undefined || (place === 'no' && refused !== undefined))
    keep({ ...about, what: wrong?.what, object: id, refused: says });
}

/** For other validators: a file of one object, and whether it has errors. */
function keepObject({ object, refused, errors }: Judged, mutation: Mutation): void {
  if (objects === undefined) return;
  const said = `${refused === undefined ? 'taken' : 'refused'}-${errors.length === 0 ? 'right' : 'wrong'}`;
  writeFileSync(join(mkdtempSync(join(objects, `${said}-`)), `${mutation.mistake}.json`), JSON.stringify(object));
}

function keep(line: object): void {
  if (report !== undefined) appendFileSync(report, `${JSON.stringify(line)}\n`);
}

async function expectHelmRefuses(
  files: readonly BufferedFile[],
  { mutation, values }: Case & { readonly mutation: Mutation },
): Promise<void> {
  const chart = mkdtempSync(join(directory, 'chart-'));
  for (const { name, data } of files) {
    mkdirSync(dirname(join(chart, name)), { recursive: true });
    writeFileSync(join(chart, name), data);
  }
  const given = values === undefined ? [] : ['-f', values];
  const { code } = await helm.run(['template', 'rel', chart, '-n', namespace, ...given]);
  rmSync(chart, { recursive: true });
  expect(code, `Helm renders ${mutation.file}:${mutation.line}: ${mutation.after}`).not.toBe(0);
}
