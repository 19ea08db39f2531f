import { mayBeAcceptedLater, type PlannedAdditions } from '../../change/deploy/planned-additions.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import type { Target } from '../../execute/apply/targets.ts';
import { lacksDryRun, lacksRight } from '../../problem/foreign/api-status.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import type { AskedServer } from './asked-server.ts';
import { refusalsOf } from './refusals.ts';
import type { Unanswered } from './unanswered.ts';

/** A cluster that is asked about a release. */
export interface LiveServer {
  readonly server: AskedServer;
  /** What the release brings, and the cluster does not have. */
  readonly coming: PlannedAdditions;
  readonly unanswered: Unanswered;
}

/**
 * What the cluster says of an object, by a dry run that stores nothing. Undefined where it cannot say: the kind, the
 * namespace or what the object needs is not there yet, the account may not write the object, or a webhook takes no dry runs.
 */
export async function liveAnswer(
  target: Target,
  { server, coming, unanswered }: LiveServer,
): Promise<readonly ObjectProblem[] | undefined> {
  const { id } = target;
  if (unanswered.lacks(id.namespace) || (await server.mapping(id.apiVersion, id.kind)) === undefined) return undefined;
  const silence: ApiFailure[] = [];
  const asked: AskedServer = {
    ...server,
    async send(object) {
      const refusal = await server.send(object);
      if (refusal === undefined) return undefined;
      const isSilent =
        lacksRight(refusal) || lacksDryRun(refusal) || mayBeAcceptedLater({ id, result: object, refusal }, coming);
      if (!isSilent) return refusal;
      silence.push(refusal);
      return undefined;
    },
  };
  const { problems } = await refusalsOf(target, asked);
  const [failure] = silence;
  if (failure === undefined) return problems;
  unanswered.addAnswer(target, failure);
  return undefined;
}
