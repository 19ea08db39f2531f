import { shownValue } from '../chart/shown-value.ts';
import { subchartsOfFile, type Templates } from '../chart/template-text.ts';
import { chartValuePlace, placeAbove, type ValuePlace } from '../chart/value-place.ts';
import type { GoMap } from '../go/value.ts';

/** A value that a template could not work with, named from the outermost chart. */
export interface ValueMistake {
  readonly keys: readonly string[];
  /** The field that was looked for in it. */
  readonly field?: string | undefined;
  /** `is refused`: the chart does not go on with it (`fail`). */
  readonly problem: 'is missing' | 'is no map' | 'is no list' | 'is refused';
  /** What it is, where that can be told in a few words and is no secret: `8080`, `"two"`. */
  readonly text?: string | undefined;
  /** A word of the chart's own message that is nearly the value. */
  readonly meant?: string | undefined;
  /** Where the charts set it. */
  readonly place?: ValuePlace | undefined;
  /** Where the user gave it: a file of -f, or a flag. */
  readonly given?: { readonly file: string; readonly line: number } | { readonly flag: string } | undefined;
  /** The user's own file of values, where a missing one can be set. */
  readonly ownFile?: string | undefined;
  /** Of a missing one, what is nearest above it in their values.yaml. */
  readonly above?: ValuePlace | undefined;
}

/** What Go says of the failing part of a template. */
export interface FailingPart {
  readonly message: string;
  /** The file in which it happened. */
  readonly file: string;
  /** Its source, as in `at <.Values.a.b>`. */
  readonly context: string | undefined;
}

/** The value at fault, where Go's words tell. */
export function valueMistake({ message, file, context = '' }: FailingPart): ValueMistake | undefined {
  const [, missingField] = /nil pointer evaluating (?:interface \{\}|\S+)\.(\w+)\s*$/.exec(message) ?? [];
  const [, strangeField] = notAMap.exec(message) ?? [];
  const field = missingField ?? strangeField;
  if (field !== undefined) {
    // Of `(.Values.a.b).field` the words name what is in the brackets.
    const keys = valueKeys(ownerOf(context, field), file) ?? valueKeys(context, file);
    return keys && { keys, field, problem: missingField === undefined ? 'is no map' : 'is missing' };
  }
  const indexed = /^index (\S+)/.exec(context)?.[1];
  if (indexed !== undefined && /error calling index: index of (?:untyped nil|nil pointer)\s*$/.test(message)) {
    const missing = valueKeys(indexed, file);
    return missing && { keys: missing, problem: 'is missing' };
  }
  const keys = /: +range can't iterate over|\n +range can't iterate over/.test(message)
    ? valueKeys(context, file)
    : undefined;
  return keys && { keys, problem: 'is no list' };
}

const notAMap =
  /can't evaluate field (\w+) in type (?:interface \{\}|string|bool|float64|int64|int|\[\]interface \{\})\s*$/;

/** The same, with what the value is. */
export function withTexts(mistake: ValueMistake, values: GoMap): ValueMistake {
  const text = shownValue(values, mistake.keys);
  return text === undefined || text === '""' ? mistake : { ...mistake, text };
}

/** The same, with the lines of values.yaml. */
export function placedIn(chart: Templates, mistake: ValueMistake): ValueMistake {
  const { keys, field, problem } = mistake;
  const wanted = problem === 'is missing' && field !== undefined ? [...keys, field] : keys;
  return { ...mistake, place: chartValuePlace(chart, keys), above: placeAbove(chart, wanted) };
}

/** What a field is looked for in: `.Values.web` of `.Values.web.port`, for `port`. */
export function ownerOf(context: string, field: string): string {
  const at = context.search(new RegExp(`\\.${field}(?!\\w)`));
  return context.slice(0, Math.max(0, at));
}

/** `[db, web]` of `.Values.web` in a template of the subchart db; undefined for what is no value. What Helm always gives is never at fault. */
function valueKeys(expression: string, file: string): readonly string[] | undefined {
  const name = /^\(*\$?(?:\w+(?=\.))?\.Values\.([\w.]+)\)*$/.exec(expression)?.[1];
  if (name === undefined) return undefined;
  const charts = subchartsOfFile(file);
  return [...(/^global(?:\.|$)/.test(name) ? [] : charts), ...name.split('.')];
}
