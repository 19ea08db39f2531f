import { extension } from '../go/path.ts';
import type { Chart, ChartFile, CrdFile } from './types.ts';

/** A chart of a tree, and where it is: `parent/charts/sub`, by the names (or aliases) of the charts (ChartFullPath). */
interface PlacedChart {
  readonly chart: Chart;
  readonly path: string;
}

/** The chart and all charts below it, each before its subcharts. */
export const placedCharts = (chart: Chart, path = chart.metadata.name): readonly PlacedChart[] => [
  { chart, path },
  ...chart.dependencies.flatMap((child) => placedCharts(child, `${path}/charts/${child.metadata.name}`)),
];

/** The CRD files of a chart and, after them, of its subcharts (chart.CRDObjects). */
export const crdFiles = (chart: Chart): CrdFile[] =>
  placedCharts(chart).flatMap(({ chart: { files }, path }) =>
    files.filter(isCrdFile).map(({ name, data }) => ({ name, filename: `${path}/${name}`, data })),
  );

/** The names of the charts around a template, outermost first: shop, database for `shop/charts/database/templates/x.yaml`. */
export function chartNamesOf(source: string): readonly string[] {
  const [root = '', ...segments] = source.split('/');
  const names = [root];
  for (let at = 0; segments[at] === 'charts' && segments.length > at + 2; at += 2)
    names.push(segments[at + 1] as string);
  return names;
}

export const isCrdFile = ({ name }: ChartFile): boolean =>
  name.startsWith('crds/') && ['.yaml', '.yml', '.json'].includes(extension(name).toLowerCase());
