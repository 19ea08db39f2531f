import { isApiError } from '../../cluster/api-error.ts';
import type { ApiFailure, ApplyOptions, Cluster } from '../../cluster/types.ts';
import type { Target } from '../../execute/apply/targets.ts';
import { objectSubject, refusalProblems } from '../../execute/faults.ts';
import { type FieldPath, isPathWithin } from '../../manifest/field-path.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { fieldsIn } from '../../problem/place.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
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
  if ((await server.cluster.mapping(apiVersion, kind, server.options)) === undefined) return [];
  const subject = objectSubject(target.id, target.source);
  const found: ObjectProblem[] = [];
  const mended: FieldPath[] = [];
  let { object } = target;
  for (let round = 0; round < mostRounds; round++) {
    const refusal = await refusalOf(object, server);
    if (refusal === undefined) break;
    const problems = refusalProblems({ subject, object, refusal });
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

/** A server, and how it is asked. */
export interface AskedServer {
  readonly cluster: Cluster;
  readonly options: ApplyOptions;
}

/** What the server answers; undefined where it accepts the object. */
export async function refusalOf(
  object: KubernetesObject,
  { cluster, options }: AskedServer,
): Promise<ApiFailure | undefined> {
  try {
    await (object.metadata.name === '' ? cluster.create(object, options) : cluster.apply(object, options));
    return undefined;
  } catch (error) {
    if (isApiError(error)) return error.failure;
    throw error;
  }
}
