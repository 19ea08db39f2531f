import type { Context } from '../change/context.ts';
import { hooksInCluster } from '../change/deploy/hooks-in-cluster.ts';
import { goneRelease } from '../change/take-away.ts';
import type { Hook } from '../manifest/types.ts';
import { lastRevision } from '../release/history.ts';
import { releaseNotFound } from '../release/record.ts';
import type { Release } from '../release/types.ts';

interface Wanted {
  readonly name: string;
  readonly deleteHooks?: boolean | undefined;
  readonly ignoreNotFound?: boolean | undefined;
  readonly concurrency?: number | undefined;
}

export interface ToUninstall {
  /** Of a release that is gone, what its hooks have left. */
  readonly last: Release;
  /** Empty where the release is gone. */
  readonly history: readonly Release[];
  /** What hooks have left, as far as it was looked for. */
  readonly leftHooks: readonly Hook[];
}

/**
 * The release, or what its hooks have left where that is asked for; undefined where there is neither and that is no
 * error. Errors: `release-not-found`.
 */
export async function findToUninstall(wanted: Wanted, context: Context): Promise<ToUninstall | undefined> {
  const { name, deleteHooks, ignoreNotFound, concurrency } = wanted;
  const history = await (await context.storage()).revisions(name);
  const search = { name, namespace: context.namespace, concurrency };
  const leftHooks = deleteHooks ? await hooksInCluster(search, context) : [];
  if (history.length > 0) return { last: lastRevision(name, history), history, leftHooks };
  if (leftHooks.length > 0) return { last: goneRelease(name, context.namespace, leftHooks), history, leftHooks };
  if (ignoreNotFound) return undefined;
  throw releaseNotFound(name);
}
