import type { Release } from './types.ts';

/** Whether two revisions are of one chart, by its name and version. */
export const isSameChart = (a: Release, b: Release): boolean =>
  a.chart.metadata.name === b.chart.metadata.name && a.chart.metadata.version === b.chart.metadata.version;
