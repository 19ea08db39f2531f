import { fileText } from '../../chart/file-text.ts';
import type { Chart } from '../../chart/types.ts';
import { annotations } from '../../manifest/annotations.ts';
import { readNames } from '../../manifest/name-list.ts';
import { orderAnnotations } from '../../plan/order-annotations.ts';
import type { OrderMistake } from '../../plan/problems.ts';
import { annotationLine } from '../../plan/source-lines.ts';
import { readYaml } from '../../yaml/index.ts';

/**
 * What Helm makes of the order in a Chart.yaml, and in those below it: fields that it drops when it packages or records
 * the chart, with the annotation that stays, and annotations that it cannot load. `path` is as template paths have it.
 */
export function orderFileProblems(chart: Chart, path = chart.metadata.name): readonly OrderMistake[] {
  const file = `${path}/Chart.yaml`;
  const text = fileText(chart, 'Chart.yaml') ?? '';
  const missing = Object.entries(orderAnnotations(chart)).map(([key, value]): OrderMistake => {
    const field = key === annotations.runHooksInParallel ? 'runHooksInParallel' : 'depends-on';
    const line = fieldLine(text, field);
    return {
      file,
      line,
      message: `helm drops ${field} when it packages or records the chart; add this to annotations: ${key}: '${value}'`,
    };
  });
  const lists = listAnnotation(text);
  const list: readonly OrderMistake[] =
    lists === undefined
      ? []
      : [
          {
            file,
            line: annotationLine(text, annotations.dependsOnSubcharts),
            message: `${annotations.dependsOnSubcharts} is a YAML list, but Helm only loads charts whose annotations are strings; write '${JSON.stringify(lists)}'`,
          },
        ];
  const below = chart.dependencies.flatMap((child) =>
    orderFileProblems(child, `${path}/charts/${child.metadata.name}`),
  );
  return [...missing, ...list, ...below];
}

function fieldLine(text: string, field: string): number | undefined {
  const index = text.split('\n').findIndex((line) => line.includes(`${field}:`) && !/^\s*#/.test(line));
  return index === -1 ? undefined : index + 1;
}

/** The names, where the annotation is a list in YAML. */
function listAnnotation(text: string): readonly string[] | undefined {
  if (!text.includes(annotations.dependsOnSubcharts)) return undefined;
  const document = readYaml(text);
  const given = document instanceof Map ? document.get('annotations') : undefined;
  const value = given instanceof Map ? given.get(annotations.dependsOnSubcharts) : undefined;
  return Array.isArray(value) ? readNames(value) : undefined;
}
