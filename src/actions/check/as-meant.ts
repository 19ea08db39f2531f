import type { Target } from '../../execute/apply/targets.ts';
import { type FieldPath, isPathWithin } from '../../manifest/field-path.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { isOfObject, type Problem } from '../../problem/problem.ts';
import { type Moved, move } from './repair.ts';

/**
 * What `problemsOf` finds in objects with their fields where they are probably meant to be, so that what comes of a wrong
 * name is not told beside it. The problems are at the fields that the templates have.
 */
export async function problemsAsMeant(
  objects: readonly Target[],
  moved: ReadonlyMap<Target, readonly Moved[]>,
  problemsOf: (objects: readonly Target[]) => Promise<readonly Problem[]>,
): Promise<readonly Problem[]> {
  const movedIn = new Map<string, readonly Moved[]>();
  const meant = objects.map((target) => {
    const own = moved.get(target) ?? [];
    if (own.length === 0) return target;
    const changed = asMeant(target, own);
    movedIn.set(objectKey(changed.id), own);
    return changed;
  });
  const problems = await problemsOf(meant);
  return problems.map((problem) =>
    asWritten(problem, (isOfObject(problem) && movedIn.get(objectKey(problem.subject.id))) || []),
  );
}

function asMeant(target: Target, moved: readonly Moved[]): Target {
  const object = structuredClone(target.object);
  for (const one of moved) move(object, one);
  return { ...target, object, id: { ...target.id, name: object.metadata.name } };
}

/** A problem of an object whose kind is misspelt, with the name that its template has. */
export function underWrittenName<P extends Problem>(problem: P, written: ReadonlyMap<string, ResourceId>): P {
  const id = isOfObject(problem) ? written.get(objectKey(problem.subject.id)) : undefined;
  if (id === undefined) return problem;
  const places = problem.places.map((place) => (place.kind === 'field' ? { ...place, object: id } : place));
  return { ...problem, subject: { ...problem.subject, id }, places };
}

/** A problem of a field that was moved since, at the field that the template has. */
export function asWritten<P extends Problem>(problem: P, moved: readonly Moved[]): P {
  if (moved.length === 0) return problem;
  const written = (path: FieldPath): FieldPath =>
    moved.reduceRight<FieldPath>(
      (at, { from, to }) => (isPathWithin(at, to) ? [...from, ...at.slice(from.length)] : at),
      path,
    );
  const places = problem.places.map((place) =>
    place.kind === 'field' ? { ...place, path: written(place.path) } : place,
  );
  return { ...problem, places };
}
