import type { Target } from '../../execute/apply/targets.ts';
import { objectSubject, refusalProblems } from '../../execute/faults.ts';
import { type FieldPath, isPathWithin } from '../../manifest/field-path.ts';
import { fieldsIn } from '../../problem/place.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import type { AskedServer } from './asked-server.ts';
import { repaired } from './repair.ts';

/** Each round mends what the server has refused, so that it tells what else is wrong. A server names one type at a time. */
const mostRounds = 25;

/**
 * All that an API server refuses of an object. It says no more than the first field that does not fit the schema, so the
 * object is sent again with that field mended, until the server accepts it or nothing can be mended. [] of a kind that the
 * server does not serve.
 */
export async function refusalsOf(target: Target, server: AskedServer): Promise<readonly ObjectProblem[]> {
  const { apiVersion, kind } = target.id;
  if ((await server.mapping(apiVersion, kind)) === undefined) return [];
  const subject = objectSubject(target.id, target.source);
  const found: ObjectProblem[] = [];
  const mended: FieldPath[] = [];
  let { object } = target;
  for (let round = 0; round < mostRounds; round++) {
    const refusal = await server.send(object);
    if (refusal === undefined) break;
    const problems = refusalProblems({ subject, object, written: target.object, refusal });
    const isNews = (problem: ObjectProblem): boolean =>
      !fieldsIn(problem.places).some(({ path }) => mended.some((one) => isPathWithin(path, one)));
    found.push(...problems.filter(isNews));
    const next = repaired(object, problems);
    if (next === undefined) break;
    object = next.object;
    mended.push(...next.paths);
  }
  return found;
}
