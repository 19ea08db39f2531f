import { lacksNamespace } from '../../cluster/api-error.ts';
import type { ApiFailure, Cluster } from '../../cluster/types.ts';
import type { Target } from '../../execute/apply/targets.ts';
import { lacksDryRun, lacksRight } from '../../problem/foreign/api-status.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import { refusalOf, refusalsOf } from './refusals.ts';

interface Live {
  readonly cluster: Cluster;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What the cluster says of an object, by a dry run that stores nothing. Undefined where it cannot say: the kind or the
 * namespace is not there yet, the account may not write the object, or a webhook takes no dry runs.
 */
export async function liveAnswer(
  target: Target,
  { cluster, signal }: Live,
): Promise<readonly ObjectProblem[] | undefined> {
  const { apiVersion, kind } = target.id;
  if ((await cluster.mapping(apiVersion, kind, { signal })) === undefined) return undefined;
  const options = { fieldManager: 'helm', fieldValidation: 'Strict', dryRun: true, signal } as const;
  const refusal = await refusalOf(target.object, { cluster, options });
  if (refusal !== undefined && saysNothing(refusal)) return undefined;
  return refusal === undefined ? [] : refusalsOf(target, { cluster, options });
}

const saysNothing = (refusal: ApiFailure): boolean =>
  lacksNamespace(refusal) ||
  lacksRight(refusal) ||
  lacksDryRun(refusal) ||
  refusal.status === 404 ||
  refusal.status === 429 ||
  (refusal.status >= 500 && refusal.reason !== 'Unknown');
