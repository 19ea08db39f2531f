import {
  anyType,
  fieldType,
  type ListType,
  resolveType,
  type Type,
  typeOfAnyVersion,
} from '../../kinds/field-types.ts';
import { groupOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { asObject, equalJson, isObject } from '../../support/json.ts';

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
  const type = typeInScheme(target);
  return type === undefined
    ? mergePatch(original, target)
    : mergePatch(live, mergedFields({ original, target, live }, type));
}

/** kubectl's scheme has the kinds of all groups but the aggregator's. */
const typeInScheme = ({ apiVersion, kind }: KubernetesObject): Type | undefined => {
  const group = groupOf(apiVersion);
  return group === 'apiregistration.k8s.io' ? undefined : typeOfAnyVersion(group, kind);
};

/** RFC 7386: what turns `from` into `to`; undefined when they are equal. */
function mergePatch(from: Fields, to: Fields): Fields | undefined {
  const patch: Fields = {};
  for (const key of Object.keys(from)) if (!isPresent(to[key])) patch[key] = null;
  for (const [key, value] of Object.entries(to)) {
    const old = from[key];
    if (!isPresent(value) || equalJson(old, value)) continue;
    patch[key] = isObject(old) && isObject(value) ? mergePatch(old, value) : value;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** One value in the old manifest, in the new one, and in the cluster. */
interface Sides<Value> {
  readonly original: Value;
  readonly target: Value;
  readonly live: Value;
}

function mergedFields({ original, target, live }: Sides<Fields>, type: Type): Fields {
  const merged: Fields = {};
  for (const [key, value] of Object.entries(live)) {
    const isRemoved = !isPresent(target[key]) && (key in target || key in original);
    if (!isRemoved || isServerOwned(type, key)) merged[key] = value;
  }
  for (const [key, value] of Object.entries(target)) {
    if (!isPresent(value)) continue;
    const sides = { original: original[key], target: value, live: live[key] };
    merged[key] = isReplaced(type, key) ? value : mergedValue(sides, typeAt(type, key));
  }
  return merged;
}

function typeAt(type: Type, key: string): Type {
  const reference = type.kind === 'map' ? fieldType(type, key) : undefined;
  return reference === undefined ? anyType : resolveType(reference);
}

function mergedValue({ original, target, live }: Sides<unknown>, type: Type): unknown {
  if (isObject(target) && isObject(live)) {
    const merged = mergedFields({ original: asObject(original), target, live }, type);
    return type.kind === 'map' && type.retainKeys ? onlyKeysOf(target, merged) : merged;
  }
  if (!Array.isArray(target) || !Array.isArray(live) || type.kind !== 'list') return target;
  const sides = { original: asList(original), target, live };
  return type.mergeKey === '' ? mergeSets(sides) : mergedList(sides, type);
}

const isNamed = (type: Type, name: string): boolean => type.kind === 'map' && type.name === name;

/** The one field with the patch strategy "replace"; the schema does not have it. */
const isReplaced = (type: Type, key: string): boolean => key === 'selector' && isNamed(type, 'PodDisruptionBudgetSpec');

/** Generated manifests carry `creationTimestamp: null`; the server would not let it go. */
const isServerOwned = (type: Type, key: string): boolean => key === 'creationTimestamp' && isNamed(type, 'ObjectMeta');

/** Items in the manifest's order; those that only the live object has stay before what they stood before. */
function mergedList(
  { original, target, live }: Sides<unknown[]>,
  { mergeKey: key, element, retainKeys }: ListType,
): unknown[] {
  if (key === undefined || !haveKeys(target, key) || !haveKeys(live, key)) return target;
  if (!haveUniqueKeys(target, key) || !haveUniqueKeys(live, key))
    return mergeLikeItems(target as Fields[], live as Fields[]);
  const merged = (target as Fields[]).map((item) => {
    const current = findItem(live, key, item[key]);
    if (current === undefined) return item;
    const sides = { original: findItem(original, key, item[key]) ?? {}, target: item, live: current };
    const fields = mergedFields(sides, resolveType(element));
    return retainKeys ? onlyKeysOf(item, fields) : fields;
  });
  const added = (live as Fields[]).filter(
    (item) => findItem(target, key, item[key]) === undefined && findItem(original, key, item[key]) === undefined,
  );
  return besideOthers(merged, added, (item) => live.findIndex((other) => isObject(other) && other[key] === item[key]));
}

function mergeSets({ original, target, live }: Sides<unknown[]>): unknown[] {
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
  Object.entries(wanted).every(([key, value]) => !isPresent(value) || equalJson(live[key], value));

const findItem = (items: readonly unknown[], key: string, value: unknown): Fields | undefined =>
  items.find((item): item is Fields => isObject(item) && item[key] === value);

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
