import { isRefusedFor } from '../../cluster/api-error.ts';
import { createRevision, withStatus } from '../../release/history.ts';
import type { Release, ReleaseStorage } from '../../release/types.ts';
import { messageOf } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { Checked } from '../phases.ts';

/** Writes down that a change begins: a new revision, or of an uninstall the last one as `uninstalling`. */
export async function beginRecord({ action, release, history, options }: Checked, context: Context): Promise<void> {
  const storage = await context.storage();
  if (action === 'uninstall') return beginUninstall(release, storage, context);
  if (action !== 'install') return createRevision(storage, release, history, options.maxHistory);
  await supersedeReplaced(history, storage);
  await createRevision(storage, release, []);
}

/** Helm too goes on where the role may not update records, and deletes them at the end. */
async function beginUninstall(release: Release, storage: ReleaseStorage, { onEvent }: Context): Promise<void> {
  try {
    await storage.update(release);
  } catch (error) {
    if (!isRefusedFor(error, 'Forbidden')) throw error;
    onEvent?.({ kind: 'warning', text: messageOf(error) });
  }
}

/** A release that failed keeps its status; any other that is replaced is superseded (Install.replaceRelease). */
async function supersedeReplaced(history: readonly Release[], storage: ReleaseStorage): Promise<void> {
  const last = history.at(-1);
  if (last === undefined || last.info.status === 'failed') return;
  await storage.update(withStatus(last, 'superseded', 'superseded by new release'));
}
