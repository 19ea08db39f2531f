import { nameOfKeys, valueAtKeys } from '../chart/tables.ts';
import { subchartsOfFile } from '../chart/template-text.ts';
import type { GoMap } from '../go/value.ts';
import { isShortFor, nearest } from '../support/near.ts';

/** What a template may name. */
export interface KnownNames {
  /** The values of the whole chart. */
  readonly values: GoMap;
  readonly functions: readonly string[];
  /** Every template that is defined. */
  readonly templates: readonly string[];
}

/** A failure of a template in Go's words, and the file in which it happened. */
export interface TemplateMistake {
  readonly message: string;
  readonly file: string;
  /** The source of the failing part, as in `at <.Values.a.b>`. */
  readonly context: string | undefined;
}

/** What was probably meant where a template names a function, a template or a value that there is not, a line each. */
export function nearMisses(mistake: TemplateMistake, known: KnownNames): readonly string[] {
  const { message } = mistake;
  const unknownFunction = /function "(\w+)" not defined/.exec(message)?.[1];
  if (unknownFunction !== undefined) return didYouMean(unknownFunction, known.functions);
  const unknownTemplate = /(?:no template "([^"]*)" associated|template "([^"]*)" not defined)/.exec(message);
  if (unknownTemplate !== null) {
    return didYouMean(unknownTemplate[1] ?? unknownTemplate[2] ?? '', known.templates);
  }
  const paths = [...(mistake.context ?? '').matchAll(/\$?\.Values\.([\w.]+)/g)].map(([, path = '']) => path.split('.'));
  return [...new Set(paths.flatMap((path) => unknownValue(path, subchartsOfFile(mistake.file), known.values)))];
}

function didYouMean(word: string, names: readonly string[]): string[] {
  const meant = nearest(word, names);
  return meant === undefined ? [] : [`did you mean ${JSON.stringify(meant)} instead of ${JSON.stringify(word)}?`];
}

/** The first key on the way that is not there, and the one beside it that has nearly its name. */
function unknownValue(path: readonly string[], charts: readonly string[], values: GoMap): string[] {
  const whole = path[0] === 'global' ? path : [...charts, ...path];
  let at: unknown = values;
  for (const [index, key] of whole.entries()) {
    if (!(at instanceof Map)) return [];
    if (!at.has(key)) {
      const meant = nearest(key, at.keys() as Iterable<string>) ?? inFull(whole.slice(index), at as GoMap);
      const named = (name: string): string => nameOfKeys([...whole.slice(0, index), name]);
      return meant === undefined
        ? []
        : [`the values have ${named(meant)} and no ${named(key)}: did you mean ${named(meant)}?`];
    }
    at = at.get(key);
  }
  return [];
}

/** The one key that a short one may stand for, and that holds what is looked for in it: `service` for `svc.port`. */
function inFull([key = '', ...rest]: readonly string[], at: GoMap): string | undefined {
  const fitting = ([...at] as readonly (readonly [string, unknown])[]).filter(
    ([name, value]) =>
      rest.length > 0 &&
      (isShortFor(key, name) || isShortFor(name, key)) &&
      valueAtKeys(value, rest.slice(0, 1)) !== undefined,
  );
  return fitting.length === 1 ? fitting[0]?.[0] : undefined;
}

/** What the user may name in the values of a chart: maps where the chart has maps, and anything else. */
export interface ValuesOf {
  readonly values: GoMap;
  /** The names of its subcharts. */
  readonly subcharts: readonly string[];
}

/** The user's keys that a chart does not have beside one that has nearly their name, which the user did not set; a line each. */
export function strayValues(user: GoMap, { values, subcharts }: ValuesOf): readonly string[] {
  return strayKeys(user, { keys: [...(values.keys() as Iterable<string>), ...subcharts, 'global'], values }, []);
}

interface Owner {
  readonly keys: readonly string[];
  readonly values: GoMap;
}

function strayKeys(user: GoMap, { keys, values }: Owner, path: readonly string[]): string[] {
  return [...(user as Map<string, unknown>)].flatMap(([key, value]) => {
    const whole = [...path, key];
    if (!keys.includes(key)) {
      const meant = nearest(key, keys);
      return meant === undefined || user.has(meant)
        ? []
        : [`you set ${whole.join('.')}, and the chart has ${[...path, meant].join('.')}: did you mean that?`];
    }
    const known = values.get(key);
    if (!(value instanceof Map && known instanceof Map)) return [];
    const inside = known as GoMap;
    return strayKeys(value as GoMap, { keys: [...(inside.keys() as Iterable<string>)], values: inside }, whole);
  });
}
