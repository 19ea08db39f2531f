import { shownValue } from '../chart/shown-value.ts';
import { chartValuePlace, placeAbove, type ValuePlace } from '../chart/value-place.ts';
import type { ValueFact } from '../problem/chart-fact.ts';
import { type TemplateFact, templateFact } from '../template/error.ts';
import { memberAt } from '../template/origin.ts';
import type { Known } from '../template/trace.ts';
import type { FailureTrace } from '../template/watch.ts';
import type { Again } from './again.ts';
import { withGlobals } from './field-values.ts';
import { meantKeys } from './near-misses.ts';

/** A value that a template could not work with, and what is known of it. */
export interface ValueMistake extends ValueFact {
  /** What it is, where that can be told in a few words and is no secret: `8080`, `"two"`. */
  readonly text?: string | undefined;
  /** Of one that is not there: the keys of nearly the same name that are. */
  readonly meantKeys?: readonly string[] | undefined;
  /** Where the charts set it. */
  readonly place?: ValuePlace | undefined;
  /** Where the user gave it: a file of -f, or a flag. */
  readonly given?: { readonly file: string; readonly line: number } | { readonly flag: string } | undefined;
  /** The user's own file of values, where a missing one can be set. */
  readonly ownFile?: string | undefined;
  /** Of a missing one, what is nearest above it in their values.yaml. */
  readonly above?: ValuePlace | undefined;
}

/** The value at fault, where the engine knows it: the one whose field it read, or that it ranged over. Runs the template again. */
export function valueMistake(error: unknown, again: Again): ValueMistake | undefined {
  const fact = templateFact(error);
  if (fact === undefined || !ofValues.has(fact.kind)) return undefined;
  const failure = again.failure(error);
  return failure && mistakeIn(fact, failure, again);
}

/** What may be a value's fault: only then is the template run again. */
const ofValues: ReadonlySet<TemplateFact['kind']> = new Set(['nil-pointer', 'no-field', 'not-iterable', 'call-failed']);

function mistakeIn(fact: TemplateFact, { origin, given }: FailureTrace, again: Again): ValueMistake | undefined {
  const read = withGlobals(origin, again.values);
  const keys = read.keys?.length === 0 || read.isKey ? undefined : read.keys;
  switch (fact.kind) {
    case 'nil-pointer':
      return keys && missing(keys, again, fact.field);
    case 'no-field':
      return keys && withPlaces({ keys, field: fact.field, code: 'value-not-a-map' }, again);
    case 'not-iterable':
      return keys && withPlaces({ keys, code: 'value-not-a-list' }, again);
    case 'call-failed': {
      const indexed = fact.name === 'index' ? nilIn(given, again.values) : undefined;
      return indexed && missing(indexed, again);
    }
    default:
      return undefined;
  }
}

/** A value that is not set. */
function missing(keys: readonly string[], again: Again, field?: string): ValueMistake {
  const meant = meantKeys(field === undefined ? keys : [...keys, field], again.values);
  return withPlaces({ keys, field, code: 'value-missing', meantKeys: meant }, again);
}

/** What `index` found to be nothing, on the way that its arguments lead. */
function nilIn([from, ...indexes]: readonly Known[], values: Again['values']): readonly string[] | undefined {
  let at = from?.value;
  let keys = from && withGlobals(from.origin, values).keys;
  for (const { value } of indexes) {
    if (at === undefined || at === null) return keys;
    at = memberAt(at, String(value));
    keys = keys && [...keys, String(value)];
  }
  return undefined;
}

/** The same, with what the value is and the lines of values.yaml. */
function withPlaces(mistake: ValueMistake, { chart, values }: Again): ValueMistake {
  const { keys, field, code } = mistake;
  const wanted = code === 'value-missing' && field !== undefined ? [...keys, field] : keys;
  const text = shownValue(values, keys);
  return {
    ...mistake,
    ...(text !== undefined && text !== '""' && { text }),
    place: chartValuePlace(chart, keys),
    above: placeAbove(chart, wanted),
  };
}
