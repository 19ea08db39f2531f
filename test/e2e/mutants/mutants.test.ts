import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { BufferedFile } from '../../../src/chart/files.ts';
import { readValues } from '../../../src/chart/values-file.ts';
import { scratchDirectory } from '../support/charts.ts';
import { helm } from '../support/programs.ts';
import { readChartFiles } from './chart-sources.ts';
import { type Baseline, baselineOf, judge, namesLine, namespace, type Verdict } from './judge.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { Tally } from './tally.ts';

// Charts with one wrong line: what the API server refuses of them in a dry run, `check` finds, and no more than that, at the
// line that is wrong. By hand: MUTANTS=3000 MUTANTS_CASES=FILE, a line for each chart as scripts/sandbox-charts.mjs reads
// them; MUTANTS_SEED=… draws others, MUTANTS_REPORT=FILE keeps a line of JSON for each that is not as it should be.
const wanted = Number(process.env['MUTANTS'] ?? 60);
const seed = Number(process.env['MUTANTS_SEED'] ?? 1);
const report = process.env['MUTANTS_REPORT'];
const directory = scratchDirectory();
const minuteMs = 60_000;

interface Case {
  readonly chart: string;
  readonly values?: string | undefined;
}

function casesOf(file: string | undefined): readonly Case[] {
  if (file === undefined) return [{ chart: 'fixtures/charts/shop' }, { chart: 'examples/chart' }];
  const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return rows
    .map((row) => row.split('\t') as [string, string, string, string, string])
    .filter(
      ([id, _chart, _values, extra, result]) =>
        extra === '-' && result === 'ok' && id.includes(process.env['MUTANTS_ONLY'] ?? ''),
    )
    .map(([_id, chart, values]) => ({
      chart: join(dirname(file), chart),
      values: values === '-' ? undefined : join(dirname(file), values),
    }));
}

test(
  'of charts with a wrong line `check` finds what the API server refuses, at that line',
  async () => {
    const tally = new Tally();
    const cases = casesOf(process.env['MUTANTS_CASES']);
    for (const [index, each] of cases.entries()) {
      const values = each.values === undefined ? new Map() : readValues(readFileSync(each.values));
      const baseline = await baselineOf(readChartFiles(each.chart), values);
      const enough = Math.round(((index + 1) * wanted) / cases.length);
      for (let draw = 0; tally.judged < enough && draw < 1000; draw++) {
        const mutation = mutationOf(baseline.sources, (seed * 1009 + index) * 1009 + draw);
        if (mutation === undefined) continue;
        await count(await judge(baseline, mutation), { tally, baseline, mutation, valuesFile: each.values });
      }
    }
    console.log(`mutants of seed ${seed}\n${tally.text()}`);
    expect(tally.falseAlarms).toBe(0);
    expect(tally.share('found')).toBeGreaterThanOrEqual(0.98);
    expect(tally.share('atLine')).toBeGreaterThanOrEqual(0.95);
    expect(tally.renderedByHelm).toBe(0);
  },
  120 * minuteMs,
);

async function count(
  verdict: Verdict,
  {
    tally,
    baseline,
    mutation,
    valuesFile,
  }: {
    readonly tally: Tally;
    readonly baseline: Baseline;
    readonly mutation: Mutation;
    readonly valuesFile: string | undefined;
  },
): Promise<void> {
  const places = (verdict.kind === 'same' ? [] : verdict.findings).map(({ problem }) =>
    namesLine(problem, baseline.files, mutation),
  );
  const place = places.includes('first') ? 'first' : places.includes('among') ? 'among' : 'no';
  if (verdict.kind === 'unrendered') {
    const isHelms = await isRenderedByHelm(verdict.files, tally.judged, valuesFile);
    tally.unrendered(mutation, place, isHelms);
    if (place !== 'first' || isHelms)
      keep({ chart: baseline.files.name, mutation, place, isHelms, findings: verdict.findings });
  }
  if (verdict.kind !== 'judged') return;
  const wrong = tally.judge(mutation, place, verdict.objects);
  const [one] = wrong;
  if (one !== undefined || (place !== 'first' && verdict.objects.some(({ refused }) => refused !== undefined)))
    keep({
      chart: baseline.files.name,
      mutation,
      place,
      what: one?.what,
      object: one?.judged.id,
      refused: (one?.judged ?? verdict.objects.find(({ refused }) => refused))?.refused,
      findings: verdict.findings,
    });
}

function keep(line: object): void {
  if (report !== undefined) appendFileSync(report, `${JSON.stringify(line)}\n`);
}

async function isRenderedByHelm(
  files: readonly BufferedFile[],
  number: number,
  values: string | undefined,
): Promise<boolean> {
  const chart = join(directory, `chart-${number}-${Math.random()}`);
  for (const { name, data } of files) {
    mkdirSync(dirname(join(chart, name)), { recursive: true });
    writeFileSync(join(chart, name), data);
  }
  const { code } = await helm.run([
    'template',
    'rel',
    chart,
    '-n',
    namespace,
    ...(values === undefined ? [] : ['-f', values]),
  ]);
  return code === 0;
}
