import { refusalIn } from '../../cluster/api-error.ts';
import { isPending } from '../../release/history.ts';
import type { Release } from '../../release/types.ts';
import type { Context } from '../context.ts';
import { type DecidedMove, isSameMove } from './moves.ts';
import { type MarkedObject, ownedAs, putMarksBack, transferOwnership } from './owners.ts';

/**
 * Undoes what a move has written, where the API server refused to go on: no next run could finish it, and its pending
 * records would keep every other command from both releases. The pending record of the source goes last, so that a run
 * which dies here is finished, or undone, by the next one. Once the target is deployed, a move only goes on.
 * Whether it was undone.
 */
export async function goBack(decided: DecidedMove, failure: unknown): Promise<boolean> {
  const { from, to, left, taken } = decided;
  if (!isRefusedForGood(failure) || left === undefined || taken === undefined) return false;
  const written = (await (await to.context.storage()).revisions(to.id.release)).filter(isNewIn(decided));
  const newest = written.at(-1);
  if (newest !== undefined && !isOwnPending(newest, decided)) return false;
  await giveBack(decided, left);
  await deleteAll(written, decided.to);
  await deleteAll([left], from);
  return true;
}

/** What the server cannot do now (5xx), or refuses as too many requests, it may do for the next run. */
function isRefusedForGood(failure: unknown): boolean {
  const status = refusalIn(failure)?.status ?? 0;
  return status >= 400 && status < 500 && status !== 429;
}

/** What an adoption has begun with. */
export interface BegunAdoption {
  /** Its pending revision. */
  readonly adopting: Release;
  /** The objects as they were before; undefined where nobody knows. */
  readonly former: readonly MarkedObject[] | undefined;
}

/** The same for an adoption: the objects get back what they had before, then the pending record goes. Whether it was undone. */
export async function giveUpAdoption(
  { adopting, former }: BegunAdoption,
  failure: unknown,
  context: Context,
): Promise<boolean> {
  const { name, namespace, version } = adopting;
  const storage = await context.storage();
  if (!isRefusedForGood(failure) || former === undefined) return false;
  const written = await storage.get(name, version);
  if (written === undefined || !isPending(written)) return false;
  await putMarksBack(former, { release: name, namespace }, context);
  await storage.delete(name, version);
  return true;
}

/** What the target had before belongs to it: of a rename nothing, since its new name was free. */
const isNewIn =
  ({ move, to }: DecidedMove) =>
  (release: Release): boolean =>
    move.kind === 'rename' || release.version > (to.current?.version ?? 0);

const isOwnPending = (release: Release, { move }: DecidedMove): boolean =>
  isPending(release) && isSameMove(release.operation?.move, move);

/** Only what the move may have given away. */
async function giveBack({ from, to, result }: DecidedMove, left: Release): Promise<void> {
  const { objects } = result.plan;
  const given = objects.filter(
    ({ state }) => state === 'changes' || (state === 'unchanged' && from.begun !== undefined),
  );
  const now = await ownedAs(given, { from: to.id, to: from.id }, from.context);
  await transferOwnership(
    left,
    now.filter(({ state }) => state === 'changes'),
    from.context,
  );
}

async function deleteAll(releases: readonly Release[], { context }: DecidedMove['to']): Promise<void> {
  const storage = await context.storage();
  for (const { name, version } of releases) await storage.delete(name, version);
}
