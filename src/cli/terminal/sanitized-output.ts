import { printable } from '../../support/printable.ts';
import { foldedFor } from './fit.ts';
import { type Io, isOnGithub, type Output, type TextKind } from './io.ts';
import { writePageFile } from './page-file.ts';

/**
 * The one door by which text leaves for a terminal or a build log: charts, clusters and registries write some of it, and
 * none of that may draw over the screen or be taken for a command. Only `control`, our own sequences, leaves as it is.
 */
export const sanitizedOutput = (output: Output, { env, cwd }: Pick<Io, 'env' | 'cwd'>): Output => ({
  write: (text, kind = 'text') => {
    if (kind === 'page' && output.isTerminal)
      output.write(`wrote ${writePageFile(text, cwd)}: open it in a browser\n`, 'text');
    else {
      const safe = sanitize(text, kind, output, env);
      output.write(kind === 'folded' ? foldedFor(output, safe) : safe, kind);
    }
  },
  get isTerminal() {
    return output.isTerminal;
  },
  get columns() {
    return output.columns;
  },
  get rows() {
    return output.rows;
  },
});

/** Data that a program or a file gets must not change, not even in a build. */
function sanitize(text: string, kind: TextKind, { isTerminal }: Output, env: Io['env']): string {
  if (kind === 'control') return text;
  const safe = kind === 'painted' ? printableInColors : printable;
  const isForBuild = kind !== 'data' && kind !== 'page' && (isOnGithub(env) || Boolean(env['CI']));
  if (!isTerminal && !isForBuild) return text;
  return isForBuild && isOnGithub(env) ? withoutCommands(safe(text)) : safe(text);
}

/** The colours that are used here, and their end: none of them hides a text. */
const color = /(\x1b\[(?:0|0;3[1-5]|0;94|1|2|22|3[1-6]|39)m)/;
const printableInColors = (text: string): string =>
  text
    .split(color)
    .map((part) => (color.test(part) ? part : printable(part)))
    .join('');

/** GitHub's runner takes `::name::` at the start of a line, and `##[name]` anywhere in one, for commands. */
const withoutCommands = (text: string): string =>
  text.replaceAll(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
