import { levels } from '../../../problem/level.ts';
import { causeBlocks } from '../../errors/problems-text.ts';
import { type CheckedChart, countsText, nameOf } from './checked.ts';

const levelWidth = 'warning'.length + 2;

/** Each chart with its findings, the heaviest first. */
export const checkText = (charts: readonly CheckedChart[]): string => charts.map(chartText).join('\n');

function chartText(chart: CheckedChart): string {
  const { result, onDisk } = chart;
  const { findings, ignored, objects, isRendered } = result;
  const blocks = levels.flatMap((level) => {
    const problems = findings.filter((finding) => finding.level === level).map(({ problem }) => problem);
    return causeBlocks(problems, onDisk).map(({ head, lines }) => {
      const below = level === 'note' ? lines.slice(0, 1) : lines;
      return [`${level.padEnd(levelWidth)}${head}`, ...below.map((line) => `${' '.repeat(levelWidth)}${line}`)].join(
        '\n',
      );
    });
  });
  const looked = isRendered ? `${objects.length} objects` : 'not rendered';
  const left = ignored.length === 0 ? '' : `, ${ignored.length} ignored`;
  return `${[`${nameOf(chart)} (${looked}): ${countsText(findings)}${left}`, ...blocks].join('\n')}\n`;
}
