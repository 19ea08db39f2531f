import { addedDetail, messageOf, type SourcePlace, TshelmError } from '../support/errors.ts';
import { maskedLines } from './masked-lines.ts';
import { textWidth } from './output/table.ts';
import { wrapped } from './progress/fit.ts';

/**
 * What a failure looks like on standard error: what was warned of before it, the evidence, Helm's line, then the place in
 * the user's file with the lines around it, or the templates of the objects at fault. What is broken comes last, because
 * of a long text that is what stays in sight. A failure of tshelm itself (any other exception) comes with its stack.
 */
export function errorText(thrown: unknown): string {
  const place = addedDetail(thrown, 'place');
  const excerpt = place === undefined ? '' : `\n${excerptText(place, messageOf(thrown))}`;
  const stack = isOurMistake(thrown) ? `${(thrown as Error).stack}\n` : '';
  const after = `${excerpt}${paragraph(addedDetail(thrown, 'report'))}${paragraph(sourcesText(thrown))}${stack}`;
  return `${warningsBefore(thrown)}${evidenceBefore(thrown)}Error: ${messageOf(thrown)}\n${after}`;
}

/**
 * An error as a terminal of so many columns shows it (undefined: there is none): lines that are too long go on below,
 * indented, but for those of files and stacks. To be called once secrets are masked: a fold may divide one.
 */
export const folded = (text: string, columns: number | undefined): string =>
  columns
    ? text
        .split('\n')
        .map((line) => (isQuoted(line) ? line : foldedLine(line, Math.max(20, columns - 1))))
        .join('\n')
    : text;

const isQuoted = (line: string): boolean => /^[> ] +\d* \| |^ {4}at /.test(line);

function foldedLine(line: string, columns: number): string {
  if (textWidth(line) <= columns) return line;
  const before = `${/^ */.exec(line)?.[0] ?? ''}  `;
  const [first = '', ...rest] = wrapped(line.trimStart(), columns - before.length);
  return [before.slice(2) + first, ...rest.map((each) => before + each)].join('\n');
}

/** A failure of rendering brings the warnings that there were until then, `details.warnings`. */
function warningsBefore(thrown: unknown): string {
  const warnings = addedDetail(thrown, 'warnings') ?? [];
  return warnings.map((warning) => `${warning}\n`).join('');
}

/** What the cluster told of the cause: logs and events. */
function evidenceBefore(thrown: unknown): string {
  const text = addedDetail(thrown, 'diagnosis') ?? '';
  return text === '' ? '' : `${text}\n\n`;
}

const paragraph = (text: string | undefined): string => (text ? `\n${text}\n` : '');

const maxSources = 10;

/** `Deployment/web is in shop/templates/web.yaml:7`, a line each. */
function sourcesText(thrown: unknown): string {
  const lines = (addedDetail(thrown, 'sources') ?? []).map(({ id, file, line }) => {
    return `${id.kind}/${id.name} is in ${file}${line === undefined ? '' : `:${line}`}`;
  });
  return [...new Set(lines)].slice(0, maxSources).join('\n');
}

const isOurMistake = (thrown: unknown): boolean =>
  thrown instanceof TypeError || thrown instanceof ReferenceError || messageOf(thrown).startsWith('internal: ');

/** The failure of a command whose errors Helm begins with words of their own: `INSTALLATION FAILED: …`. */
export function withPrefix(prefix: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || isOurMistake(thrown)) return thrown;
  const message = `${prefix}: ${thrown.message}`;
  return thrown instanceof TshelmError
    ? thrown.wrapped({ message })
    : new TshelmError('failed', { message, cause: thrown });
}

const linesAround = 2;

/** `   3 | image: x` lines, the one in question marked, a caret below its column; headed by the place, if `told` does not name its line. */
export function excerptText(place: SourcePlace, told = ''): string {
  const lines = maskedLines(place);
  const first = Math.max(1, place.line - linesAround);
  const last = Math.min(lines.length, place.line + linesAround);
  const width = String(last).length;
  const title = `${place.file}:${place.line}`;
  let text = told.includes(`${title}:`) ? '' : `${title}${place.column === undefined ? '' : `:${place.column}`}\n`;
  for (let number = first; number <= last; number++) {
    const line = shortened(lines[number - 1] ?? '');
    text += `${number === place.line ? '>' : ' '} ${String(number).padStart(width)} | ${line}\n`;
    if (number === place.line && place.column !== undefined && place.column <= line.length + 1) {
      text += `  ${' '.repeat(width)} | ${line.slice(0, place.column - 1).replace(/[^\t]/g, ' ')}^\n`;
    }
  }
  return text;
}

const shortened = (line: string): string => (line.length > 200 ? `${line.slice(0, 200)}…` : line);
