import { createRevision, withStatus } from '../../release/history.ts';
import type { Release, ReleaseStorage } from '../../release/types.ts';
import type { Context } from '../context.ts';
import type { Checked } from '../phases.ts';

/** Writes down that a change begins: a new revision, or of an uninstall the last one as `uninstalling`. */
export async function beginRecord({ action, release, history, options }: Checked, context: Context): Promise<void> {
  const storage = await context.storage();
  if (action === 'uninstall') return storage.update(release);
  if (action !== 'install') return createRevision(storage, release, history, options.maxHistory);
  await supersedeReplaced(history, storage);
  await createRevision(storage, release, []);
}

/** A release that failed keeps its status; any other that is replaced is superseded (Install.replaceRelease). */
async function supersedeReplaced(history: readonly Release[], storage: ReleaseStorage): Promise<void> {
  const last = history.at(-1);
  if (last === undefined || last.info.status === 'failed') return;
  await storage.update(withStatus(last, 'superseded', 'superseded by new release'));
}
