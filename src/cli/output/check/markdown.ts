import { code, plain } from '../../../show/changes/markdown.ts';
import { type CheckedChart, countsText, type Mark, nameOf } from './checked.ts';

interface Marked {
  readonly chart: CheckedChart;
  readonly marks: readonly Mark[];
}

/**
 * Findings as a comment for a pull request: a list for each chart. Findings that do not fit into `limit` bytes are counted.
 */
export function checkMarkdown(charts: readonly Marked[], limit: number): string {
  const all = charts.flatMap(({ marks }) => marks);
  let text = `${marker}\n\n### tshelm check: ${countsText(all)}\n`;
  let leftOut = 0;
  const add = (part: string, findings: number): void => {
    if (leftOut === 0 && Buffer.byteLength(text + part) + 100 <= limit) text += part;
    else leftOut += findings;
  };
  for (const { chart, marks } of charts) {
    const { objects, isRendered } = chart.result;
    const looked = isRendered ? `${objects.length} objects` : 'not rendered';
    add(`\n**${code(nameOf(chart))}** (${looked}): ${countsText(marks)}\n\n`, 0);
    for (const mark of marks) add(findingText(mark), 1);
  }
  return leftOut === 0 ? text : `${text}\n_${leftOut} more findings: the comment would be too long._\n`;
}

/** A bot finds its last comment by it. */
const marker = '<!-- tshelm check -->';

function findingText({ level, problem, title, details, at }: Mark): string {
  const place = at === undefined ? '' : ` at ${code(`${at.file}${at.line === undefined ? '' : `:${at.line}`}`)}`;
  const shown = level === 'note' ? [] : details.filter((line) => !line.startsWith('object'));
  const below = shown.map((line) => `  - ${plain(line)}\n`).join('');
  return `- **${level}**${place}: ${plain(title)} (${code(problem.code)})\n${below}`;
}
