import type { Finding, Remedy, UnfinishedRun } from '../../actions/doctor/finding.ts';
import { wrapped } from '../terminal/fit.ts';

/** A finding with the words for what to do. */
export interface AdvisedFinding extends Omit<Finding, 'remedy' | 'unfinished'> {
  readonly fix?: string | undefined;
}

const advice: Readonly<Record<Remedy, string>> = {
  'print-role': 'tshelm doctor --role prints a Role that has them all',
  'set-clock': 'set the clock: certificates, tokens and locks depend on it',
  'run-again':
    'run the command again: it takes over what a dead run of tshelm left at once, and what Helm left after --stale-after',
  'serve-kind': 'install what defines this kind, or render the chart without it',
};

/** `goOn` makes a command line of the words of a command, for the cluster and namespace at hand. */
export async function advised(
  { remedy, unfinished, ...finding }: Finding,
  goOn: (words: readonly string[]) => Promise<string>,
): Promise<AdvisedFinding> {
  if (unfinished !== undefined) return { ...finding, fix: await goOn(wordsAfter(unfinished)) };
  return remedy === undefined ? finding : { ...finding, fix: advice[remedy] };
}

/** The command that takes the lock over and ends what was begun. */
function wordsAfter({ operation, release }: UnfinishedRun): readonly string[] {
  switch (operation) {
    case 'install':
      return ['upgrade', '--install', '--resume', release, 'CHART'];
    case 'upgrade':
      return ['upgrade', '--resume', release, 'CHART'];
    case 'rollback':
    case 'uninstall':
    case 'test':
      return [operation, release];
    default:
      return ['status', release];
  }
}

const marks = { ok: 'ok', note: 'note', warning: 'warn', error: 'error' } as const;
const markWidth = 7;
const areaWidth = 12;
const withoutTerminal = 120;

/** A line for each finding, what to do below it, and a count at the end. */
export function doctorText(findings: readonly AdvisedFinding[], columns = withoutTerminal): string {
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

function countText(findings: readonly AdvisedFinding[]): string {
  const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors === 0 && warnings === 0) return 'nothing is wrong';
  return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
}
