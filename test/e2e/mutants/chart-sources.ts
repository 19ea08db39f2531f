import { chartFromFiles } from '../../../src/chart/assemble.ts';
import type { BufferedFile } from '../../../src/chart/files.ts';
import { loadChartSync } from '../../../src/chart/load.ts';
import type { Chart } from '../../../src/chart/types.ts';
import { type Mutation, type Source, withMutation } from './mutation.ts';

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
