import { sentences } from '../../execute/faults.ts';
import { fieldsIn } from '../../problem/place.ts';
import { isOfObject, type ObjectProblem } from '../../problem/problem.ts';
import { addedDetail, TshelmError } from '../../support/errors.ts';
import { nearest } from '../../support/near.ts';
import { factText } from '../../words/fact.ts';

/** The same failure; of each field that a built-in kind does not have, the one that has nearly its name is told. */
export async function withFieldHints(failure: unknown): Promise<unknown> {
  const found = addedDetail(failure, 'problems') ?? [];
  if (!(failure instanceof TshelmError) || !found.filter(isOfObject).some(isOfFields)) return failure;
  // The schema of all kinds: nobody reads it who does not need it.
  const { nearestField } = await import('../../kinds/nearest-field.ts');
  const problems = found.map((problem) => {
    if (!isOfObject(problem) || !isOfFields(problem)) return problem;
    const hints = fieldsIn(problem.places).flatMap(({ path }) => {
      const near = nearestField(problem.subject.id, path, nearest);
      return near === undefined ? [] : [`did you mean ${near.meant} instead of ${near.field}?`];
    });
    return { ...problem, remedies: [...sentences(hints), ...problem.remedies] };
  });
  return failure.wrapped({ message: failure.message, details: { problems } });
}

const isOfFields = ({ cause }: ObjectProblem): boolean => /not declared in schema|unknown field/.test(factText(cause));
