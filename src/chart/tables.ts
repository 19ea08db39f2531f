import type { GoMap, Value } from '../go/value.ts';
import { isDigits } from '../support/text.ts';

/** What Helm calls a table: a map. */
export const isTable = (value: Value): value is GoMap => value instanceof Map;

/** A copy that shares no map and no list (internal/copystructure). */
export function deepCopy<T extends Value>(value: T): T;
export function deepCopy(value: Value): Value {
  if (isTable(value)) {
    const copy: GoMap = new Map();
    // A loop over the entries would make an array for each.
    value.forEach((item, key) => copy.set(key, typeof item === 'object' ? deepCopy(item) : item));
    return copy;
  }
  return Array.isArray(value) ? value.map((item) => deepCopy(item)) : value;
}

/** Both maps in a new one: what is a table in both is merged, in everything else `over` wins (loader.MergeMaps). */
export function mergeMaps(under: GoMap, over: GoMap): GoMap {
  const merged = new Map(under);
  for (const [key, value] of over) {
    const old = merged.get(key);
    merged.set(key, isTable(value) && isTable(old) ? mergeMaps(old, value) : value);
  }
  return merged;
}

export type TableLookup =
  | { readonly kind: 'table'; readonly table: GoMap }
  | { readonly kind: 'not-a-table'; readonly key: string };

/** The table at a path such as `image.pull`, or the key at which there is none (Values.Table). */
export function lookUpTable(values: GoMap, path: string): TableLookup {
  let table = values;
  for (const key of path.split('.')) {
    const inner = table.get(key);
    if (!isTable(inner)) return { kind: 'not-a-table', key };
    table = inner;
  }
  return { kind: 'table', table };
}

/** The value at a path; undefined where nothing or a table is there (Values.PathValue). */
export function lookUpValue(values: GoMap, path: string): Value {
  const parent = path.lastIndexOf('.');
  const found: TableLookup = parent < 0 ? { kind: 'table', table: values } : lookUpTable(values, path.slice(0, parent));
  if (found.kind !== 'table') return undefined;
  const value = found.table.get(path.slice(parent + 1));
  return isTable(value) ? undefined : value;
}

/** The value behind keys, a table too; undefined where they lead nowhere. */
export const valueAtKeys = (values: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>((at, key) => (at instanceof Map ? at.get(key) : undefined), values);

/** The same, into lists too. */
export function valueIn(values: Value, keys: readonly string[]): Value {
  return keys.reduce<Value>((at, key) => {
    if (at instanceof Map) return at.get(key);
    return Array.isArray(at) ? at[Number(key)] : undefined;
  }, values);
}

/** `themes[2].name` */
export const nameOfKeys = (keys: readonly string[]): string =>
  keys.map((key, index) => (isDigits(key) ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`)).join('');
