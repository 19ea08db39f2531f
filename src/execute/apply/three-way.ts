import type { KubernetesObject } from '../../manifest/types.ts';
import { asObject, isObject } from '../../support/json-object.ts';
import { isBuiltIn, mergeRuleOf } from './merge-rules.ts';

type Fields = Record<string, unknown>;

/**
 * The JSON merge patch that brings a live object to a new manifest; undefined when there is nothing to change.
 *
 * For a built-in kind it sets what differs from the live object, removes what is null in the new manifest or only the old one
 * had, and leaves what others have added, in lists too (the result of strategicpatch.CreateThreeWayMergePatch). For a custom
 * resource it is what changed from the old manifest to the new one, as in Helm.
 */
export function threeWayPatch(
  original: KubernetesObject,
  target: KubernetesObject,
  live: KubernetesObject,
): Fields | undefined {
  if (!isBuiltIn(target.apiVersion)) return mergePatch(original, target);
  return mergePatch(live, new ThreeWayMerge(target.kind).fields(original, target, live, ''));
}

/** RFC 7386: a value with a merge patch applied. */
export function applyMergePatch(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Fields = isObject(value) ? { ...value } : {};
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete merged[key];
    else merged[key] = applyMergePatch(merged[key], change);
  }
  return merged;
}

/** RFC 7386: what turns `from` into `to`; undefined when they are equal. */
function mergePatch(from: Fields, to: Fields): Fields | undefined {
  const patch: Fields = {};
  for (const key of Object.keys(from)) if (!isPresent(to[key])) patch[key] = null;
  for (const [key, value] of Object.entries(to)) {
    const old = from[key];
    if (!isPresent(value) || isEqual(old, value)) continue;
    patch[key] = isObject(old) && isObject(value) ? mergePatch(old, value) : value;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

class ThreeWayMerge {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  fields(original: Fields, target: Fields, live: Fields, path: string): Fields {
    const merged: Fields = {};
    for (const [key, value] of Object.entries(live)) {
      const isRemoved = !isPresent(target[key]) && (key in target || key in original);
      if (!isRemoved || isServerOwned(join(path, key))) merged[key] = value;
    }
    for (const [key, value] of Object.entries(target)) {
      if (isPresent(value)) merged[key] = this.#value(original[key], value, live[key], join(path, key));
    }
    return merged;
  }

  #value(original: unknown, target: unknown, live: unknown, path: string): unknown {
    const rule = mergeRuleOf(this.#kind, path);
    if (rule.isReplaced) return target;
    if (isObject(target) && isObject(live)) {
      const merged = this.fields(asObject(original), target, live, path);
      return rule.retainsKeys ? onlyKeysOf(target, merged) : merged;
    }
    if (!Array.isArray(target) || !Array.isArray(live)) return target;
    if (rule.isSet) return mergeSets(asList(original), target, live);
    return this.#list(asList(original), target, live, path);
  }

  /** Items in the manifest's order; those that only the live object has stay before what they stood before. */
  #list(original: unknown[], target: unknown[], live: unknown[], path: string): unknown[] {
    const { key, retainsKeys } = mergeRuleOf(this.#kind, path);
    if (key === undefined) return target;
    if (!haveKeys(target, key) || !haveKeys(live, key)) return target;
    if (!haveUniqueKeys(target, key) || !haveUniqueKeys(live, key))
      return mergeLikeItems(target as Fields[], live as Fields[]);
    const merged = (target as Fields[]).map((item) => {
      const current = findItem(live, key, item[key]);
      if (current === undefined) return item;
      const fields = this.fields(findItem(original, key, item[key]) ?? {}, item, current, path);
      return retainsKeys ? onlyKeysOf(item, fields) : fields;
    });
    const added = (live as Fields[]).filter(
      (item) => findItem(target, key, item[key]) === undefined && findItem(original, key, item[key]) === undefined,
    );
    return besideOthers(merged, added, (item) =>
      live.findIndex((other) => isObject(other) && other[key] === item[key]),
    );
  }
}

/** Generated manifests carry `creationTimestamp: null`; the server would not let it go. */
const isServerOwned = (path: string): boolean => path === 'metadata.creationTimestamp';

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function mergeSets(original: unknown[], target: unknown[], live: unknown[]): unknown[] {
  const added = live.filter((item) => !target.includes(item) && !original.includes(item));
  return besideOthers(target, added, (item) => live.indexOf(item));
}

/** strategicpatch.mergeSortedSlice: an item of others comes first where the live list has it before the wanted one. */
function besideOthers<Item>(wanted: readonly Item[], others: readonly Item[], placeOf: (item: Item) => number): Item[] {
  const left = [...others];
  const merged: Item[] = [];
  for (const item of wanted) {
    while (left.length > 0 && placeOf(left[0] as Item) < placeOf(item)) merged.push(left.shift() as Item);
    merged.push(item);
  }
  return [...merged, ...left];
}

const onlyKeysOf = (target: Fields, merged: Fields): Fields =>
  Object.fromEntries(Object.entries(merged).filter(([key]) => isPresent(target[key])));

const haveKeys = (items: readonly unknown[], key: string): boolean =>
  items.every((item) => isObject(item) && item[key] !== undefined);

const haveUniqueKeys = (items: readonly unknown[], key: string): boolean =>
  new Set((items as Fields[]).map((item) => item[key])).size === items.length;

/** Where keys do not tell items apart (one port for TCP and UDP), an item stays as it is if it says all that is wanted. */
function mergeLikeItems(target: readonly Fields[], live: readonly Fields[]): Fields[] {
  const left = [...live];
  return target.map((item) => {
    const index = left.findIndex((candidate) => saysAll(candidate, item));
    return index === -1 ? item : (left.splice(index, 1)[0] as Fields);
  });
}

const saysAll = (live: Fields, wanted: Fields): boolean =>
  Object.entries(wanted).every(([key, value]) => !isPresent(value) || isEqual(live[key], value));

const findItem = (items: readonly unknown[], key: string, value: unknown): Fields | undefined =>
  items.find((item): item is Fields => isObject(item) && item[key] === value);

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isEqual(a[key], b[key]));
}
