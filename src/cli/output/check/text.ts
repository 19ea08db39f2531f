import { levels } from '../../../problem/level.ts';
import { groupBy } from '../../../support/group-by.ts';
import { printable, printableLine } from '../../../support/printable.ts';
import { countOf } from '../../../support/text.ts';
import { causeBlocks } from '../../errors/problems-text.ts';
import { type CheckedChart, countsText, nameOf, versionsText } from './checked.ts';

const levelWidth = 'warning'.length + 2;

/** Each chart with its findings, the heaviest first; a name of the chart's objects never begins a line of its own. */
export const checkText = (charts: readonly CheckedChart[]): string => charts.map(chartText).join('\n');

function chartText(chart: CheckedChart): string {
  const { result, onDisk } = chart;
  const { findings, ignored, objects, isRendered } = result;
  const groups = levels.flatMap((level) => [
    ...groupBy(
      findings.filter((finding) => finding.level === level),
      ({ versions }) => versionsText(versions),
    ),
  ]);
  const blocks = groups.flatMap(([versions, found]) => {
    const level = found[0]?.level ?? 'note';
    const problems = found.map(({ problem }) => problem);
    return causeBlocks(problems, onDisk).map(({ head, lines }) => {
      const below = level === 'note' ? lines.slice(0, 1) : lines;
      const indented = below.map((line) => `${' '.repeat(levelWidth)}${printable(line).replaceAll('\n', ' ')}`);
      return [`${level.padEnd(levelWidth)}${printableLine(head)}${versions}`, ...indented].join('\n');
    });
  });
  const looked = isRendered ? countOf(objects.length, 'object') : 'not rendered, so there may be more';
  const left = ignored.length === 0 ? '' : `, ${ignored.length} ignored`;
  return `${[`${nameOf(chart)} (${looked}): ${countsText(findings)}${left}`, ...blocks].join('\n')}\n`;
}
