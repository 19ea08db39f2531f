import type { Target } from '../../execute/apply/targets.ts';
import { objectSubject, refusalProblems } from '../../execute/faults.ts';
import { defaultNodePorts } from '../../kinds/node-ports.ts';
import { type FieldPath, isPathWithin, pathText, valueAtPath } from '../../manifest/field-path.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { fieldsIn } from '../../problem/place.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import type { AskedServer } from './asked-server.ts';
import { type Repaired, repaired } from './repair.ts';

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
  const renamed: Repaired['renamed'][number][] = [];
  let { object } = target;
  for (let round = 0; round < mostRounds; round++) {
    const refusal = await server.send(object);
    if (refusal === undefined) break;
    const refused = refusalProblems({ subject, object, written: target.object, refusal });
    const problems = server.hasDefaults ? refused.map((one) => asSetting(one, object)) : refused;
    const isNews = (problem: ObjectProblem): boolean =>
      !found.some((one) => isSameRefusal(one, problem)) &&
      !fieldsIn(problem.places).some(({ path }) => mended.some((one) => isPathWithin(path, one)));
    found.push(...problems.filter(isNews).map((problem) => asWritten(problem, renamed)));
    const next = repaired(object, problems);
    if (next === undefined) break;
    object = next.object;
    mended.push(...next.paths);
    renamed.push(...next.renamed);
  }
  return found;
}

/** What could not be mended is refused in the next round too. */
const isSameRefusal = (one: ObjectProblem, other: ObjectProblem): boolean =>
  one.code === other.code && JSON.stringify([one.cause, one.places]) === JSON.stringify([other.cause, other.places]);

/** The range of node ports is a setting of the cluster. */
function asSetting(problem: ObjectProblem, object: KubernetesObject): ObjectProblem {
  const [field] = fieldsIn(problem.places);
  const isNodePort = problem.subject.id.kind === 'Service' && field?.path.at(-1) === 'nodePort';
  const port = isNodePort ? Number(valueAtPath(object, field.path)) : 0;
  if (problem.cause.code !== 'field-value' || port < 1 || port > 65_535) return problem;
  const cause = { code: 'node-port-outside', field: pathText(field?.path ?? []), port, ...defaultNodePorts } as const;
  return { ...problem, code: cause.code, cause };
}

/** A problem of a field that has its right name since, at the field that the template has. */
function asWritten(problem: ObjectProblem, renamed: Repaired['renamed']): ObjectProblem {
  if (renamed.length === 0) return problem;
  const places = problem.places.map((place) => {
    const named = place.kind === 'field' ? renamed.find(({ to }) => isPathWithin(place.path, to)) : undefined;
    if (place.kind !== 'field' || named === undefined) return place;
    return { ...place, path: [...named.from, ...place.path.slice(named.from.length)] };
  });
  return { ...problem, places };
}
