import { lacksNamespace, refusalIn } from '../../cluster/api-error.ts';
import { namespaceObject } from '../../execute/apply/namespace.ts';
import type { Release } from '../../release/types.ts';
import { hasCode } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { DecidedMove, MovePlan, Side } from './moves.ts';
import { refusal } from './named-objects.ts';
import { tryGiving } from './owners.ts';

export interface TryOptions {
  readonly createNamespace?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/**
 * Asks the API server, by dry runs, whether it would take what a move writes, so that nothing is begun that cannot end. What
 * an earlier run has written is not asked for again. A missing namespace of the target is created, where that is wished.
 * Errors: `move-refused` for a missing namespace, `release-too-large`, `api-error`.
 */
export async function tryMove({ from, to, left, taken, result }: DecidedMove, options: TryOptions): Promise<void> {
  if (left !== undefined && from.begun === undefined) {
    await tryCreating(left, from.context);
    await tryGiving(to.id, result.plan.objects, to.context);
    await tryDeleting(result.plan, from.context);
  }
  // Last of all: a move that is refused leaves no namespace behind.
  if (taken !== undefined && to.begun === undefined) await tryCreatingIn(to, taken, options);
}

/** What a plan asks: its user may have no rights to write, so that a refusal for lack of them says nothing of the run. */
export async function tryForeseenMove(decided: DecidedMove, options: TryOptions): Promise<void> {
  try {
    await tryMove(decided, { ...options, dryRun: true });
  } catch (error) {
    if (refusalIn(error)?.status !== 403) throw error;
  }
}

async function tryCreatingIn({ id, context }: Side, release: Release, options: TryOptions): Promise<void> {
  try {
    await tryCreating(release, context);
  } catch (error) {
    const refused = refusalIn(error);
    if (refused === undefined || !lacksNamespace(refused)) throw error;
    if (!options.createNamespace) throw namespaceMissing(id.release, id.namespace);
    await createNamespace(id.namespace, context, options);
    if (!options.dryRun) await tryCreating(release, context);
  }
}

async function tryCreating(release: Release, context: Context): Promise<void> {
  const storage = await context.storage();
  await storage.checkSize(release);
  await storage.create(release, { dryRun: true });
  // It is not there yet; who may not update records is refused before that is looked at.
  await storage.update(release, { dryRun: true }).catch((error: unknown) => {
    if (!hasCode(error, 'release-not-found')) throw error;
  });
}

async function tryDeleting({ records }: MovePlan, { storage: open }: Context): Promise<void> {
  const deleted = records.find(({ action }) => action === 'delete');
  if (deleted !== undefined) await (await open()).delete(deleted.release, deleted.revision, { dryRun: true });
}

const namespaceMissing = (release: string, namespace: string) =>
  refusal(release, 'namespace-missing', {
    message: `namespace "${namespace}" does not exist, so nothing was changed; create it first`,
    remedies: [{ kind: 'set-option', option: 'createNamespace' }],
  });

/** The lock on a release of a missing namespace could not be taken before. */
async function createNamespace(
  name: string,
  { cluster: open, lock, signal }: Context,
  { dryRun }: TryOptions,
): Promise<void> {
  await (await open()).apply(namespaceObject(name), { signal, dryRun });
  if (dryRun) return;
  lock?.namespaceIsThere();
  await lock?.confirm(signal);
}
