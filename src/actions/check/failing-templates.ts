import type { Chart, ChartFile } from '../../chart/types.ts';
import { isPartial } from '../../manifest/classify.ts';
import type { Problem } from '../../problem/problem.ts';

/** Each of them costs a render of the whole chart. */
const mostTemplates = 20;

/**
 * What keeps each template of a chart from being rendered, and what is wrong with the rest: Helm ends at the first, so the chart
 * is rendered again without that one. `problemsOf`: those of a chart, or of the objects of one that is rendered.
 */
export async function templateFailures(
  chart: Chart,
  problemsOf: (chart: Chart) => Promise<{ readonly isRendered: boolean; readonly problems: readonly Problem[] }>,
): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  let rest: Chart | undefined = chart;
  for (let round = 0; rest !== undefined && round < mostTemplates; round++) {
    const { isRendered, problems } = await problemsOf(rest);
    found.push(...problems);
    if (isRendered) break;
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
  const isMeant = ({ name: own }: ChartFile): boolean => own === path.join('/');
  if (!chart.templates.some(isMeant)) return undefined;
  // Others may include it: the checksum of a ConfigMap.
  const empty = { data: new Uint8Array() };
  return { ...chart, templates: chart.templates.map((one) => (isMeant(one) ? { ...one, ...empty } : one)) };
}
