import { nameOfKeys } from '../../chart/tables.ts';
import { chartFactOf } from '../../render/chart-facts.ts';
import type { ValueMistake } from '../../render/value-mistake.ts';
import { addedDetail, causesOf, hasCode, messageOf, type SourcePlace } from '../../support/errors.ts';
import { chartText } from '../../words/chart.ts';
import { plainWords } from './plain-words.ts';
import { lateDefault, shortIndent, unclosed } from './ways-out.ts';

/** A mistake in a template, in the text that it made, or in a file of the chart. */
export interface Mistake {
  /** `INSTALLATION FAILED: `, or '' */
  readonly before: string;
  /** What is wrong; of `required` and `fail` Helm's line, which ends in the words of the chart's author. */
  readonly cause: string;
  /** The line of the file at fault. */
  readonly place: SourcePlace;
  /** The same place in the rendered text. */
  readonly rendered?: SourcePlace | undefined;
  readonly value?: ValueMistake | undefined;
  /** What else is wrong there. */
  readonly also: readonly string[];
  /** The ways out, besides that of the value. */
  readonly fixes: readonly string[];
  /** Helm's words, which people search for; '' where they are the cause. */
  readonly helm: string;
}

/** The mistake in a file that a failure is about, where more can be told of it than Go does. */
export function mistakeOf(failure: unknown): Mistake | undefined {
  const origin = causesOf(failure).findLast((cause) =>
    hasCode(cause, 'template-error', 'invalid-manifest', 'chart-invalid', 'values-invalid'),
  );
  const place = addedDetail(failure, 'place');
  if (origin === undefined || place === undefined) return undefined;
  const message = messageOf(failure);
  const at = Math.max(0, message.indexOf(origin.message));
  // Where a command has no words of its own, Helm's come first: `show` and `template` are compared with Helm's.
  if (at === 0 && hasCode(origin, 'chart-invalid', 'values-invalid')) return undefined;
  const value = addedDetail(failure, 'value')?.();
  const hints = addedDetail(failure, 'hints') ?? [];
  if (isRefusal(origin)) return { before: '', cause: message.trim(), place, also: [], fixes: hints, helm: '' };
  const rendered = addedDetail(failure, 'renderedPlace');
  const indent = shortIndent(place, rendered);
  const fact = chartFactOf(failure);
  const [words = '', ...more] = fact === undefined ? plainWords(message).split('\n') : [chartText(fact)];
  const meaning =
    indent === undefined ? words : `the text of ${indent.key} is indented too little and leaves its block`;
  const cause = value === undefined ? meaning : chartText(value);
  if (cause === '') return undefined;
  const misspelt = value && misspeltName(value);
  return {
    before: message.slice(0, at),
    cause: `${hasCode(origin, 'invalid-manifest') ? objectName(origin.details.text ?? '') : ''}${cause}`,
    place: value === undefined ? place : atKey(place, value),
    rendered,
    value: misspelt === undefined ? value : undefined,
    also: value === undefined ? more : [],
    fixes: [
      ...(indent === undefined ? [] : [indent.fix]),
      ...(misspelt === undefined ? lateDefault(place, value) : [misspelt]),
      ...(fact?.code === 'action-not-closed' ? unclosed(place) : []),
      ...hints,
    ],
    helm: message.slice(at).trim(),
  };
}

/** What the chart's author says by `required` and `fail`. */
const isRefusal = (origin: Error): boolean => origin.message.startsWith('execution error at (');

/** Go's column is where the whole chain of fields begins: the key at fault is further on. */
function atKey(place: SourcePlace, { keys, field }: ValueMistake): SourcePlace {
  const line = place.text.split('\n')[place.line - 1] ?? '';
  const at = place.column === undefined ? -1 : line.indexOf(`.${keys.at(-1)}.${field}`, place.column - 1);
  return at < 0 ? place : { ...place, column: at + 2 };
}

/** Of a value that is not there, the one that was probably meant. */
function misspeltName({ keys, field, meantKeys }: ValueMistake): string | undefined {
  if (meantKeys === undefined) return undefined;
  const wanted = field === undefined ? keys : [...keys, field];
  const meant = nameOfKeys(meantKeys);
  return `the values have ${meant} and no ${nameOfKeys(wanted.slice(0, meantKeys.length))}: did you mean ${meant}?`;
}

/** `ConfigMap/web: ` of a rendered document that cannot be read as a whole. */
function objectName(text: string): string {
  const kind = /^kind:\s*["']?(\w+)/m.exec(text)?.[1];
  const name = /^metadata:\s*\n(?:[ #].*\n)*? +name:\s*["']?([^\s"'#]+)/m.exec(text)?.[1];
  return kind === undefined || name === undefined ? '' : `${kind}/${name}: `;
}

/** The line to change, where a value is set that a template cannot work with, or the map that misses one. */
export function wrongValuePlace({
  given,
  place,
  above,
}: ValueMistake): { readonly file: string; readonly line: number } | undefined {
  if (given === undefined) return place ?? above;
  return 'file' in given ? given : undefined;
}
