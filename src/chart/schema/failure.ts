import { formatValue } from '../../go/fmt/format.ts';
import { quote } from '../../go/strconv/strconv.ts';
import type { Value } from '../../go/value.ts';
import { append } from './location.ts';
import { JsonNumber } from './number.ts';

/** Why a value does not fit a schema, with the reasons inside it. */
export interface Failure {
  /**
   * `group` has no words of its own, and `reference` none where it has one cause: its cause is in its place.
   */
  readonly kind: 'plain' | 'group' | 'reference';
  /** Where the value is: keys and indexes. */
  readonly path: readonly string[];
  readonly message: string;
  readonly causes: readonly Failure[];
}

/** The lines of a list of failures, each `- at '/a/b': …`, indented by their depth. Go: output.go, display. */
export const failureText = (failures: readonly Failure[]): string =>
  failures.map((failure) => display(failure, 0)).join('');

function display(failure: Failure, depth: number): string {
  const isSilent = failure.kind === 'reference' && failure.causes.length === 1;
  if (isSilent) return failure.causes.map((cause) => display(cause, depth)).join('');
  const line = `\n${'  '.repeat(depth)}- at ${singleQuoted(append('', ...failure.path))}: ${failure.message}`;
  return line + failure.causes.map((cause) => display(cause, depth + 1)).join('');
}

/** A text between single quotes, escaped as Go does between double ones; a `\\` at its end loses one, as in Helm. */
export const singleQuoted = (text: string): string =>
  `'${quote(text).replaceAll('\\"', '"').replaceAll("'", "\\'").slice(1, -1)}'`;

export const quotedList = (texts: readonly string[]): string => texts.map(singleQuoted).join(', ');

/** A value that is no list and no object, as messages show it. */
export function displayed(value: unknown): string {
  if (typeof value === 'string') return singleQuoted(value);
  if (value instanceof Map || Array.isArray(value)) return 'value';
  return value instanceof JsonNumber ? value.text : formatValue(value as Value);
}
