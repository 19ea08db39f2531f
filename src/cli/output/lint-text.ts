import { messageText } from '../../actions/lint/message.ts';
import type { LintResult } from '../../actions/lint.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';

/** Prints what lint said of charts, by their paths as the user names them. Errors: `lint-failed`. */
export function lintReport(
  results: readonly (readonly [string, LintResult])[],
  { quiet }: { readonly quiet?: boolean | undefined },
  { io, secrets }: CliContext,
): void {
  const shown = results.filter(([, result]) => !quiet || isNotable(result));
  io.stdout.write(shown.map(([path, result]) => resultText(path, result, { quiet, secrets })).join(''));
  const failed = results.filter(([, { isFailed }]) => isFailed).length;
  const summary = `${results.length} chart(s) linted, ${failed} chart(s) failed`;
  if (failed > 0) throw new TshelmError('lint-failed', { message: summary });
  if (shown.length > 0) io.stdout.write(`${summary}\n`);
}

/** Whether there is more to tell than advice. */
export const isNotable = ({ messages, isFailed }: LintResult): boolean =>
  isFailed || messages.some(({ severity }) => severity !== 'info');

interface Manner {
  readonly quiet?: boolean | undefined;
  readonly secrets: CliContext['secrets'];
}

/** What lint says of one chart. The path is the user's own word: a password may be `keycloak` too. */
export function resultText(path: string, { messages, problem }: LintResult, { quiet, secrets }: Manner): string {
  const shown = messages.filter(({ severity }) => !quiet || severity !== 'info').map(messageText);
  const found = [...(problem === undefined ? [] : [`Error ${problem}`]), ...shown].map((text) => secrets.redact(text));
  return `${[`==> Linting ${path}`, ...found].join('\n')}\n\n`;
}
