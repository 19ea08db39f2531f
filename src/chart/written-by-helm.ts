import { readYaml, writeYaml } from '../yaml/index.ts';
import { fileText } from './file-text.ts';
import type { Chart } from './types.ts';

/**
 * Whether Helm wrote the Chart.yaml of a chart, which it does when it packages one: its fields in the order of the
 * alphabet, without comments, and the repository of each dependency even where it is empty.
 */
export function isWrittenByHelm(chart: Chart): boolean {
  const text = fileText(chart, 'Chart.yaml');
  const { dependencies = [] } = chart.metadata;
  if (text === undefined || dependencies.some(({ repository }) => repository === undefined)) return false;
  return writeYaml(readYaml(text)) === text;
}
