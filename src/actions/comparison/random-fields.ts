import { type FieldDifference, fieldDifferences } from '../../manifest/field-differences.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { equalJson, type Fields, isObject } from '../../support/json.ts';

/**
 * Fields in which an object differs from its last state only by what differs between two renders of the same chart. `again`
 * is the same object, rendered once more.
 */
export function randomFields(
  before: KubernetesObject,
  after: KubernetesObject,
  again: KubernetesObject,
): readonly FieldDifference[] {
  const renders = new Map(fieldDifferences(after, again).map((field) => [field.path, field]));
  return fieldDifferences(before, after).filter((field) => {
    const twice = renders.get(field.path);
    return twice !== undefined && differsByChance(field.before, field.after, twice.after);
  });
}

function differsByChance(before: unknown, after: unknown, again: unknown): boolean {
  if (typeof before === 'string' && typeof after === 'string' && typeof again === 'string')
    return textDiffersByChance(before, after, again);
  if (Array.isArray(before) && Array.isArray(after) && Array.isArray(again))
    return (
      before.length === after.length &&
      before.every((item, index) => equalJson(item, after[index]) || differsByChance(item, after[index], again[index]))
    );
  return typeof before === typeof after && !isObject(after) && !equalJson(after, again);
}

/** Word by word: `web-test-x1y2z` and `web-test-a9b8c` differ in their last word, and so may `web-test-k7k7k`. */
function textDiffersByChance(before: string, after: string, again: string): boolean {
  const [was, is, other] = [wordsOf(before), wordsOf(after), wordsOf(again)];
  if (was.length === is.length && is.length === other.length)
    return is.every((word, index) => word === was[index] || word !== other[index]);
  const start = commonStart(is, other);
  const end = commonStart(is.slice(start).reverse(), other.slice(start).reverse());
  return (
    was.length >= start + end &&
    commonStart(is.slice(0, start), was) === start &&
    commonStart(is.slice(is.length - end).reverse(), was.slice(start).reverse()) === end
  );
}

/** Letters and digits, and what is between them. */
const wordsOf = (text: string): readonly string[] => text.match(/[A-Za-z0-9]+|[^A-Za-z0-9]+/g) ?? [];

function commonStart(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((word, index) => word !== b[index]);
  return at === -1 ? a.length : at;
}

/** An object with the new values of some of the fields in which it differs. */
export function withNewValues(object: KubernetesObject, fields: readonly FieldDifference[]): KubernetesObject {
  const copies = new Map<unknown, Fields>();
  const copied = copyOf(object, copies) as KubernetesObject;
  for (const { parts, after } of fields) {
    const parent = parts
      .slice(0, -1)
      .reduce<unknown>((at, part) => (typeof part === 'string' ? (at as Fields)[part] : part.item), object);
    (copies.get(parent) as Record<string, unknown>)[parts.at(-1) as string] = after;
  }
  return copied;
}

/** `copies` learns the copy of each object inside. */
function copyOf(value: unknown, copies: Map<unknown, Fields>): unknown {
  if (Array.isArray(value)) return value.map((item) => copyOf(item, copies));
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item, copies)]));
  copies.set(value, copy);
  return copy;
}
