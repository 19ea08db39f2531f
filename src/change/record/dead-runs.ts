import { idOf, objectKey } from '../../manifest/resource-id.ts';
import type { Hook, KubernetesObject } from '../../manifest/types.ts';
import { isTemporary } from '../../plan/hooks.ts';
import { isPending } from '../../release/history.ts';
import type { Release } from '../../release/types.ts';

/**
 * Revisions that may have left resources in the cluster, or not have taken them away, newest first: those that failed or
 * were cut off, and the one before them. [] after a revision that was deployed.
 */
export function revisionsWithLeftovers(history: readonly Release[]): readonly Release[] {
  const unfinished = unfinishedRevisions(history);
  if (unfinished.length === 0) return [];
  const before = history.at(-unfinished.length - 1);
  const isReplaced = before?.info.status === 'deployed' || before?.info.status === 'superseded';
  return isReplaced ? [...unfinished, before] : unfinished;
}

/** Newest first. */
function unfinishedRevisions(history: readonly Release[]): readonly Release[] {
  const newestFirst = history.toReversed();
  const end = newestFirst.findIndex((release) => !isUnfinished(release));
  return end === -1 ? newestFirst : newestFirst.slice(0, end);
}

const isUnfinished = (release: Release): boolean =>
  isPending(release) || release.info.status === 'failed' || release.info.status === 'uninstalling';

/** The hooks whose objects a run would have deleted itself, had it not died before. */
export const hooksLeftByDeadRuns = (history: readonly Release[]): readonly Hook[] =>
  unfinishedRevisions(history).flatMap(({ hooks, operation }) =>
    hooks.filter((hook) => isOverdue(hook) && !operation?.refusedHooks?.includes(objectOfHook(hook))),
  );

/** By their keys: objects that runs which died, or failed, had deleted to create them anew, as they were last. */
export const objectsReplacedByDeadRuns = (history: readonly Release[]): ReadonlyMap<string, KubernetesObject> =>
  new Map(
    unfinishedRevisions(history)
      .toReversed()
      .flatMap(({ operation, namespace }) =>
        (operation?.replaced ?? []).map((object) => [objectKey(idOf(object, namespace)), object] as const),
      ),
  );

/** What tells a hook's object from that of others in its release. */
export const objectOfHook = ({ path, kind, name }: Hook): string => `${path} ${kind}/${name}`;

/** Whether a hook's object should be gone, by what the record says of its last run and by its delete policies. */
function isOverdue({ lastRun, ...hook }: Hook): boolean {
  switch (lastRun.phase) {
    case 'Succeeded':
      return hook.deletePolicies.includes('hook-succeeded');
    case 'Failed':
      return hook.deletePolicies.includes('hook-failed');
    case 'Running':
      return isTemporary(hook);
    default:
      return false;
  }
}
