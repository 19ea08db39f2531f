import type { Context } from '../change/context.ts';
import {
  type ForeseenMove,
  type MovedRecord,
  type MovePlan,
  type MoveResult,
  type NamespacedContext,
  nothingToMove,
} from '../change/moves/moves.ts';
import { refusal } from '../change/moves/named-objects.ts';
import { giveTo, objectsOf, tryGiving } from '../change/moves/owners.ts';
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
  type Side,
  supersedeOlder,
  versionAfter,
} from '../change/moves/records.ts';
import { refuseWithoutNamespace, withoutNamespace } from '../change/moves/refusals.ts';
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
    carryOut: (decided) => carryOut(decided, options),
  });
}

/** What {@link rename} would do, and the records afterwards. Errors: those of rename. */
export async function foreseeRename(options: RenameOptions, context: NamespacedContext): Promise<ForeseenMove> {
  const requested = renameOf(options, context);
  const decided = await decide(requested, { ...options, dryRun: true }, contextsOf(requested, context));
  if (decided === undefined) return { result: nothingToMove(requested), histories: [], unknown: [] };
  const { from, kept, result } = decided;
  const own = { name: requested.to.release, namespace: requested.to.namespace };
  const history = historyWith(
    kept.map((release) => ({ ...release, ...own })),
    { ...(from.begun ?? markOf(decided, options)), ...own },
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

interface Decided {
  readonly rename: ReleaseMove;
  readonly from: Side;
  readonly to: Side;
  /** The revision that is deployed, and what becomes of it. */
  readonly current: Release;
  /** The earlier revisions that the new release keeps. */
  readonly kept: readonly Release[];
  readonly result: MoveResult;
}

/** Undefined where there is nothing to rename, and that is no error. */
async function decide(
  requested: ReleaseMove,
  options: RenameOptions,
  contexts: Contexts,
): Promise<Decided | undefined> {
  const from = await openSide(requested.from, requested, options, contexts.from);
  const current = from.begun ?? from.current;
  if (current === undefined && options.ignoreNotFound) return undefined;
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
  return {
    rename: requested,
    from,
    to,
    current,
    kept,
    result: { plan, isUnchanged: false, warnings: namedAfter(requested, objects) },
  };
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
  const isOwn = from.begun !== undefined && (last === undefined || last.version <= from.begun.version);
  if (last === undefined) return { id, context, history, current: undefined, begun: undefined };
  if (isOwn && last.info.status === 'deployed' && last.version === from.begun?.version)
    return { id, context, history, current: last, begun: undefined };
  if (isOwn && last.operation?.move !== undefined) return openSide(id, requested, options, context);
  throw new TshelmError('name-in-use', {
    message: `cannot rename release "${requested.from.release}" to "${id.release}": cannot reuse a name that is still in use`,
    details: { release: id.release, status: last.info.status },
  });
}

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
async function carryOut(decided: Decided, options: RenameOptions): Promise<void> {
  const { rename: requested, from, to, result } = decided;
  if (from.begun === undefined) await tryGiving(requested.to, result.plan.objects, to.context);
  const mark = from.begun ?? (await markOld(decided, options));
  const isMovedIn = to.current !== undefined && to.begun === undefined;
  if (isMovedIn) await supersedeOlder(requested.to.release, await to.context.storage());
  else await moveIn(decided, mark);
  await deleteOld([...from.history.filter((release) => release !== from.begun), mark], from.context);
}

function markOf({ rename: requested, from, current }: Decided, options: RenameOptions): Release {
  const description = `Renaming to ${requested.to.release}`;
  return nextRevision(from, current, { move: requested, description, manifest: current.manifest }, options);
}

async function markOld(decided: Decided, options: RenameOptions): Promise<Release> {
  const mark = markOf(decided, options);
  const storage = await decided.from.context.storage();
  await storage.checkSize(mark);
  await storage.create(mark);
  return mark;
}

async function moveIn({ rename: requested, to, kept, result }: Decided, mark: Release): Promise<void> {
  const storage = await to.context.storage();
  const { release: name, namespace } = requested.to;
  const renamed = to.begun ?? { ...mark, name, namespace };
  if (to.begun === undefined) await storage.create(renamed);
  const known = new Set(to.history.map(({ version }) => version));
  for (const release of kept.filter(({ version }) => !known.has(version)))
    await storage.create({ ...release, name, namespace });
  await giveTo(renamed, result.plan.objects, to.context);
  await deploy(renamed, `Renamed from ${requested.from.release}`, storage);
}

/** The newest goes last. */
async function deleteOld(history: readonly Release[], context: Context): Promise<void> {
  const storage = await context.storage();
  for (const { name, version } of history) await storage.delete(name, version);
}
