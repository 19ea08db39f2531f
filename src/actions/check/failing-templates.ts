import type { Chart } from '../../chart/types.ts';
import { isPartial } from '../../manifest/classify.ts';
import type { Problem } from '../../problem/problem.ts';

/** Each of them costs a render of the whole chart. */
const mostTemplates = 20;

/**
 * What keeps each template of a chart from being rendered: Helm ends at the first, so the chart is rendered again without
 * that one. `failuresOf`: the problems of a chart, [] of one that is rendered.
 */
export async function templateFailures(
  chart: Chart,
  failuresOf: (chart: Chart) => Promise<readonly Problem[]>,
): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  let rest: Chart | undefined = chart;
  for (let round = 0; rest !== undefined && round < mostTemplates; round++) {
    const problems = await failuresOf(rest);
    found.push(...problems);
    const [file] = problems.flatMap(({ subject }) => (subject.kind === 'template' ? [subject.file] : []));
    rest = file === undefined || isPartial(file) ? undefined : withoutTemplate(rest, file.split('/').slice(1));
  }
  return found;
}

/** Undefined where the chart has no such template. `path`: the folders from that of the chart. */
function withoutTemplate(chart: Chart, path: readonly string[]): Chart | undefined {
  const [folder, name, ...below] = path;
  if (folder === 'charts') {
    const child = chart.dependencies.find(({ metadata }) => metadata.name === name);
    const left = child && withoutTemplate(child, below);
    return left && { ...chart, dependencies: chart.dependencies.map((one) => (one === child ? left : one)) };
  }
  const templates = chart.templates.filter((template) => template.name !== path.join('/'));
  return templates.length === chart.templates.length ? undefined : { ...chart, templates };
}
