import type { Finding } from '../../actions/doctor/finding.ts';
import { wrapped } from '../terminal/fit.ts';

const marks = { ok: 'ok', note: 'note', warning: 'warn', error: 'error' } as const;
const markWidth = 7;
const areaWidth = 12;
const withoutTerminal = 120;

/** A line for each finding, what to do below it, and a count at the end. */
export function doctorText(findings: readonly Finding[], columns = withoutTerminal): string {
  const lines = findings.flatMap(({ level, area, text, fix }) => [
    ...paragraph(`${marks[level].padEnd(markWidth)}${area.padEnd(areaWidth)}`, text, columns),
    ...(fix === undefined ? [] : paragraph(`${''.padEnd(markWidth)}${'fix'.padEnd(areaWidth)}`, fix, columns)),
  ]);
  return `${[...lines, '', countText(findings)].join('\n')}\n`;
}

function paragraph(head: string, text: string, columns: number): readonly string[] {
  const [first = '', ...rest] = wrapped(text, Math.max(20, columns - head.length));
  return [head + first, ...rest.map((line) => ' '.repeat(head.length) + line)];
}

function countText(findings: readonly Finding[]): string {
  const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors === 0 && warnings === 0) return 'nothing is wrong';
  return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
}
