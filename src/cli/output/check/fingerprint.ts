import { createHash } from 'node:crypto';
import { fieldsIn } from '../../../problem/place.ts';
import { labelOf } from '../../../words/problem.ts';
import type { Mark } from './checked.ts';

/**
 * What is the same of a finding as long as nobody mends it: code, object, fields, file and release, but no line, so that lines above
 * it may come and go. Findings that have all of these in common are counted.
 */
export function fingerprinted(marks: readonly Mark[]): readonly (Mark & { readonly fingerprint: string })[] {
  const counts = new Map<string, number>();
  return marks.map((mark) => {
    const { problem, at, release } = mark;
    const fields = fieldsIn(problem.places).map(({ path }) => path);
    const { kind } = problem.subject;
    const key = JSON.stringify([problem.code, kind, labelOf(problem), fields, at?.file, release]);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return { ...mark, fingerprint: createHash('sha256').update(`${key}${count}`).digest('hex').slice(0, 32) };
  });
}
