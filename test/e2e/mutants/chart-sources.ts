import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chartFromFiles } from '../../../src/chart/assemble.ts';
import type { BufferedFile } from '../../../src/chart/files.ts';
import { loadChartSync } from '../../../src/chart/load.ts';
import type { Chart } from '../../../src/chart/types.ts';
import { readValues } from '../../../src/chart/values-file.ts';
import type { GoMap } from '../../../src/go/value.ts';
import { type Mutation, type Source, withMutation } from './mutation.ts';

export interface Case {
  readonly id: string;
  readonly chart: string;
  readonly values?: string | undefined;
}

/** Charts of this repository, or a line of `file` for each as scripts/sandbox-charts.mjs reads them; MUTANTS_ONLY is a part of the id. */
export function casesOf(file: string | undefined): readonly Case[] {
  if (file === undefined) return ['fixtures/charts/shop', 'examples/chart'].map((chart) => ({ id: chart, chart }));
  const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return rows
    .map((row) => row.split('\t') as [string, string, string, string, string])
    .filter(
      ([id, _chart, _values, extra, result]) =>
        extra === '-' && result === 'ok' && id.includes(process.env['MUTANTS_ONLY'] ?? ''),
    )
    .map(([id, chart, values]) => ({
      id,
      chart: join(dirname(file), chart),
      values: values === '-' ? undefined : join(dirname(file), values),
    }));
}

export const valuesOf = ({ values }: Case): GoMap =>
  values === undefined ? new Map() : readValues(readFileSync(values));

/** A chart, and what it was made of. */
export interface ChartFiles {
  readonly path: string;
  readonly name: string;
  readonly chart: Chart;
  readonly files: readonly BufferedFile[];
}

export function readChartFiles(path: string): ChartFiles {
  let files: readonly BufferedFile[] = [];
  const chart = loadChartSync(path, {
    assemble(read, options) {
      files = read;
      return chartFromFiles(read, options);
    },
  });
  return { path, name: chart.metadata.name, chart, files };
}

/** The templates and values of a chart and its subcharts, but not crds/; of the templates those that `wrote` something, and helpers. */
export function sourcesOf({ name, files }: ChartFiles, wrote: ReadonlySet<string>): readonly Source[] {
  const isMutable = (file: string): boolean =>
    file.endsWith('values.yaml') ||
    (wrote.has(`${name}/${file}`) && file.includes('templates/')) ||
    /(?:^|\/)templates\/(?:.*\/)?_[^/]*$/.test(file);
  return files
    .filter((file) => isMutable(file.name))
    .map((file) => ({ name: file.name, text: new TextDecoder().decode(file.data) }));
}

export function mutatedFiles({ files }: ChartFiles, mutation: Mutation): readonly BufferedFile[] {
  return files.map((file) => {
    if (file.name !== mutation.file) return file;
    const text = withMutation(new TextDecoder().decode(file.data), mutation);
    return { ...file, data: new TextEncoder().encode(text) };
  });
}

/** The chart at a path with other files. Errors: those of a chart that cannot be loaded. */
export const chartOf = ({ path }: ChartFiles, files: readonly BufferedFile[]): Chart =>
  loadChartSync(path, { assemble: (_read, options) => chartFromFiles(files, options) });
