import { equalJson, type Fields, isObject } from '../support/json.ts';

/** One step on the way to a field: a key, or an item of a list, as the old state has it, or else the new one. */
export type PathPart = string | { readonly label: string; readonly item: unknown };

/** A field with different values in two states of an object; undefined where it is not there. */
export interface FieldDifference {
  /** `spec.template.spec.containers[name=app].image`, `metadata.labels["app.kubernetes.io/name"]`. */
  readonly path: string;
  /** The same step by step. */
  readonly parts: readonly PathPart[];
  readonly before: unknown;
  readonly after: unknown;
}

/** Where two states of an object differ, as deep down as both have something to compare, in the order of the keys. */
export const fieldDifferences = (before: unknown, after: unknown): readonly FieldDifference[] =>
  differencesAt([], before, after);

function differencesAt(parts: readonly PathPart[], before: unknown, after: unknown): readonly FieldDifference[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => differencesAt([...parts, key], before[key], after[key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(parts, before, after);
  return equalJson(before, after) ? [] : [{ path: pathText(parts), parts, before, after }];
}

function listDifferences(
  parts: readonly PathPart[],
  before: readonly unknown[],
  after: readonly unknown[],
): readonly FieldDifference[] {
  if (equalJson(before, after)) return [];
  const key = keyOf(before, after);
  if (key !== undefined) return byKey(parts, key, before as readonly Fields[], after as readonly Fields[]);
  const isComparable =
    before.length === after.length && before.every((item, index) => isObject(item) && isObject(after[index]));
  if (!isComparable) return [{ path: pathText(parts), parts, before, after }];
  return before.flatMap((item, index) => differencesAt([...parts, { label: String(index), item }], item, after[index]));
}

/** The fields by which Kubernetes tells the items of its lists apart. */
const itemKeys = ['name', 'containerPort', 'port', 'mountPath', 'devicePath', 'ip', 'topologyKey', 'key', 'type'];

/** The field by which the items of two states of a list are paired. */
export const keyOf = (before: readonly unknown[], after: readonly unknown[]): string | undefined =>
  itemKeys.find((key) => [before, after].every((list) => isUnique(list, key)));

function isUnique(list: readonly unknown[], key: string): boolean {
  const values = list.map((item) => (isObject(item) ? item[key] : undefined));
  return values.every((value) => value !== undefined) && new Set(values).size === values.length;
}

function byKey(
  parts: readonly PathPart[],
  key: string,
  before: readonly Fields[],
  after: readonly Fields[],
): readonly FieldDifference[] {
  const values = [...new Set([...before, ...after].map((item) => item[key]))];
  const find = (list: readonly Fields[], value: unknown): Fields | undefined =>
    list.find((item) => item[key] === value);
  const found = values.flatMap((value) => {
    const [old, next] = [find(before, value), find(after, value)];
    return differencesAt([...parts, { label: `${key}=${String(value)}`, item: old ?? next }], old, next);
  });
  // The same items in another order.
  return found.length > 0 ? found : [{ path: pathText(parts), parts, before, after }];
}

/** `spec.template.spec.containers[name=app].image` */
export const pathText = (parts: readonly PathPart[]): string =>
  parts.reduce<string>((text, part) => {
    if (typeof part !== 'string') return `${text}[${part.label}]`;
    if (!/^[\w-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
