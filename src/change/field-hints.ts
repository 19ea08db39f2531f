import { fieldsIn } from '../problem/place.ts';
import { isOfObject, type ObjectProblem, type Problem } from '../problem/problem.ts';
import { nearest } from '../support/near.ts';

/** The same problems; of each field that a built-in kind does not have, the one that has nearly its name is told. */
export async function withFieldHints(problems: readonly Problem[]): Promise<readonly Problem[]> {
  if (!problems.filter(isOfObject).some(isOfFields)) return problems;
  // The schema of all kinds: nobody reads it who does not need it.
  const { nearestField } = await import('../kinds/nearest-field.ts');
  return problems.map((problem) => {
    if (!isOfObject(problem) || !isOfFields(problem)) return problem;
    const hints = fieldsIn(problem.places).flatMap(({ path }) => {
      const near = nearestField(problem.subject.id, path, nearest);
      return near === undefined
        ? []
        : [{ kind: 'use-name' as const, name: near.meant, instead: near.field, isGuess: true as const }];
    });
    const others = problem.remedies.filter(({ kind }) => hints.length === 0 || kind !== 'change-field');
    return { ...problem, remedies: [...hints, ...others] };
  });
}

const isOfFields = ({ cause }: ObjectProblem): boolean => cause.code === 'field-unknown';
