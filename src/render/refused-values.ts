import { deepCopy, valueIn } from '../chart/tables.ts';
import { subchartsOfFile, templateText } from '../chart/template-text.ts';
import type { Chart } from '../chart/types.ts';
import type { GoMap, Value } from '../go/value.ts';
import { openActions } from '../manifest/open-actions.ts';
import { hasCode, messageOf } from '../support/errors.ts';
import { nearest } from '../support/near.ts';
import { TemplateError } from '../template/error.ts';
import { ParsedSources } from '../template/template-set.ts';
import { type RenderOptions, renderChart } from './engine.ts';
import { type Leaf, leavesInScope, variantsOf } from './influences.ts';
import type { ValueMistake } from './value-mistake.ts';

/** So long it is tried at most, and with so many values. */
const mostMs = 1500;
const maxTried = 60;

/**
 * The values behind what `required` and `fail` say: the one that is required, or those without which the chart would not
 * fail there. Found by changing values that the templates on the way to the failure name, one at a time, until it is gone;
 * empty where that tells nothing.
 */
export function refusedValues(error: unknown, chart: Chart, options: RenderOptions): readonly ValueMistake[] {
  if (!hasCode(error, 'template-error') || !error.message.includes('execution error at (')) return [];
  const untilMs = performance.now() + mostMs;
  const parsed = new ParsedSources();
  const failsElsewhere = (values: GoMap): boolean => {
    if (performance.now() > untilMs) return false;
    return failingAt(chart, { ...options, values, parsed, lookup: undefined }) !== placeOf(error);
  };
  // What is found in the cluster does not count here.
  if (failsElsewhere(options.values)) return [];
  const places = placesOf(error);
  const named = places.flatMap((place) => valuesNamedAt(place, chart));
  const said = namedInMessage(error, chart, options);
  if (said.length > 0) return said;
  const isRequired = /^\(?required\b/.test(error.details.context ?? '');
  return isRequired
    ? required(named, { chart, options, failsElsewhere })
    : decisive(named, { chart, options, failsElsewhere }, places);
}

/** Values that the message repeats, and would repeat in another form: `Preset key 'mediun' invalid. Allowed values are …`. */
function namedInMessage({ message }: Error, chart: Chart, options: RenderOptions): readonly ValueMistake[] {
  const words = message.replace(/^.*?execution error at \([^()]*\): /s, '');
  const isSaid = (text: string): boolean => text.length >= leastSaid && wordsIn(words).includes(text);
  const leaves = leavesInScope({ chart, values: options.values, subcharts: [] });
  const said = leaves.filter(({ value }) => typeof value === 'string' && isSaid(value)).slice(0, maxTried);
  return said
    .filter(({ keys, value }) => {
      const other = `${String(value)}x`;
      return wordsIn(messageWith(chart, { ...options, values: withValueAt(options.values, keys, other) })).includes(
        other,
      );
    })
    .map(({ keys, value }): ValueMistake => {
      const meant = nearest(String(value), wordsIn(words));
      return { keys, problem: 'is refused', ...(meant !== undefined && { meant }) };
    });
}

const leastSaid = 3;
const wordsIn = (text: string): readonly string[] => text.match(/[\w.-]*\w/g) ?? [];

function messageWith(chart: Chart, options: RenderOptions): string {
  try {
    renderChart(chart, { ...options, lookup: undefined });
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

interface Trying {
  readonly chart: Chart;
  readonly options: RenderOptions;
  /** Whether the failure is gone, or another one, with these values. */
  readonly failsElsewhere: (values: GoMap) => boolean;
}

/** The first empty value that ends the failure once it is set. */
function required(named: readonly Keys[], { chart, options, failsElsewhere }: Trying): readonly ValueMistake[] {
  const empty = leavesInScope({ chart, values: options.values, subcharts: [] }).filter(({ value }) => value === '');
  const found = distinct([...named, ...empty.map(({ keys }) => keys)])
    .filter((keys) => isNothing(valueIn(options.values, keys)))
    .slice(0, maxTried)
    .find((keys) => failsElsewhere(withValueAt(options.values, keys, 'x')));
  return found === undefined ? [] : [{ keys: found, problem: 'is missing' }];
}

/** What the failure depends on: of what its conditions name, or else of all values of its chart. */
function decisive(
  named: readonly Keys[],
  { chart, options, failsElsewhere }: Trying,
  [innermost]: readonly Place[],
): readonly ValueMistake[] {
  const { values } = options;
  const decides = ({ keys, value }: Leaf): boolean =>
    others(value).some((other) => failsElsewhere(withValueAt(values, keys, other)));
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

/** Where rendering fails; '' where it does not. */
function failingAt(chart: Chart, options: RenderOptions): string {
  try {
    renderChart(chart, options);
    return '';
  } catch (error) {
    return hasCode(error, 'template-error') ? placeOf(error) : 'elsewhere';
  }
}

const placeOf = ({
  details: { file, line, column },
}: {
  readonly details: { readonly file?: string; readonly line?: number; readonly column?: number | undefined };
}): string => `${file}:${line}:${column}`;

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
