import { type Fields, isObject } from '../../support/json.ts';
import { compareText } from '../../support/order.ts';
import { isDigits } from '../../support/text.ts';
import { readPlainYaml } from '../../yaml/index.ts';
import type { ManifestEntry } from './entries.ts';

/** What became of one field; `path` is written as `spec.containers[0]`. */
export interface FieldChange {
  readonly path: string;
  readonly field: string;
  readonly change: 'add' | 'remove' | 'replace';
  readonly oldValue?: unknown;
  readonly newValue?: unknown;
}

/** The fields that differ, in order of their names; lists are compared place by place. Follows helm-diff's walkPatch. */
export const fieldChanges = (before: ManifestEntry, after: ManifestEntry): readonly FieldChange[] =>
  changesIn([], fieldsOf(before), fieldsOf(after));

export const fieldsOf = ({ content, shown }: ManifestEntry): unknown => shown ?? readPlainYaml(content);

function changesIn(path: readonly string[], before: unknown, after: unknown): FieldChange[] {
  if (isSame(before, after)) return [];
  if (isObject(after)) return memberChanges(path, isObject(before) ? before : {}, after);
  if (Array.isArray(after) && path.length > 0) return itemChanges(path, Array.isArray(before) ? before : [], after);
  return [changeAt(path, before, after)];
}

const memberChanges = (path: readonly string[], before: Fields, after: Fields): FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort(compareText)
    .flatMap((name) => changesIn([...path, name], before[name], after[name]));

function itemChanges(path: readonly string[], before: readonly unknown[], after: readonly unknown[]): FieldChange[] {
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => index).flatMap((index) => {
    const [was, is] = [before[index], after[index]];
    const place = [...path, String(index)];
    if (!isPresent(was) || !isPresent(is)) return isPresent(was) || isPresent(is) ? [changeAt(place, was, is)] : [];
    return isObject(was) && isObject(is) ? memberChanges(place, was, is) : changesIn(place, was, is);
  });
}

function changeAt(path: readonly string[], oldValue: unknown, newValue: unknown): FieldChange {
  const where = { path: pathText(path.slice(0, -1)), field: path.at(-1) ?? '' };
  if (!isPresent(newValue)) return { ...where, change: 'remove', oldValue };
  if (!isPresent(oldValue)) return { ...where, change: 'add', newValue };
  return { ...where, change: 'replace', oldValue, newValue };
}

function pathText(path: readonly string[]): string {
  const segments: string[] = [];
  for (const name of path) {
    if (isDigits(name)) segments.push(`${segments.pop() ?? ''}[${name}]`);
    else if (name !== '') segments.push(name);
  }
  return segments.join('.');
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b || (!isPresent(a) && !isPresent(b));
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.every((name) => name in a && name in b && isSame(a[name], b[name]));
}
