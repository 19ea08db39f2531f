import { deepCopy, valueIn } from '../chart/tables.ts';
import { subchartsOfFile, templateText } from '../chart/template-text.ts';
import type { Chart } from '../chart/types.ts';
import type { GoMap, Value } from '../go/value.ts';
import { openActions } from '../manifest/open-actions.ts';
import { hasCode } from '../support/errors.ts';
import { nearest } from '../support/near.ts';
import { TemplateError } from '../template/error.ts';
import { type Leaf, leavesInScope, variantsOf } from './influences.ts';
import type { Trial } from './trial.ts';
import type { ValueMistake } from './value-mistake.ts';

/** With so many values it is tried at most. */
const maxTried = 60;

/**
 * The values behind what `required` and `fail` say: the one that is required, or those of which another one lets the chart
 * render. Found by changing values that the templates on the way to the failure name, one at a time; empty where that
 * tells nothing.
 */
export function refusedValues(error: unknown, trial: Trial): readonly ValueMistake[] {
  if (!hasCode(error, 'template-error') || !error.message.includes('execution error at (')) return [];
  const places = placesOf(error);
  const named = places.flatMap((place) => valuesNamedAt(place, trial.chart));
  const misspelt = misspeltValue(error, trial);
  if (misspelt !== undefined) return [misspelt];
  const isRequired = /^\(?required\b/.test(error.details.context ?? '');
  return isRequired ? required(named, trial) : decisive(named, trial, places);
}

/** A value that the message repeats beside a nearly equal word which the chart takes: `Preset key 'mediun' invalid. Allowed values are …`. */
function misspeltValue({ message }: Error, { chart, values, succeedsWith }: Trial): ValueMistake | undefined {
  const words = wordsIn(message.replace(/^.*?execution error at \([^()]*\): /s, ''));
  const isSaid = (text: string): boolean => text.length >= leastSaid && words.includes(text);
  for (const { keys, value } of leavesInScope({ chart, values, subcharts: [] })) {
    const meant = typeof value === 'string' && isSaid(value) ? nearest(value, words) : undefined;
    if (meant !== undefined && succeedsWith(withValueAt(values, keys, meant)))
      return { keys, problem: 'is refused', meant };
  }
  return undefined;
}

const leastSaid = 3;
const wordsIn = (text: string): readonly string[] => text.match(/[\w.-]*\w/g) ?? [];

/** The first empty value with which, once it is set, the chart renders. */
function required(named: readonly Keys[], { chart, values, succeedsWith }: Trial): readonly ValueMistake[] {
  const empty = leavesInScope({ chart, values, subcharts: [] }).filter(({ value }) => value === '');
  const found = distinct([...named, ...empty.map(({ keys }) => keys)])
    .filter((keys) => isNothing(valueIn(values, keys)))
    .slice(0, maxTried)
    .find((keys) => succeedsWith(withValueAt(values, keys, 'x')));
  return found === undefined ? [] : [{ keys: found, problem: 'is missing' }];
}

/** What the failure depends on: of what its conditions name, or else of all values of its chart. */
function decisive(
  named: readonly Keys[],
  { chart, values, succeedsWith }: Trial,
  [innermost]: readonly Place[],
): readonly ValueMistake[] {
  const decides = ({ keys, value }: Leaf): boolean =>
    others(value).some((other) => succeedsWith(withValueAt(values, keys, other)));
  const ofConditions = distinct(named)
    .map((keys): Leaf => ({ keys, value: valueIn(values, keys) }))
    .slice(0, maxTried)
    .filter(decides);
  const subcharts = subchartsOfFile(innermost?.file ?? '');
  const found =
    ofConditions.length > 0
      ? ofConditions
      : leavesInScope({ chart, values, subcharts })
          // What switches a whole template off would end every failure.
          .filter(({ value }) => value !== true)
          .slice(0, maxTried)
          .filter(decides);
  // What is not set comes first: that is mostly what was forgotten.
  return [
    ...found.filter(({ value }) => isNothing(value)).map(({ keys }): ValueMistake => ({ keys, problem: 'is missing' })),
    ...found
      .filter(({ value }) => !isNothing(value))
      .map(({ keys }): ValueMistake => ({ keys, problem: 'is refused' })),
  ];
}

const isNothing = (value: Value): boolean => value === undefined || value === null || value === '';

function others(value: Value): readonly Value[] {
  if (value === undefined || value === null) return ['x', true];
  if (value instanceof Map || Array.isArray(value)) return [undefined];
  return value === '' ? ['x'] : [...variantsOf(value), ''];
}

export type Keys = readonly string[];

/** A line of a template that was being executed. */
interface Place {
  readonly file: string;
  readonly line: number;
}

/** The lines on the way to the failure, the innermost first. */
function placesOf(error: Error): readonly Place[] {
  const places: Place[] = [];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause)
    if (cause instanceof TemplateError && cause.line > 0 && cause.templateName !== 'gotpl')
      places.unshift({ file: cause.templateName, line: cause.line });
  return places;
}

/** Values that a line, or what is open around it, names: `.Values.a.b`, and `.b` within `with .Values.a`. */
function valuesNamedAt({ file, line }: Place, chart: Chart): readonly Keys[] {
  const text = templateText(chart, file);
  if (text === undefined) return [];
  const written = text.split('\n')[line - 1] ?? '';
  const open = openActions(text, line);
  const owners = open.filter(({ word }) => word === 'with').flatMap(({ condition }) => valuesIn(condition, file));
  const fields = [...written.matchAll(/(?<![\w$.)])\.([a-z]\w*(?:\.\w+)*)/g)].map(([, path = '']) => path.split('.'));
  // A condition may ask for variables: whatever the define, or the file, names before it.
  const begin = open.find(({ word }) => word === 'define')?.line ?? 1;
  const before = text
    .split('\n')
    .slice(begin - 1, line)
    .join('\n');
  return [
    ...valuesIn(written, file),
    ...owners.flatMap((owner) => fields.map((field) => [...owner, ...field])),
    ...open.flatMap(({ condition }) => valuesIn(condition, file)),
    ...valuesIn(before, file),
  ];
}

/** The values that a part of a template names: `.Values.a.b`. */
export function valuesIn(expression: string, file: string): readonly Keys[] {
  const subcharts = subchartsOfFile(file);
  return [...expression.matchAll(/\.Values\.([\w.]*\w)/g)].map(([, path = '']) => {
    const keys = path.split('.');
    return keys[0] === 'global' ? keys : [...subcharts, ...keys];
  });
}

/** A copy with a value there; the maps above it are made where they are missing. Undefined takes the key away. */
export function withValueAt(values: GoMap, keys: Keys, value: Value): GoMap {
  const changed = deepCopy(values);
  let holder = changed;
  for (const key of keys.slice(0, -1)) {
    const next = holder.get(key);
    if (next instanceof Map) {
      holder = next;
      continue;
    }
    const made: GoMap = new Map();
    holder.set(key, made);
    holder = made;
  }
  const last = keys.at(-1) as string;
  if (value === undefined) holder.delete(last);
  else holder.set(last, value);
  return changed;
}

export const distinct = (all: readonly Keys[]): readonly Keys[] => [
  ...new Map(all.map((keys) => [keys.join('\0'), keys])).values(),
];
