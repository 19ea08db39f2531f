import { causesOf, messageOf, placeOf, type SourcePlace, TshelmError } from '../support/errors.ts';
import { maskedLines } from './masked-lines.ts';

/**
 * What a failure looks like on standard error: what was warned of before it, Helm's line, then the place in the user's file with the lines
 * around it. A failure of tshelm itself (any other exception) comes with its stack.
 */
export function errorText(thrown: unknown): string {
  const place = placeOf(thrown);
  const excerpt = place === undefined ? '' : `\n${excerptText(place)}`;
  return `${warningsBefore(thrown)}Error: ${messageOf(thrown)}\n${excerpt}${explanationOf(thrown)}${isOurMistake(thrown) ? `${(thrown as Error).stack}\n` : ''}`;
}

/** A failure of rendering brings the warnings that there were until then, `details.warnings`. */
function warningsBefore(thrown: unknown): string {
  for (const cause of causesOf(thrown)) {
    const warnings = cause instanceof TshelmError ? cause.details['warnings'] : undefined;
    if (Array.isArray(warnings)) return warnings.map((warning) => `${warning}\n`).join('');
  }
  return '';
}

/** What the cluster told of the cause, and the state that objects were left in, a paragraph each. */
const explanationOf = (thrown: unknown): string => paragraph(thrown, 'diagnosis') + paragraph(thrown, 'report');

function paragraph(thrown: unknown, detail: string): string {
  const texts = causesOf(thrown).map((cause) => (cause instanceof TshelmError ? cause.details[detail] : undefined));
  const text = texts.find((one) => typeof one === 'string');
  return text === undefined ? '' : `\n${text}\n`;
}

const isOurMistake = (thrown: unknown): boolean =>
  thrown instanceof TypeError || thrown instanceof ReferenceError || messageOf(thrown).startsWith('internal: ');

/** The failure of a command whose errors Helm begins with words of their own: `INSTALLATION FAILED: …`. */
export function withPrefix(prefix: string, thrown: unknown): unknown {
  if (!(thrown instanceof Error) || isOurMistake(thrown)) return thrown;
  const code = thrown instanceof TshelmError ? thrown.code : 'failed';
  const details = thrown instanceof TshelmError ? thrown.details : undefined;
  return new TshelmError(code, { message: `${prefix}: ${thrown.message}`, details, cause: thrown });
}

const linesAround = 2;

/** `   3 | image: x` lines, the one in question marked, a caret below its column. */
export function excerptText(place: SourcePlace): string {
  const lines = maskedLines(place);
  const first = Math.max(1, place.line - linesAround);
  const last = Math.min(lines.length, place.line + linesAround);
  const width = String(last).length;
  let text = `${place.file}:${place.line}${place.column === undefined ? '' : `:${place.column}`}\n`;
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
