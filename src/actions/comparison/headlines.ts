import type { FieldDifference, PathPart } from '../../manifest/field-differences.ts';
import { hidden } from '../../support/known-words.ts';

/** A change that a table can tell: `image 5.0 → 7.0`. */
export interface HeadlineChange {
  /** The last key of the path; of an environment variable or an argument its name. */
  readonly label: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The short values among the fields that change, without secrets; metadata says little of what a program does. */
export const headlineChanges = (differences: readonly FieldDifference[]): readonly HeadlineChange[] =>
  differences.flatMap(({ path, parts, before, after }): HeadlineChange[] => {
    if (parts.includes('metadata') || !isShort(before) || !isShort(after)) return [];
    const texts = { before: String(before), after: String(after) };
    const isSecret = texts.before.includes(hidden) || texts.after.includes(hidden);
    return isSecret ? [] : [{ label: labelOf(parts), path, ...texts }];
  });

const longestValue = 60;

const isShort = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= longestValue && !value.includes('\n'));

function labelOf(parts: readonly PathPart[]): string {
  const [holder, last] = [parts.at(-2), parts.at(-1)];
  if (last === 'value' && typeof holder === 'object') return holder.label.replace('name=', '');
  return typeof last === 'string' ? last : (last?.label ?? '');
}

const first = ['image', 'replicas'];

const rankOf = ({ label }: HeadlineChange): number => (first.includes(label) ? first.indexOf(label) : first.length);

/** Images and replicas first. */
export const byImportance = (a: HeadlineChange, b: HeadlineChange): number => rankOf(a) - rankOf(b);
