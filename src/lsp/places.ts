import { placedCharts } from '../chart/paths.ts';
import { type Extent, Lines } from '../support/lines.ts';
import type { ChartView } from './chart-view.ts';
import { helperPlaces, symbolAt } from './template-symbol.ts';
import { keyAt, keysIn } from './value-keys.ts';

/** A part of a file of a chart, by its name with charts before it. */
export interface Location extends Extent {
  readonly file: string;
}

/** What something in a chart's files names, wherever that is set, defined or used. */
export type Subject =
  | { readonly kind: 'value'; readonly keys: readonly (readonly string[])[] }
  | { readonly kind: 'helper'; readonly name: string };

/** The value or helper that a place in a template or in a file of values is about. */
export function subjectAt(view: ChartView, file: string, offset: number): (Subject & Extent) | undefined {
  const values = valuesFiles(view).find((one) => one.file === file);
  if (values !== undefined) {
    const key = keyAt(values.lines, offset);
    return (
      key && { kind: 'value', keys: [[...values.above, ...key.keys.map(orAnyKey)]], from: key.from, until: key.until }
    );
  }
  const symbol = symbolAt(view, file, offset);
  return symbol?.kind === 'value' || symbol?.kind === 'helper' ? symbol : undefined;
}

/** Where a value is set: what counts first, a parent's word before that of its subchart, and after them the files of ci/. Of a helper where it is defined. */
export function definitionsOf(view: ChartView, subject: Subject): readonly Location[] {
  if (subject.kind === 'helper') return helperPlaces(view, subject.name).filter((place) => place.isDefinition);
  return subject.keys.flatMap((keys) => valueDefinitions(view, keys));
}

/** Of the items of a list the first one's. */
function valueDefinitions(view: ChartView, keys: readonly string[]): readonly Location[] {
  const all = placesOfKeys(view, keys);
  return all.filter(({ file }, index) => all.findIndex((one) => one.file === file) === index);
}

/** Every place in a file of values that sets these keys: of a list, that of each item. */
export function placesOfKeys(view: ChartView, keys: readonly string[]): readonly Location[] {
  const wanted = keys.filter((key) => key !== anyKey);
  return valuesFiles(view).flatMap(({ file, above, lines }) => {
    const own = ownKeys(wanted, above);
    if (own === undefined) return [];
    const places = keysIn(lines).filter((one) => isSame(withoutItems(one.keys), own));
    return places.map(({ from, until }) => ({ file, from, until }));
  });
}

/** What a loop or a computed key reads. */
export const anyKey = '*';

/** Items of a list are alike. */
const orAnyKey = (key: string): string => (/^\d+$/.test(key) ? anyKey : key);

/** A name by itself is no item of a list. */
const withoutItems = (keys: readonly string[]): readonly string[] => keys.filter((key) => !/^\d+$/.test(key));

export const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index]);

/** The keys in the values of a chart that is below these; globals are everywhere. Undefined of what is none of its. */
export function ownKeys(keys: readonly string[], above: readonly string[]): readonly string[] | undefined {
  if (keys[0] === 'global') return keys;
  return above.every((key, index) => keys[index] === key) && keys.length > above.length
    ? keys.slice(above.length)
    : undefined;
}

/** Every place that names a value or a helper; the definitions too. */
export function referencesTo(view: ChartView, subject: Subject): readonly Location[] {
  if (subject.kind === 'helper') return helperPlaces(view, subject.name);
  const isMeant = (keys: readonly string[]): boolean => subject.keys.some((one) => isSame(one, keys));
  const reads = view
    .reads()
    .reads.filter((read) => read.keys.some(isMeant))
    .map(({ file, from, until }) => ({ file, from, until }));
  return [...subject.keys.flatMap((keys) => placesOfKeys(view, keys)), ...reads];
}

/** A file that sets values of a chart. */
export interface ValuesFile {
  readonly file: string;
  /** The keys that lead to the values of its chart. */
  readonly above: readonly string[];
  readonly lines: Lines;
}

/** The files that set values: each chart's values.yaml, a parent's before its subcharts', and then ci/*-values.yaml. */
export function valuesFiles(view: ChartView): readonly ValuesFile[] {
  const known = filesOf.get(view);
  if (known !== undefined) return known;
  const charts = placedCharts(view.chart);
  const found = ['values.yaml', /^ci\/[^/]*-values\.yaml$/].flatMap((wanted) =>
    charts.flatMap(({ chart, path }) =>
      chart.raw
        .filter(({ name }) => (typeof wanted === 'string' ? name === wanted : wanted.test(name)))
        .map(({ name }) => ({
          file: `${path}/${name}`,
          above: path.split('/charts/').slice(1),
          lines: new Lines(view.text(`${path}/${name}`) ?? ''),
        })),
    ),
  );
  filesOf.set(view, found);
  return found;
}

const filesOf = new WeakMap<ChartView, readonly ValuesFile[]>();

/** A text that takes the place of another one. */
export interface Edit extends Location {
  readonly text: string;
}
