import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadChart } from '../../src/chart/load.ts';
import type { Chart } from '../../src/chart/types.ts';

/*
 * Public charts with what Helm v4.3.1 printed for them. The folder (TSHELM_CHARTS) holds `cases.tsv` with a line for each
 * case (id, chart, values file, further arguments, ok or fail, yes or random), the charts, and `expected/ID.yaml.gz` or
 * `expected/ID.err.gz`, the answer of `helm template rel CHART --namespace ns --kube-version 1.33.0 [-f VALUES] [ARGUMENTS]`.
 */
export const chartsFolder = process.env['TSHELM_CHARTS'] ?? join(import.meta.dirname, '../../../shared/charts');
const table = join(chartsFolder, 'cases.tsv');
export const hasCharts = existsSync(table);

/** What the title of a suite adds where its charts are absent. */
export const absence = hasCharts ? '' : ` (skipped: there is no ${table}; TSHELM_CHARTS names the folder)`;

export interface PublicCase {
  readonly id: string;
  readonly archive: string;
  readonly valueFiles: readonly string[];
  /** Further arguments, as a shell takes them. */
  readonly extra: string;
  readonly renders: boolean;
  readonly isRandom: boolean;
}

export const publicCases: readonly PublicCase[] = hasCharts ? readCases() : [];

function readCases(): PublicCase[] {
  const rows = readFileSync(table, 'utf8').trimEnd().split('\n').slice(1);
  return rows.map((row) => {
    const [id = '', chart = '', values = '-', extra = '-', result, stable] = row.split('\t');
    return {
      id,
      archive: join(chartsFolder, chart),
      valueFiles: values === '-' ? [] : [join(chartsFolder, values)],
      extra: extra === '-' ? '' : extra,
      renders: result === 'ok',
      isRandom: stable === 'random',
    };
  });
}

const charts = new Map<string, Promise<Chart>>();

/** The chart of an archive, which its cases share: loading one takes as long as rendering it. */
export function publicChart(archive: string): Promise<Chart> {
  const chart = charts.get(archive) ?? loadChart(archive);
  charts.set(archive, chart);
  return chart;
}
