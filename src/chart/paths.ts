import type { Chart, ChartFile, CrdFile } from './types.ts';

/** A chart of a tree, and where it stands: `parent/charts/sub`, by the names (or aliases) of the charts. */
export interface PlacedChart {
  readonly chart: Chart;
  /** Helm's ChartFullPath. */
  readonly fullPath: string;
  readonly isRoot: boolean;
}

/** The chart and all charts below it, each before its subcharts. */
export function placedCharts(root: Chart): PlacedChart[] {
  const placed = (chart: Chart, fullPath: string, isRoot: boolean): PlacedChart[] => [
    { chart, fullPath, isRoot },
    ...chart.dependencies.flatMap((child) => placed(child, chartFullPath(child, fullPath), false)),
  ];
  return placed(root, chartFullPath(root), true);
}

/** A chart's full path; `parent` is its parent's, none for the root. */
export const chartFullPath = (chart: Chart, parent?: string): string =>
  parent === undefined ? chart.metadata.name : `${parent}/charts/${chart.metadata.name}`;

/** The CRD files of a chart and, after them, of its subcharts (chart.CRDObjects). */
export const crdFiles = (chart: Chart): CrdFile[] =>
  placedCharts(chart).flatMap(({ chart: { files }, fullPath }) =>
    files.filter(isCrdFile).map(({ name, data }) => ({ name, filename: `${fullPath}/${name}`, data })),
  );

const isCrdFile = ({ name }: ChartFile): boolean => name.startsWith('crds/') && /\.(?:yaml|yml|json)$/i.test(name);
