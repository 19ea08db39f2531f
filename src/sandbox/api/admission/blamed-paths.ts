import type { Selection } from '../../../cel/selections.ts';
import { isJsonObject, type Json } from '../../../support/json.ts';
import type { Resource } from '../../resource.ts';

/**
 * The fields of an object that an expression reads, as far as they are there. Of a list that the expression goes through,
 * the items with which alone the object is still bad.
 */
export function blamedPaths(
  object: Resource,
  fields: readonly Selection[],
  isBad: (changed: Resource) => boolean,
): readonly Selection[] {
  const guilty = new Map<string, readonly number[]>();
  const itemsAt = (list: readonly Json[], path: Selection): readonly number[] => {
    const key = JSON.stringify(path);
    const known = guilty.get(key) ?? guiltyItems(list, (one) => isBad(withValue(object, path, one) as Resource));
    guilty.set(key, known);
    return known;
  };
  const paths = fields
    .filter(([root]) => root === 'object')
    .flatMap(([, ...keys]) => pathsOf(object as Json, keys, [], itemsAt))
    .filter((path) => path.length > 0);
  const texts = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const isCovered = (path: Selection): boolean =>
    [...texts.values()].some((one) => one.length > path.length && path.every((key, at) => one[at] === key));
  return [...texts.values()].filter((path) => !isCovered(path));
}

function guiltyItems(list: readonly Json[], isBad: (list: readonly Json[]) => boolean): readonly number[] {
  const all = list.map((_item, index) => index);
  if (all.length < 2) return all;
  const found = all.filter((index) => isBad([list[index] as Json]));
  return found.length === 0 ? all : found;
}

type ItemsAt = (list: readonly Json[], path: Selection) => readonly number[];

/** The longest ways of the keys through a value. */
function pathsOf(value: Json | undefined, keys: Selection, path: Selection, itemsAt: ItemsAt): readonly Selection[] {
  const [key, ...rest] = keys;
  if (key === undefined) return [path];
  if (Array.isArray(value)) {
    const items = key === '*' ? itemsAt(value, path) : [Number(key)].filter((index) => index in value);
    return items.length === 0
      ? [path]
      : items.flatMap((index) => pathsOf(value[index], rest, [...path, index], itemsAt));
  }
  const next = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return next === undefined ? [path] : pathsOf(next, rest, [...path, key], itemsAt);
}

function withValue(holder: Json, [key, ...rest]: Selection, value: readonly Json[]): Json {
  if (key === undefined) return value as Json;
  if (Array.isArray(holder))
    return holder.map((item, index) => (index === key ? withValue(item, rest, value) : item)) as Json;
  const map = holder as Readonly<Record<string, Json>>;
  return { ...map, [key]: withValue(map[key] as Json, rest, value) };
}
