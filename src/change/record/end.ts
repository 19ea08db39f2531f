import { supersede, withStatus } from '../../release/history.ts';
import type { Release } from '../../release/types.ts';
import { hasCode, isAbort, messageOf, TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import { failureText } from '../failure.ts';
import type { Done, StoppedByFailure } from '../phases.ts';
import { updateOrWarn } from './release-record.ts';

/** The new revision is deployed; what it replaced is superseded, and what a run that died had deployed and left so. */
export async function endUpgrade(done: Done, context: Context): Promise<Release> {
  const { record, history, replaced, options, plan } = done;
  const description = options.description || (plan.action === 'install' ? 'Install complete' : 'Upgrade complete');
  const deployed = await record.finish((latest) => withStatus(latest, 'deployed', description));
  const storage = await context.storage();
  const replacedToo = history.filter((release) => release === replaced || release.info.status === 'deployed');
  for (const release of replacedToo) await updateOrWarn(supersede(release), storage, context.onEvent);
  return deployed;
}

/** What was deployed until now is superseded, all of it (helm issue 2941). */
export async function endRollback({ record, release }: Done, context: Context): Promise<Release> {
  const storage = await context.storage();
  const revisions = await storage.revisions(release.name);
  const deployed = await record.finish((latest) => withStatus(latest, 'deployed'));
  const replaced = revisions.filter(({ version, info }) => version !== release.version && info.status === 'deployed');
  await Promise.all(replaced.map((old) => storage.update(supersede(old))));
  return deployed;
}

/**
 * The release is uninstalled: every revision is deleted, or the history kept. What failed without stopping the run is told
 * here. Errors: `uninstall-failed`.
 */
export async function endUninstall(
  done: Done,
  options: { readonly keepHistory?: boolean | undefined; readonly description?: string | undefined },
  context: Context,
): Promise<Release> {
  const { record, result, history } = done;
  await record.settle();
  const release = withStatus(record.release, 'uninstalled', options.description || 'Uninstallation complete');
  const errors = result.failures.map(({ error }) => error);
  // What blocks a deletion may be put right: until the objects are gone, the record says whose they are.
  if (result.failures.some(({ step }) => step.kind === 'delete')) throw uninstallFailure(errors, record.release);
  if (options.keepHistory) await keepHistory(release, done, context);
  else await purge(history, context).catch((error: unknown) => errors.push(purgeFailure(error)));
  if (errors.length > 0) throw uninstallFailure(errors, release);
  return release;
}

async function keepHistory(uninstalled: Release, { record, history }: Done, context: Context): Promise<void> {
  await record.finish(() => uninstalled);
  const storage = await context.storage();
  const isDeployed = ({ version, info }: Release): boolean =>
    version !== uninstalled.version && info.status === 'deployed';
  await Promise.all(history.filter(isDeployed).map((old) => storage.update(supersede(old))));
}

const purgeFailure = (error: unknown): Error =>
  new TshelmError('purge-failed', {
    message: `uninstall: Failed to purge the release: ${messageOf(error)}`,
    cause: error,
  });

const uninstallFailure = (errors: readonly unknown[], release: Release): TshelmError =>
  new TshelmError('uninstall-failed', {
    message: `uninstallation completed with ${errors.length} error(s): ${errors.map((error) => failureText(error)).join('; ')}`,
    details: { release: release.name, errors: errors.map((error) => failureText(error)) },
    cause: errors[0],
  });

/** Deletes every revision. */
export async function purge(history: readonly Release[], context: Context): Promise<void> {
  const storage = await context.storage();
  const remove = ({ name, version }: Release): Promise<void> => storage.delete(name, version);
  await Promise.all(history.slice(0, -1).map(remove));
  // The newest one goes last: until then it says that the release is being uninstalled.
  await Promise.all(history.slice(-1).map(remove));
}

/**
 * An uninstall that stops stays `uninstalling`, as Helm leaves it. Where the user interrupted it, or objects of an ordered
 * one stay too long, the record says how far that went; the next uninstall goes on from there.
 */
export async function stopUninstall(
  { record, error, isRecorded, plan }: StoppedByFailure,
  { lock }: Context,
): Promise<void> {
  const isRecordedAsStopped = isAbort(error) || (plan.strategy === 'ordered' && hasCode(error, 'wait-timeout'));
  if (isRecorded && isRecordedAsStopped && !lock?.lost.aborted) {
    const text = `Uninstallation stopped: ${failureText(error, record.whereabouts)}`;
    await record.fail((latest) => withStatus(latest, 'uninstalling', text));
  }
  await record.settle();
}
