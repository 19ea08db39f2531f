import type { Finding, Remedy } from '../../actions/doctor/finding.ts';
import { type GivenChart, withHidden } from '../errors/next-command.ts';
import { wrapped } from '../terminal/fit.ts';

/** A finding with the words for what to do. */
export interface AdvisedFinding extends Omit<Finding, 'remedy' | 'unfinished'> {
  readonly fix?: string | undefined;
  /** The command line that does it. */
  readonly command?: string | undefined;
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
  chart: GivenChart | undefined,
  goOn: (words: readonly string[]) => Promise<string>,
): Promise<AdvisedFinding> {
  if (unfinished === undefined) return remedy === undefined ? finding : { ...finding, fix: advice[remedy] };
  const { operation, release } = unfinished;
  if (['rollback', 'uninstall', 'test'].includes(operation))
    return { ...finding, fix: 'continue with', command: await goOn([operation, release]) };
  if (operation !== 'install' && operation !== 'upgrade')
    return { ...finding, fix: 'see what it left with', command: await goOn(['status', release]) };
  const { reference, flags, hidden } = chart ?? { reference: 'CHART', flags: [], hidden: [] };
  const install = operation === 'install' ? ['--install'] : [];
  const command = await goOn(['upgrade', ...install, '--resume', release, reference, ...flags]);
  const fix = chart === undefined ? 'continue with the chart, the values and the flags of that run' : 'continue with';
  return { ...finding, fix, command: withHidden(command, hidden) };
}

const marks = { ok: 'ok', note: 'note', warning: 'warn', error: 'error' } as const;
const markWidth = 7;
const areaWidth = 12;
const withoutTerminal = 120;

/** A line for each finding, what to do below it, and a count at the end. A command stays whole, to be pasted. */
export function doctorText(findings: readonly AdvisedFinding[], columns = withoutTerminal): string {
  const below = ' '.repeat(markWidth + areaWidth);
  const lines = findings.flatMap(({ level, area, text, fix, command }) => [
    ...paragraph(`${marks[level].padEnd(markWidth)}${area.padEnd(areaWidth)}`, text, columns),
    ...(fix === undefined ? [] : paragraph(`${''.padEnd(markWidth)}${'fix'.padEnd(areaWidth)}`, fix, columns)),
    ...(command === undefined ? [] : [below + command]),
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
