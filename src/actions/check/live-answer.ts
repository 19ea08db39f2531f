import { lacksNamespace } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import type { Target } from '../../execute/apply/targets.ts';
import { lacksDryRun, lacksRight } from '../../problem/foreign/api-status.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import type { AskedServer } from './asked-server.ts';
import { refusalsOf } from './refusals.ts';
import type { Unanswered } from './unanswered.ts';

/**
 * What the cluster says of an object, by a dry run that stores nothing. Undefined where it cannot say: the kind or the
 * namespace is not there yet, the account may not write the object, or a webhook takes no dry runs.
 */
export async function liveAnswer(
  target: Target,
  cluster: AskedServer,
  unanswered: Unanswered,
): Promise<readonly ObjectProblem[] | undefined> {
  const { apiVersion, kind } = target.id;
  if (unanswered.lacks(target.id.namespace) || (await cluster.mapping(apiVersion, kind)) === undefined)
    return undefined;
  const silence: ApiFailure[] = [];
  const asked: AskedServer = {
    ...cluster,
    async send(object) {
      const refusal = await cluster.send(object);
      if (refusal === undefined || !saysNothing(refusal)) return refusal;
      silence.push(refusal);
      return undefined;
    },
  };
  const problems = await refusalsOf(target, asked);
  const [failure] = silence;
  if (failure === undefined) return problems;
  unanswered.addAnswer(target, failure);
  return undefined;
}

const saysNothing = (refusal: ApiFailure): boolean =>
  lacksNamespace(refusal) ||
  lacksRight(refusal) ||
  lacksDryRun(refusal) ||
  refusal.status === 404 ||
  refusal.status === 429 ||
  (refusal.status >= 500 && refusal.reason !== 'Unknown');
