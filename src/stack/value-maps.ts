import { GoInt, type GoList, type GoMap, type Value } from '../go/value.ts';

/** How two states become one (mergo): whether the later wins, and whether lists are joined. */
export interface MergeMode {
  readonly overrides: boolean;
  readonly appends: boolean;
}

/** A copy whose maps and lists are its own. */
export function deepCopyOf<T extends Value>(value: T): T;
export function deepCopyOf(value: Value): Value {
  if (value instanceof Map) return new Map([...value].map(([key, item]): [string, Value] => [key, deepCopyOf(item)]));
  return Array.isArray(value) ? value.map((item) => deepCopyOf(item)) : value;
}

/** What mergo takes for nothing. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  if (value instanceof GoInt) return value.value === 0n;
  if (value instanceof Map) return value.size === 0;
  return Array.isArray(value) && value.length === 0;
}

/**
 * mergo.Merge of two maps of values, into a new one. Where the later wins, it wins with empty values too, and lists are
 * replaced or joined as a whole; else only what is missing or empty is filled.
 */
export function mergeValueMaps(into: GoMap, from: GoMap, mode: MergeMode): GoMap {
  const merged: GoMap = new Map(into);
  for (const [key, value] of from) merged.set(key, mergedMember(merged, key, value, mode));
  return merged;
}

function mergedMember(into: GoMap, key: string, value: Value, mode: MergeMode): Value {
  const before = into.get(key);
  if (value === null || value === undefined) return mode.overrides || !into.has(key) ? value : before;
  if (value instanceof Map && before instanceof Map) return mergeValueMaps(before, value, mode);
  if (Array.isArray(value) && Array.isArray(before) && !isEmptyValue(before)) {
    if (mode.appends) return [...before, ...value];
    return mode.overrides ? value : before;
  }
  return mode.overrides || isEmptyValue(before) ? value : before;
}

/** What a later list does to an earlier one: `sparse` fills element by element only where it has nulls. */
export type ListMerge = 'sparse' | 'by-element';

/** maputil.MergeMaps: the later over the earlier; null only where there was nothing. */
export function layer(under: GoMap | undefined, over: GoMap | undefined, lists: ListMerge = 'sparse'): GoMap {
  const out: GoMap = new Map(under);
  for (const [key, value] of over ?? []) {
    const before = out.get(key);
    if (value === null || value === undefined) {
      if (!out.has(key)) out.set(key, null);
    } else if (value instanceof Map && before instanceof Map) {
      out.set(key, layer(before, value, lists));
    } else if (Array.isArray(value) && Array.isArray(before)) {
      out.set(key, layerLists(before, value, lists));
    } else {
      out.set(key, value);
    }
  }
  return out;
}

function layerLists(under: GoList, over: GoList, lists: ListMerge): GoList {
  if (lists === 'sparse' && !over.some((item) => item === null)) return over;
  const result = [...under];
  for (const [index, item] of over.entries()) {
    const before = under[index];
    if (item === null) result[index] ??= null;
    else result[index] = item instanceof Map && before instanceof Map ? layer(before, item, lists) : item;
  }
  return result;
}
