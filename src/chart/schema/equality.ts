import { compareText } from '../../support/order.ts';
import { canonicalText, compareDecimals, decimalOf } from './number.ts';

/** Whether two JSON values are the same; numbers by what they are worth. */
export function equals(a: unknown, b: unknown): boolean {
  if (a instanceof Map) {
    return (
      b instanceof Map && a.size === b.size && [...a].every(([key, item]) => b.has(key) && equals(item, b.get(key)))
    );
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equals(item, b[index]));
  }
  const left = decimalOf(a);
  if (left === undefined) return (a ?? null) === (b ?? null);
  const right = decimalOf(b);
  return right !== undefined && compareDecimals(left, right) === 0;
}

/** The first item that equals an earlier one: both indexes. */
export function firstDuplicate(items: readonly unknown[]): [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = fingerprint(item);
    const earlier = seen.get(text);
    if (earlier !== undefined) return [earlier, index];
    seen.set(text, index);
  }
  return undefined;
}

/** The same text for equal values only. */
function fingerprint(value: unknown): string {
  if (value instanceof Map) {
    const entries = [...(value as Map<string, unknown>)].sort(([a], [b]) => compareText(a, b));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${fingerprint(item)}`).join()}}`;
  }
  if (Array.isArray(value)) return `[${value.map(fingerprint).join()}]`;
  const decimal = decimalOf(value);
  return decimal === undefined ? JSON.stringify(value ?? null) : canonicalText(decimal);
}
