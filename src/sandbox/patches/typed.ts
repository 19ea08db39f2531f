import {
  anyType,
  fieldType,
  isAlwaysThere,
  type ListType,
  type MapType,
  resolveType,
  type Type,
  type TypeRef,
} from '../../kinds/field-types.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../support/json.ts';
import { itemElement } from '../schema/path.ts';
import { type FieldSet, FieldSetBuilder } from './field-set.ts';

/** structured-merge-diff's operations on values of a known type: their fields, their differences, their merge. */

type Shape = { readonly kind: 'scalar' } | ListType | MapType;

const deducedList: ListType = {
  kind: 'list',
  relation: 'atomic',
  keys: [],
  element: anyType,
  mergeKey: undefined,
  retainKeys: false,
};
const deducedMap: MapType = { kind: 'map', relation: 'granular', element: anyType };
const scalarShape = { kind: 'scalar' } as const;

/** The type as it applies to a value: for "anything", the value itself decides. */
function shapeFor(type: Type, value: Json | undefined): Shape {
  if (type.kind === 'scalar') return scalarShape;
  if (type.kind !== 'any') return type;
  if (Array.isArray(value)) return deducedList;
  return isJsonObject(value) ? deducedMap : scalarShape;
}

const elementTypeOf = (type: MapType, key: string): Type => resolveType(fieldType(type, key) ?? anyType);
const isStructField = (type: MapType, key: string): boolean =>
  type.fields !== undefined && Object.hasOwn(type.fields, key);

/** The fields that a value sets (TypedValue.ToFieldSet). */
export function fieldsOf(type: TypeRef, value: Json): FieldSet {
  const set = new FieldSetBuilder();
  collectFields(resolveType(type), value, [], set);
  return set.build();
}

function collectFields(type: Type, value: Json, path: readonly string[], set: FieldSetBuilder): void {
  const shape = shapeFor(type, value);
  if (shape.kind === 'scalar' || shape.relation === 'atomic') {
    set.insert(path);
  } else if (shape.kind === 'list') {
    for (const item of Array.isArray(value) ? value : []) {
      const element = itemElement(shape, item);
      if (element === undefined) continue;
      collectFields(resolveType(shape.element), item, [...path, element], set);
      set.insert([...path, element]);
    }
  } else {
    for (const [key, item] of Object.entries(isJsonObject(value) ? value : {})) {
      if (item === undefined) continue;
      const below = [...path, `f:${key}`];
      collectFields(elementTypeOf(shape, key), item, below, set);
      const empty = item === null || (isJsonObject(item) && Object.keys(item).length === 0);
      if (empty || !isStructField(shape, key)) set.insert(below);
    }
  }
}

export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** What changed from one value to another (TypedValue.Compare). */
export function compareTyped(type: TypeRef, before: Json, after: Json): Comparison {
  const comparison = new ComparisonBuilder();
  comparison.compare(resolveType(type), before, after, []);
  return comparison.build();
}

/** Walks two values side by side and collects what differs. */
class ComparisonBuilder {
  readonly #added = new FieldSetBuilder();
  readonly #modified = new FieldSetBuilder();
  readonly #removed = new FieldSetBuilder();

  build(): Comparison {
    return { added: this.#added.build(), modified: this.#modified.build(), removed: this.#removed.build() };
  }

  compare(type: Type, before: Json | undefined, after: Json | undefined, path: readonly string[]): void {
    if (before !== undefined && before === after) return;
    const shape = shapeFor(type, after ?? before);
    if (before !== undefined && after !== undefined && shapeFor(type, before) !== shapeFor(type, after)) {
      this.compare(type, before, undefined, path);
      this.compare(type, undefined, after, path);
      return;
    }
    if (isLeaf(shape, before, after)) {
      if (before === undefined) this.#added.insert(path);
      else if (after === undefined) this.#removed.insert(path);
      else if (!equalJson(before, after)) this.#modified.insert(path);
      return;
    }
    if (shape.kind === 'list') this.#compareLists(shape, before, after, path);
    else if (shape.kind === 'map') this.#compareMaps(shape, before, after, path);
    if (before === undefined) this.#added.insert(path);
    else if (after === undefined) this.#removed.insert(path);
  }

  #compareLists(list: ListType, before: Json | undefined, after: Json | undefined, path: readonly string[]): void {
    const old = itemsByElement(list, before);
    const now = itemsByElement(list, after);
    for (const element of new Set([...old.keys(), ...now.keys()])) {
      this.compare(resolveType(list.element), old.get(element), now.get(element), [...path, element]);
    }
  }

  #compareMaps(map: MapType, before: Json | undefined, after: Json | undefined, path: readonly string[]): void {
    const old = isJsonObject(before) ? before : {};
    const now = isJsonObject(after) ? after : {};
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const type = elementTypeOf(map, key);
      const zero = zeroOf(map, key, type);
      // Where the parent is there, Go's zero value of the field is too.
      const [was, is] = [
        before === undefined ? undefined : (old[key] ?? zero),
        after === undefined ? undefined : (now[key] ?? zero),
      ];
      this.compare(type, was, is, [...path, `f:${key}`]);
    }
  }
}

/** Scalars, atomic values, and two that are both empty or absent: empty differs from absent then. */
function isLeaf(shape: Shape, a: Json | undefined, b: Json | undefined): boolean {
  return shape.kind === 'scalar' || shape.relation === 'atomic' || (isEmpty(a) && isEmpty(b));
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0);

function itemsByElement(list: ListType, value: Json | undefined): Map<string, Json> {
  const items = new Map<string, Json>();
  for (const item of Array.isArray(value) ? value : []) {
    const element = itemElement(list, item);
    if (element !== undefined && !items.has(element)) items.set(element, item);
  }
  return items;
}

/** The value of a field that is there in every object of its Go type; undefined for one that can be absent. */
function zeroOf(map: MapType, key: string, type: Type): Json | undefined {
  if (!isAlwaysThere(map.fields?.[key])) return undefined;
  return type.kind === 'list' ? null : {};
}

/** One value over another: what the second sets wins, lists with keys merge item by item (TypedValue.Merge). */
export function mergeTyped(type: TypeRef, base: Json | undefined, over: Json | undefined): Json | undefined {
  const resolved = resolveType(type);
  const shape = shapeFor(resolved, over ?? base);
  if (isLeaf(shape, base, over)) return over === undefined ? base : over;
  if (base !== undefined && over !== undefined && shapeFor(resolved, base) !== shape) return over;
  if (shape.kind === 'list') return mergeLists(shape, base, over);
  return shape.kind === 'map' ? mergeMaps(shape, base, over) : undefined;
}

function mergeMaps(map: MapType, base: Json | undefined, over: Json | undefined): Json | undefined {
  const old = isJsonObject(base) ? base : {};
  const now = isJsonObject(over) ? over : {};
  const merged: JsonObject = {};
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const value = mergeTyped(elementTypeOf(map, key), old[key], now[key]);
    if (value !== undefined) merged[key] = value;
  }
  return Object.keys(merged).length > 0 ? merged : undefined;
}

/** Items of the second in its order, merged with their old selves; items of the first alone stay where they were. */
function mergeLists(list: ListType, base: Json | undefined, over: Json | undefined): Json | undefined {
  const element = resolveType(list.element);
  const oldItems = itemsByElement(list, base);
  const newItems = itemsByElement(list, over);
  const oldOrder = [...oldItems.keys()];
  const shared = [...newItems.keys()].filter((key) => oldItems.has(key));
  const merged: Json[] = [];
  const take = (key: string): void => {
    const value = mergeTyped(element, oldItems.get(key), newItems.get(key));
    if (value !== undefined) merged.push(value);
  };
  let at = 0;
  const takeOldOnly = (): void => {
    for (; at < oldOrder.length; at++) {
      const key = oldOrder[at] as string;
      if (!newItems.has(key)) take(key);
      else if (key === shared[0]) return;
    }
  };
  for (const key of newItems.keys()) {
    takeOldOnly();
    take(key);
    if (key === shared[0]) shared.shift();
  }
  takeOldOnly();
  return merged.length > 0 ? merged : undefined;
}

/** The value without the fields and items of a set (TypedValue.RemoveItems). */
export function removeFields(type: TypeRef, value: Json, unwanted: FieldSet): Json | undefined {
  const shape = shapeFor(resolveType(type), value);
  if (shape.kind === 'scalar') return value;
  if (shape.kind === 'list') return removeItems(shape, value, unwanted);
  if (!isJsonObject(value) || shape.relation === 'atomic') return undefined;
  const kept: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const element = `f:${key}`;
    if (item === undefined || unwanted.has(element)) continue;
    const below = unwanted.below(element);
    const rest = below.isEmpty ? item : removeFields(elementTypeOf(shape, key), item, below);
    if (rest !== undefined) kept[key] = rest;
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}

function removeItems(list: ListType, value: Json, unwanted: FieldSet): Json | undefined {
  if (!Array.isArray(value) || list.relation === 'atomic') return undefined;
  const kept: Json[] = [];
  for (const item of value) {
    const element = itemElement(list, item) ?? '';
    if (unwanted.has(element)) continue;
    const below = unwanted.below(element);
    const rest = below.isEmpty ? item : removeFields(list.element, item, below);
    if (rest !== undefined) kept.push(rest);
  }
  return kept.length > 0 ? kept : undefined;
}
