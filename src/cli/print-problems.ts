import type { Chart } from '../chart/types.ts';
import type { OnEvent } from '../execute/events.ts';
import type { GoMap } from '../go/value.ts';
import type { Problem } from '../problem/problem.ts';
import { factText } from '../words/fact.ts';
import { codeText, detailLines, detailTexts, labelOf, mergedLines } from '../words/problem.ts';
import type { CliContext } from './context.ts';
import { withGivenPlace } from './errors/given-values.ts';
import { isOnGithub, showsMoreThanHelm } from './terminal/io.ts';

interface Manner {
  readonly level: 'error' | 'warning';
  /** Of annotations. */
  readonly title: string;
  /** The chart as the user named it. */
  readonly chart: string;
}

/** Tells problems on standard error, on GitHub as annotations too. */
export async function printProblems(problems: readonly Problem[], manner: Manner, context: CliContext): Promise<void> {
  const { io, secrets } = context;
  const placed = problems.map((problem) => withGivenPlace(problem, context.valueOptions));
  for (const problem of placed) io.stderr.write(secrets.redact(`${manner.level}: ${problemText(problem, context)}\n`));
  await markProblems(placed, manner, context);
}

function problemText(found: Problem, { onDisk, valueOptions }: CliContext): string {
  const problem = withGivenPlace(found, valueOptions);
  const label = labelOf(problem);
  const details = detailTexts(mergedLines(detailLines(problem, onDisk))).map((line) => `\n  ${line}`);
  return `${label === '' ? '' : `${label}: `}${factText(problem.cause)}${codeText(problem)}${details.join('')}`;
}

/** Annotations alone, where there are any. */
export async function markProblems(
  problems: readonly Problem[],
  { level, title, chart }: Manner,
  { io, secrets, valueOptions }: CliContext,
): Promise<void> {
  if (!isOnGithub(io.env)) return;
  const { problemMark } = await import('./progress/github.ts');
  for (const problem of problems.map((found) => withGivenPlace(found, valueOptions)))
    io.stderr.write(secrets.redact(problemMark(level, problem, { title, chart }, io)), 'control');
}

/** A run whose values are looked at. */
interface LookedAt extends Omit<Manner, 'level'> {
  readonly chart: string;
  readonly loaded: { readonly chart: Chart; readonly values: GoMap };
  /** Gets the warnings as events, where standard error is for programs (--progress=json). */
  readonly events?: OnEvent | undefined;
  /** Warns in pipes too: of commands that Helm does not have. */
  readonly always?: boolean | undefined;
}

/** Warns of values that nothing in the chart reads. */
export async function warnOfUnreadValues(
  { loaded, events, always = false, ...manner }: LookedAt,
  context: CliContext,
): Promise<void> {
  const { chart, values } = loaded;
  if (!(always || events !== undefined || showsMoreThanHelm(context.io))) return;
  warnOfNamelessValues(events, context);
  if (values.size === 0) return;
  const { unreadValues } = await import('../render/unread-values.ts');
  const problems = unreadValues(chart, values);
  if (events === undefined) return printProblems(problems, { ...manner, level: 'warning' }, context);
  for (const problem of problems)
    events({ kind: 'warning', text: context.secrets.redact(problemText(problem, context)) });
}

/** `--set =1`, as `--set $NAME=1` becomes where the variable is empty: Helm takes it, and sets nothing. */
function warnOfNamelessValues(events: OnEvent | undefined, { io, secrets, valueOptions }: CliContext): void {
  const { set = [], setString = [], setLiteral = [], setFile = [] } = valueOptions;
  const flags = [
    ['--set', set],
    ['--set-string', setString],
    ['--set-literal', setLiteral],
    ['--set-file', setFile],
  ] as const;
  for (const [flag, texts] of flags)
    for (const each of texts.filter((one) => one.startsWith('='))) {
      const text = secrets.redact(`${flag} ${each} sets nothing: write NAME=VALUE`);
      if (events === undefined) io.stderr.write(`warning: ${text}\n`);
      else events({ kind: 'warning', text });
    }
}
