import { chartAnnotationLine, fileLine, fileText } from '../../chart/file-text.ts';
import { placedCharts } from '../../chart/paths.ts';
import type { Chart } from '../../chart/types.ts';
import { annotations } from '../../manifest/annotations.ts';
import { readNames } from '../../manifest/name-list.ts';
import { orderAnnotations } from '../../plan/order-annotations.ts';
import type { OrderMistake } from '../../plan/problems.ts';
import { readYaml } from '../../yaml/index.ts';

/**
 * What Helm makes of the order in a Chart.yaml, and in those below it: fields that it drops when it packages or records
 * the chart, with the annotation that stays, and annotations that it cannot load.
 */
export const orderFileProblems = (root: Chart): readonly OrderMistake[] =>
  placedCharts(root).flatMap(({ chart, path }) => {
    const file = `${path}/Chart.yaml`;
    return [...droppedFields(chart, file), ...listAnnotation(chart, file)];
  });

const droppedFields = (chart: Chart, file: string): readonly OrderMistake[] =>
  Object.entries(orderAnnotations(chart)).map(([key, value]) => {
    const isMode = key === annotations.runHooksInParallel;
    const field = isMode ? 'runHooksInParallel' : 'depends-on';
    const index = chart.metadata.dependencies?.findIndex(({ dependsOn }) => dependsOn !== undefined);
    const line = fileLine(chart, 'Chart.yaml', isMode ? [field] : ['dependencies', String(index), field]);
    const message = `helm drops ${field} when it packages or records the chart; add this to annotations: ${key}: '${value}'`;
    return { file, line, message };
  });

/** The subcharts' annotation as a list in YAML. */
function listAnnotation(chart: Chart, file: string): readonly OrderMistake[] {
  const key = annotations.dependsOnSubcharts;
  const text = fileText(chart, 'Chart.yaml') ?? '';
  const document = text.includes(key) ? readYaml(text) : undefined;
  const given = document instanceof Map ? document.get('annotations') : undefined;
  const value = given instanceof Map ? given.get(key) : undefined;
  if (!Array.isArray(value)) return [];
  const message = `${key} is a YAML list, but Helm only loads charts whose annotations are strings; write '${JSON.stringify(readNames(value))}'`;
  return [{ file, line: chartAnnotationLine(chart, key), message }];
}
