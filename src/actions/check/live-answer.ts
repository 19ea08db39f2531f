import { lacksNamespace } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import type { Target } from '../../execute/apply/targets.ts';
import { lacksDryRun, lacksRight } from '../../problem/foreign/api-status.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import type { AskedServer } from './asked-server.ts';
import { refusalsOf } from './refusals.ts';

/**
 * What the cluster says of an object, by a dry run that stores nothing. Undefined where it cannot say: the kind or the
 * namespace is not there yet, the account may not write the object, or a webhook takes no dry runs.
 */
export async function liveAnswer(target: Target, cluster: AskedServer): Promise<readonly ObjectProblem[] | undefined> {
  const { apiVersion, kind } = target.id;
  if ((await cluster.mapping(apiVersion, kind)) === undefined) return undefined;
  const refusal = await cluster.send(target.object);
  if (refusal === undefined) return [];
  return saysNothing(refusal) ? undefined : refusalsOf(target, cluster);
}

const saysNothing = (refusal: ApiFailure): boolean =>
  lacksNamespace(refusal) ||
  lacksRight(refusal) ||
  lacksDryRun(refusal) ||
  refusal.status === 404 ||
  refusal.status === 429 ||
  (refusal.status >= 500 && refusal.reason !== 'Unknown');
