import type { Context } from '../change/context.ts';
import {
  type DecidedMove,
  type ForeseenMove,
  type MovedRecord,
  type MovePlan,
  type MoveResult,
  type NamespacedContext,
  nothingToMove,
  type Side,
  sameRelease,
} from '../change/moves/moves.ts';
import { refusal } from '../change/moves/named-objects.ts';
import { objectsOf, transferOwnership } from '../change/moves/owners.ts';
import {
  type Contexts,
  contextsOf,
  deploy,
  historyWith,
  nextRevision,
  openSide,
  type ReleaseMove,
  refuseUnsettled,
  runMove,
  supersedeOlder,
  versionAfter,
} from '../change/moves/records.ts';
import { refuseWithoutNamespace, withoutNamespace } from '../change/moves/refusals.ts';
import { tryForeseenMove } from '../change/moves/try-move.ts';
import { formatId } from '../manifest/resource-id.ts';
import type { ResourceId } from '../manifest/types.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import { checkName, validateReleaseName } from '../release/name.ts';
import { releaseNotFound } from '../release/record.ts';
import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';
import type { RenameOptions } from './options/moves.ts';

/**
 * Gives a release another name, or its records another namespace: its revisions are copied, its objects made to name the new
 * release, and the old records deleted. Nothing else of its objects changes. Whatever the moment at which a run dies, the
 * next one goes on from there.
 * Errors: `release-not-found`, `name-in-use`, `move-refused`, `move-unfinished`, `operation-in-progress`.
 */
export async function rename(options: RenameOptions, context: NamespacedContext): Promise<MoveResult> {
  const requested = renameOf(options, context);
  return runMove(requested, options, contextsOf(requested, context), {
    decide: (contexts) => decide(requested, options, contexts),
    carryOut,
  });
}

/** What {@link rename} would do, and the records afterwards. Errors: those of rename. */
export async function foreseeRename(options: RenameOptions, context: NamespacedContext): Promise<ForeseenMove> {
  const requested = renameOf(options, context);
  const decided = await decide(requested, { ...options, dryRun: true }, contextsOf(requested, context));
  if (decided === undefined) return { result: nothingToMove(requested), histories: [], unknown: [] };
  await tryForeseenMove(decided, options);
  const { left, kept, result } = decided;
  const own = { name: requested.to.release, namespace: requested.to.namespace };
  const history = historyWith(
    kept.map((release) => ({ ...release, ...own })),
    { ...left, ...own },
  );
  return {
    result,
    histories: [
      { ...requested.from, history: [] },
      { ...requested.to, history },
    ],
    unknown: [],
  };
}

function renameOf({ name, to, toNamespace }: RenameOptions, { namespace }: NamespacedContext): ReleaseMove {
  checkName(name, `rename: Release name is invalid: ${name}`);
  validateReleaseName(to);
  const goal = { release: to, namespace: toNamespace ?? namespace };
  if (name === goal.release && namespace === goal.namespace)
    throw refusal(name, 'same-release', { message: `release "${name}" has this name already; choose another one` });
  return { kind: 'rename', from: { release: name, namespace }, to: goal, objects: [] };
}

interface Decided extends DecidedMove {
  readonly move: ReleaseMove;
  readonly from: Side;
  readonly left: Release;
  /** The earlier revisions that the new release keeps. */
  readonly kept: readonly Release[];
}

/** Undefined where there is nothing to rename, and that is no error. */
async function decide(
  requested: ReleaseMove,
  options: RenameOptions,
  contexts: Contexts,
): Promise<Decided | undefined> {
  const from = await openSide(requested.from, requested, options, contexts.from);
  const current = from.begun ?? from.current;
  if (current === undefined && (options.ignoreNotFound || (await isRenamed(requested, contexts.to)))) return undefined;
  if (current === undefined) throw releaseNotFound(requested.from.release);
  refuseUnsettled(from);
  const to = await openTarget(requested, { from, options }, contexts.to);
  const manifests = readStoredManifest(current.manifest);
  const isElsewhere = requested.from.namespace !== requested.to.namespace;
  if (isElsewhere) await refuseWithoutNamespace(manifests, requested.from, contexts.from);
  const objects = await objectsOf(manifests, { ...requested, namespace: requested.from.namespace }, contexts.from);
  const earlier = from.history.filter((release) => release !== from.begun);
  const kept = isElsewhere ? await portable(earlier, contexts.from) : earlier;
  const plan: MovePlan = {
    kind: 'rename',
    from: requested.from,
    to: requested.to,
    objects,
    records: recordsOf(requested, from, kept),
  };
  const left = from.begun ?? markOf(requested, { from, current, options });
  const { release: name, namespace } = requested.to;
  return {
    move: requested,
    from,
    to,
    left,
    taken: to.current !== undefined && to.begun === undefined ? undefined : (to.begun ?? { ...left, name, namespace }),
    kept,
    result: { plan, isUnchanged: false, warnings: namedAfter(requested, objects) },
  };
}

/** Whether an earlier run has finished: the record of the new name says whose it was. */
async function isRenamed({ from, to }: ReleaseMove, context: Context): Promise<boolean> {
  const history = await (await context.storage()).revisions(to.release);
  return history.some(({ renamedFrom }) => sameRelease(renamedFrom, from));
}

/** A chart that puts the release's name into names would make its objects anew under the new name. */
function namedAfter({ from, to }: ReleaseMove, objects: MovePlan['objects']): readonly string[] {
  if (from.release === to.release) return [];
  const named = objects.filter(({ name }) => name === from.release || name.startsWith(`${from.release}-`));
  if (named.length === 0) return [];
  return [
    `${named.length} of ${objects.length} objects are named after the release (${formatId(named[0] as ResourceId)}): if the chart uses .Release.Name for that, the next upgrade replaces them; most charts keep them with the value fullnameOverride: ${from.release}`,
  ];
}

/** The new name must be free, but for what an earlier run of this rename has written. Errors: `name-in-use`. */
async function openTarget(
  requested: ReleaseMove,
  { from, options }: { readonly from: Side; readonly options: RenameOptions },
  context: Context,
): Promise<Side> {
  const id = requested.to;
  const history = await (await context.storage()).revisions(id.release);
  const last = history.at(-1);
  const nobody = { id, context, history, current: undefined, begun: undefined };
  if (last === undefined) return nobody;
  if (from.begun !== undefined && isMovedIn(last, from.begun)) return { ...nobody, current: last };
  if (from.begun !== undefined && last.operation?.move !== undefined) return openSide(id, requested, options, context);
  throw new TshelmError('name-in-use', {
    message: `cannot rename release "${requested.from.release}" to "${id.release}": cannot reuse a name that is still in use`,
    details: { release: id.release, status: last.info.status },
  });
}

/**
 * Whether the new name has been deployed, and maybe upgraded since, before the last of the old records was deleted. The first
 * deployment of a release stays in all its revisions, by whichever Helm they are written.
 */
const isMovedIn = (last: Release, begun: Release): boolean =>
  last.info.firstDeployed === begun.info.firstDeployed &&
  (last.version > begun.version || (last.version === begun.version && last.info.status === 'deployed'));

/** A rollback to a revision whose manifest names no namespace would create its objects elsewhere: it is left behind. */
async function portable(history: readonly Release[], context: Context): Promise<readonly Release[]> {
  const isPortable = await Promise.all(
    history.map(async ({ manifest }) => (await withoutNamespace(readStoredManifest(manifest), context)).length === 0),
  );
  return history.filter((_, index) => isPortable[index]);
}

function recordsOf({ from: old, to }: ReleaseMove, from: Side, kept: readonly Release[]): readonly MovedRecord[] {
  const revision = from.begun?.version ?? versionAfter(from.history);
  const earlier = from.history.filter((release) => release !== from.begun);
  return [
    { ...to, revision, action: 'create' },
    ...kept.map(({ version }) => ({ ...to, revision: version, action: 'copy' as const })),
    ...earlier.map(({ version }) => ({ ...old, revision: version, action: 'delete' as const })),
  ];
}

/**
 * The old release gets a pending revision first and loses it last: until then no Helm upgrades it, and the next run reads
 * from it what is left to do. The new one is pending until all its objects name it.
 */
async function carryOut(decided: Decided): Promise<void> {
  const { from, to, left, taken } = decided;
  if (from.begun === undefined) await (await from.context.storage()).create(left);
  if (taken !== undefined) await moveIn(decided, taken);
  else if (to.current?.info.status === 'deployed') await supersedeOlder(to.id.release, await to.context.storage());
  await deleteOld([...from.history.filter((release) => release !== from.begun), left], from.context);
}

interface Marking {
  readonly from: Side;
  readonly current: Release;
  readonly options: RenameOptions;
}

function markOf(requested: ReleaseMove, { from, current, options }: Marking): Release {
  const description = `Renaming to ${requested.to.release}`;
  return nextRevision(from, current, { move: requested, description, manifest: current.manifest }, options);
}

async function moveIn({ move: { from }, to, kept, result }: Decided, renamed: Release): Promise<void> {
  const storage = await to.context.storage();
  const { name, namespace } = renamed;
  if (to.begun === undefined) await storage.create(renamed);
  const known = new Set(to.history.map(({ version }) => version));
  for (const release of kept.filter(({ version }) => !known.has(version)))
    await storage.create({ ...release, name, namespace });
  await transferOwnership(renamed, result.plan.objects, to.context);
  await deploy({ ...renamed, renamedFrom: from }, `Renamed from ${from.release}`, storage);
}

/** The newest goes last. */
async function deleteOld(history: readonly Release[], context: Context): Promise<void> {
  const storage = await context.storage();
  for (const { name, version } of history) await storage.delete(name, version);
}
