import { plainWait } from '../plan/choice.ts';
import { isSequencing } from '../plan/sequencing.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import { storedOrder } from '../plan/stored-order.ts';
import type { WaitMode } from '../plan/types.ts';
import { lastRevision } from '../release/history.ts';
import type { Release } from '../release/types.ts';
import { manifestText } from '../render/manifest-text.ts';
import { formatTime } from '../support/time.ts';
import type { Context } from './context.ts';
import { hooksOnlyChange } from './hooks-only-change.ts';
import type { LockOptions } from './lock-options.ts';
import { type KeepObjects, keptObjects } from './moves/kept-objects.ts';
import type { ChangeOptions, RenderedForReal } from './phases.ts';
import { refuseUnfinishedMove } from './record/unfinished-move.ts';
import { operationRecord } from './record/with-lock.ts';

type UninstallOptions = ChangeOptions & {
  readonly keepObjects?: KeepObjects | undefined;
  readonly cascade?: 'background' | 'foreground' | 'orphan' | undefined;
  readonly wait?: WaitMode | undefined;
};

const propagations = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** An uninstall renders nothing: the last revision is what is taken away. Errors: `release-not-found`, `move-unfinished`. */
export function prepareUninstall(options: UninstallOptions, history: readonly Release[]): RenderedForReal {
  const release = lastRevision(options.name, history);
  refuseUnfinishedMove(release);
  const all = readStoredManifest(release.manifest);
  const kept = new Set(keptObjects(all, options.keepObjects, release.name));
  const manifests = all.filter((manifest) => !kept.has(manifest));
  const toDelete = kept.size === 0 ? release : { ...release, manifest: manifestText(manifests) };
  return {
    ...takeHookObjects(release, options),
    options,
    history,
    recordedAs: 'uninstalling',
    manifests,
    order: storedOrder(toDelete, history, options.wait),
  };
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
