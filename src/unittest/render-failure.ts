import { withoutWarningMarks } from '../render/exec-error.ts';
import { hasCode, messageOf } from '../support/errors.ts';

/**
 * What a failed render says in the words of Helm 3, with which helm-unittest is built: suites compare them. Helm 4 breaks the
 * error of a template into lines.
 */
export function helm3Message(error: unknown): string {
  const message = messageOf(error);
  if (!hasCode(error, 'template-error') || error.details.rendering === undefined) return message;
  const { cause } = error;
  if (!(cause instanceof Error) || withoutWarningMarks(cause.message) !== cause.message) return message;
  return cause.message;
}

/** The file that a failure is told for, and its text; undefined where the message names no place in a template. */
export interface FailedFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Reads the place out of Helm's message: `execution error at (chart/templates/x.yaml:3:4): TEXT`. Suites compare what is left,
 * so this finds what helm-unittest's expression `(?msU)^(?:.+: |.+ \()(?:(.+):\d+:\d+).+(?:.+>)*: (.+)$` finds: of a message
 * of several lines all but the first.
 */
export function failedFile(message: string): FailedFile | undefined {
  const found = placeBehind(message, ': ') ?? placeBehind(message, ' (');
  if (found === undefined) return undefined;
  const lineEnd = message.indexOf('\n');
  return { file: found.file, text: lineEnd < 0 ? found.text : message.slice(lineEnd + 1) };
}

const lineAndColumn = /:\d+:\d/g;

function placeBehind(message: string, opening: string): FailedFile | undefined {
  const start = message.indexOf(opening, 1) + opening.length;
  if (start < opening.length) return undefined;
  lineAndColumn.lastIndex = start + 1;
  const place = lineAndColumn.exec(message);
  if (place === null) return undefined;
  const end = message.indexOf(': ', lineAndColumn.lastIndex + 1);
  if (end < 0 || end + 2 >= message.length) return undefined;
  const lineEnd = message.indexOf('\n', end + 3);
  const text = message.slice(end + 2, lineEnd < 0 ? undefined : lineEnd);
  return { file: message.slice(start, place.index), text };
}
