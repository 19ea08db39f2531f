import { messageText } from '../../actions/lint/message.ts';
import type { LintResult } from '../../actions/lint.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';

type Results = readonly (readonly [string, LintResult])[];

interface Shown {
  readonly quiet?: boolean | undefined;
}

/** Prints what lint said of charts, by their paths as the user names them. */
export function lintReport(results: Results, { quiet }: Shown, { io, secrets }: CliContext): void {
  io.stdout.write(
    shownOf(results, { quiet })
      .map(([path, result]) => resultText(path, result, { quiet, secrets }))
      .join(''),
  );
}

/** Ends it with the numbers. Errors: `lint-failed`. */
export function lintSummary(results: Results, shown: Shown, { io }: CliContext): void {
  const failed = results.filter(([, { isFailed }]) => isFailed).length;
  const summary = `${results.length} chart(s) linted, ${failed} chart(s) failed`;
  if (failed > 0) throw new TshelmError('lint-failed', { message: summary });
  if (shownOf(results, shown).length > 0) io.stdout.write(`${summary}\n`);
}

const shownOf = (results: Results, { quiet }: Shown): Results =>
  results.filter(([, result]) => !quiet || isNotable(result));

/** Whether there is more to tell than advice. */
export const isNotable = ({ messages, isFailed }: LintResult): boolean =>
  isFailed || messages.some(({ severity }) => severity !== 'info');

interface Manner extends Shown {
  readonly secrets: CliContext['secrets'];
}

/** What lint says of one chart. The path is the user's own word: a password may be `keycloak` too. */
export function resultText(path: string, { messages, problem }: LintResult, { quiet, secrets }: Manner): string {
  const shown = messages.filter(({ severity }) => !quiet || severity !== 'info').map(messageText);
  const found = [...(problem === undefined ? [] : [`Error ${problem}`]), ...shown].map((text) => secrets.redact(text));
  return `${[`==> Linting ${path}`, ...found].join('\n')}\n\n`;
}
