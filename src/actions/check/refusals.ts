import { withFieldHints } from '../../change/field-hints.ts';
import type { Target } from '../../execute/apply/targets.ts';
import { objectSubject, refusalProblems } from '../../execute/faults.ts';
import { defaultNodePorts } from '../../kinds/node-ports.ts';
import { type FieldPath, isPathWithin, pathText, valueAtPath } from '../../manifest/field-path.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { fieldsIn } from '../../problem/place.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import { asWritten } from './as-meant.ts';
import type { AskedServer } from './asked-server.ts';
import { type Moved, repaired } from './repair.ts';

/** What is wrong with an object, and its fields that are probably meant to be elsewhere. */
export interface Refused {
  readonly problems: readonly ObjectProblem[];
  readonly moved: readonly Moved[];
}

/** Each round mends what the server has refused, so that it tells what else is wrong. A server names one type at a time. */
const mostRounds = 25;

/**
 * All that an API server refuses of an object. It says no more than the first field that does not fit the schema, so the
 * object is sent again with that field mended, until the server accepts it or nothing can be mended. Nothing of a kind that
 * the server does not serve.
 */
export async function refusalsOf(target: Target, server: AskedServer): Promise<Refused> {
  const { apiVersion, kind } = target.id;
  if ((await server.mapping(apiVersion, kind)) === undefined) return { problems: [], moved: [] };
  const subject = objectSubject(target.id, target.source);
  const found: ObjectProblem[] = [];
  const mended: FieldPath[] = [];
  const moved: Moved[] = [];
  let { object } = target;
  for (let round = 0; round < mostRounds; round++) {
    const refusal = await server.send(object);
    if (refusal === undefined) break;
    const refused = refusalProblems({ subject, object, written: target.object, refusal });
    const problems = server.hasDefaults ? refused.map((one) => asSetting(one, object)) : refused;
    const isNews = (problem: ObjectProblem): boolean =>
      !found.some((one) => isSameRefusal(one, problem)) &&
      !fieldsIn(problem.places).some(({ path }) => mended.some((one) => isPathWithin(path, one)));
    const news = problems.filter(isNews);
    found.push(
      ...(moved.length === 0 ? news : (await withFieldHints(news)).map((problem) => asWritten(problem, moved))),
    );
    const next = repaired(object, problems);
    if (next === undefined) break;
    object = next.object;
    mended.push(...next.paths);
    moved.push(...next.moved);
  }
  return { problems: found, moved };
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
