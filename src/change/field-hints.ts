import type { KubernetesObject } from '../manifest/types.ts';
import { fieldsIn } from '../problem/place.ts';
import { isOfObject, type ObjectProblem, type Problem } from '../problem/problem.ts';
import type { Remedy } from '../problem/remedy.ts';
import { nearest } from '../support/near.ts';
import { nearestCustomField } from './custom-fields.ts';

/** The same problems; of each field that a built-in kind, or one of these CRDs, does not have, the nearest name is added. */
export async function withFieldHints<P extends Problem>(
  problems: readonly P[],
  definitions: readonly KubernetesObject[] = [],
): Promise<readonly P[]> {
  if (!problems.some((problem) => isOfObject(problem) && isOfFields(problem))) return problems;
  // The schema of all kinds: nobody reads it who does not need it.
  const { hasField, innerField, nearestField, outerField } = await import('../kinds/nearest-field.ts');
  return problems.map((problem) => {
    if (!isOfObject(problem) || !isOfFields(problem)) return problem;
    const { id } = problem.subject;
    const belongs = ({ path, below }: Extract<Remedy, { kind: 'indent' }>): boolean =>
      below.length === 1 && hasField(id, [...(below[0] ?? []), path.at(-1) ?? '']);
    if (problem.remedies.some((remedy) => remedy.kind === 'use-name' || (remedy.kind === 'indent' && belongs(remedy))))
      return problem;
    const hints = fieldsIn(problem.places).flatMap(({ path }): readonly Remedy[] => {
      const near = nearestField(id, path, nearest) ?? nearestCustomField(id, path, definitions);
      // Another field above it is a problem of its own.
      if (near !== undefined && near.field === path.at(-1))
        return [{ kind: 'use-name', name: near.meant, instead: near.field, isGuess: true }];
      const other = outerField(id, path) ?? innerField(id, path);
      return other === undefined ? [] : [{ kind: 'indent', object: id, path, below: [other.slice(0, -1)] }];
    });
    const others = problem.remedies.filter(({ kind }) => hints.length === 0 || kind !== 'change-field');
    return { ...problem, remedies: [...hints, ...others] };
  });
}

const isOfFields = ({ cause }: ObjectProblem): boolean => cause.code === 'field-unknown';
