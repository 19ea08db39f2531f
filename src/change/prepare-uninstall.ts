import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { Manifest } from '../manifest/types.ts';
import { plainWait } from '../plan/choice.ts';
import { isProtected } from '../plan/keep.ts';
import { isSequencing } from '../plan/sequencing.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import { storedOrder } from '../plan/stored-order.ts';
import type { WaitMode } from '../plan/types.ts';
import { lastRevision } from '../release/history.ts';
import type { Release, ReleaseId } from '../release/types.ts';
import { manifestText } from '../render/manifest-text.ts';
import { formatTime } from '../support/time.ts';
import type { Context } from './context.ts';
import { hooksOnlyChange } from './hooks-only-change.ts';
import type { LockOptions } from './lock-options.ts';
import { type KeepObjects, keptObjects, markedAsKept, refuseGoingHolders } from './moves/kept-objects.ts';
import type { ChangeOptions, RenderedForReal } from './phases.ts';
import { revisionsWithLeftovers } from './record/dead-runs.ts';
import { refuseUnfinishedMove } from './record/unfinished-move.ts';
import { operationRecord } from './record/with-lock.ts';

type UninstallOptions = ChangeOptions & {
  readonly keepObjects?: KeepObjects | undefined;
  readonly cascade?: 'background' | 'foreground' | 'orphan' | undefined;
  readonly wait?: WaitMode | undefined;
};

const propagations = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

export interface PreparedUninstall extends RenderedForReal {
  /** What `keepObjects` chooses, including what failed revisions have left. */
  readonly kept: readonly Manifest[];
}

/** An uninstall renders nothing: the last revision is what is taken away. Errors: `release-not-found`, `move-unfinished`. */
export function prepareUninstall(options: UninstallOptions, history: readonly Release[]): PreparedUninstall {
  const release = lastRevision(options.name, history);
  refuseUnfinishedMove(release);
  const id = { release: release.name, namespace: release.namespace };
  const all = readStoredManifest(release.manifest);
  const candidates = [...all, ...leftBeside(all, id, history)];
  const kept = keptObjects(candidates, options.keepObjects, id);
  refuseGoingHolders(candidates, kept, id);
  const stays = new Set(kept);
  const manifests = all.filter((manifest) => !stays.has(manifest));
  const toDelete = kept.length === 0 ? release : { ...release, manifest: manifestText(manifests) };
  return {
    ...takeHookObjects(markedAsKept(release, kept), options),
    options,
    history,
    recordedAs: 'uninstalling',
    manifests,
    kept,
    order: storedOrder(toDelete, history, options.wait),
  };
}

/** What revisions that failed or were cut off have left beside these resources: an uninstall deletes that too. */
function leftBeside(
  manifests: readonly Manifest[],
  { namespace }: ReleaseId,
  history: readonly Release[],
): readonly Manifest[] {
  const keyOf = ({ object }: Manifest): string => objectKey(idOf(object, namespace));
  const known = new Set(manifests.map(keyOf));
  return revisionsWithLeftovers(history)
    .flatMap(({ manifest }) => readStoredManifest(manifest))
    .filter((manifest) => {
      const isNew = !known.has(keyOf(manifest)) && !isProtected(manifest.object);
      known.add(keyOf(manifest));
      return isNew;
    });
}

/** The same of a release whose resources are gone: what its hooks have left, if it is to be deleted. */
export const takeHookObjects = (release: Release, options: UninstallOptions): RenderedForReal => ({
  ...hooksOnlyChange(release),
  action: 'uninstall',
  plannedAs: 'uninstall',
  options: { ...options, noHooks: true },
  order: { strategy: plainWait(options.wait) ?? 'hookOnly', warnings: [] },
  execution: { propagation: options.cascade && propagations[options.cascade] },
});

/** The record of a release while it is uninstalled: its units are not what they became when it was deployed any more. */
export const uninstalling = (release: Release, options: LockOptions, context: Context): Release => ({
  ...release,
  sequencing: isSequencing(release.sequencing) ? { ...release.sequencing, states: [] } : release.sequencing,
  operation: operationRecord(options, context),
  info: {
    ...release.info,
    status: 'uninstalling',
    deleted: formatTime(context.clock.now()),
    description: 'Deletion in progress (or silently failed)',
  },
});
