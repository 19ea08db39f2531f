import {
  type DecidedMove,
  type ForeseenMove,
  type MovePlan,
  type MoveResult,
  type NamespacedContext,
  nothingToMove,
  type Side,
  sameRelease,
} from '../change/moves/moves.ts';
import { manifestsNamed, refusal } from '../change/moves/named-objects.ts';
import { objectsOf, transferOwnership } from '../change/moves/owners.ts';
import {
  type Contexts,
  contextsOf,
  deploy,
  documentsOf,
  historyWith,
  nextRevision,
  openSide,
  type ReleaseMove,
  refuseUnsettled,
  runMove,
  supersedeOlder,
  versionAfter,
} from '../change/moves/records.ts';
import { refuseForeign, refuseWithoutNamespace } from '../change/moves/refusals.ts';
import { tryForeseenMove } from '../change/moves/try-move.ts';
import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { Manifest } from '../manifest/types.ts';
import { checkName } from '../release/name.ts';
import { releaseNotFound } from '../release/record.ts';
import type { Release, ReleaseId } from '../release/types.ts';
import { manifestText } from '../render/manifest-text.ts';
import type { MoveOptions } from './options/moves.ts';

/**
 * Makes objects of one release belong to another one, without touching anything else of them. Each release gets a new
 * revision: one without these objects, so that its next upgrade does not delete them, and one with them. A release that
 * does not exist yet gets its first. Whatever the moment at which a run dies, the next one goes on from there.
 * Errors: `release-not-found`, `move-refused`, `ownership-conflict`, `move-unfinished`, `operation-in-progress`.
 */
export async function move(options: MoveOptions, context: NamespacedContext): Promise<MoveResult> {
  const requested = moveOf(options, context);
  return runMove(requested, options, contextsOf(requested, context), {
    decide: (contexts) => decide(requested, options, contexts),
    carryOut,
  });
}

/** What {@link move} would do, and the records afterwards. Errors: those of move. */
export async function foreseeMove(options: MoveOptions, context: NamespacedContext): Promise<ForeseenMove> {
  const requested = moveOf(options, context);
  const decided = await decide(requested, { ...options, dryRun: true }, contextsOf(requested, context));
  if (decided === undefined) return { result: nothingToMove(requested), histories: [], unknown: [] };
  await tryForeseenMove(decided, options);
  const { left, taken } = decided;
  const after = ({ id, history }: Side, release: Release | undefined): ForeseenMove['histories'] =>
    release === undefined ? [] : [{ ...id, history: historyWith(history, release) }];
  const histories = [...after(decided.from, left), ...after(decided.to, taken)];
  return { result: decided.result, histories, unknown: unknownOf(decided) };
}

/** What has been moved and deleted since is still in an earlier revision. */
function unknownOf({ from, to, unknown }: Decided): readonly string[] {
  if (from.current === undefined) return [];
  return [...from.history, ...to.history].reduce(
    (names, revision) =>
      manifestsNamed(names, documentsOf(revision), { release: revision.name, namespace: revision.namespace }).unknown,
    unknown,
  );
}

function moveOf({ name, to, toNamespace, objects }: MoveOptions, { namespace }: NamespacedContext): ReleaseMove {
  for (const one of [name, to]) checkName(one, `move: Release name is invalid: ${one}`);
  const requested: ReleaseMove = {
    kind: 'move',
    from: { release: name, namespace },
    to: { release: to, namespace: toNamespace ?? namespace },
    objects,
  };
  if (sameRelease(requested.from, requested.to))
    throw refusal(name, 'same-release', {
      message: `the objects belong to release "${name}" already; name another one`,
    });
  return requested;
}

interface Decided extends DecidedMove {
  readonly move: ReleaseMove;
  readonly from: Side;
  /** With `ignoreNotFound`: the names of objects that neither release has now. */
  readonly unknown: readonly string[];
}

/** Undefined where there is nothing to move, and that is no error. */
async function decide(move: ReleaseMove, options: MoveOptions, contexts: Contexts): Promise<Decided | undefined> {
  const from = await openSide(move.from, move, options, contexts.from);
  const to = await openSide(move.to, move, options, contexts.to);
  const isGone = from.current === undefined;
  if (isGone && to.begun === undefined) {
    if (options.ignoreNotFound) return undefined;
    throw releaseNotFound(move.from.release);
  }
  const here = documentsIn(from.current);
  // Where Helm has uninstalled the source in the middle of a move, the target's pending record has what was moved.
  const there = documentsIn(isGone ? to.begun : to.current);
  const { named: leaving, unknown } = manifestsNamed(move.objects, here, move.from);
  const moved = manifestsNamed(unknown, there, move.to);
  if (!options.ignoreNotFound) refuseUnknown(moved.unknown, move.from);
  if (move.from.namespace !== move.to.namespace) await refuseWithoutNamespace(leaving, move.from, contexts.from);
  const where = { ...move, namespace: move.from.namespace };
  const objects = await objectsOf([...leaving, ...moved.named], where, contexts.from);
  refuseForeign(objects, move.to);
  const coming = leaving.filter((manifest) => !has(there, manifest, move));
  const isLeaving = from.begun !== undefined || leaving.length > 0;
  const isComing = to.begun !== undefined || coming.length > 0;
  if (isLeaving || isComing) for (const side of [from, to]) refuseUnsettled(side);
  const sides = { move, from, to, options };
  const records = [...(isLeaving ? [newRecord(from)] : []), ...(isComing ? [newRecord(to)] : [])];
  return {
    move,
    from,
    to,
    left: isLeaving
      ? leftRevision(
          sides,
          here.filter((manifest) => !leaving.includes(manifest)),
        )
      : undefined,
    taken: isComing ? takenRevision(sides, [...there, ...coming]) : undefined,
    unknown: moved.unknown,
    result: {
      plan: { kind: move.kind, from: move.from, to: move.to, objects, records },
      isUnchanged: !isLeaving && !isComing,
      warnings: [],
    },
  };
}

const documentsIn = (release: Release | undefined): readonly Manifest[] =>
  release === undefined ? [] : documentsOf(release);

const newRecord = ({ id, begun, history }: Side): MovePlan['records'][number] => ({
  ...id,
  revision: begun?.version ?? versionAfter(history),
  action: 'create',
});

const has = (manifests: readonly Manifest[], { object }: Manifest, { from, to }: ReleaseMove): boolean =>
  manifests.some((other) => objectKey(idOf(other.object, to.namespace)) === objectKey(idOf(object, from.namespace)));

function refuseUnknown(unknown: readonly string[], { release, namespace }: ReleaseId): void {
  if (unknown.length === 0) return;
  throw refusal(release, 'no-such-object', {
    message: `release "${release}" has no ${unknown.join(' and no ')}; \`tshelm get manifest ${release} -n ${namespace}\` shows its objects`,
    objects: unknown,
  });
}

/**
 * The records come first, pending: until both are finished, no Helm upgrades one of the releases, and the next run reads
 * from them what is left to do. The source is finished last, because it alone still says what has to be moved.
 */
async function carryOut(decided: Decided): Promise<void> {
  const { move, from, to, left, taken, result } = decided;
  await begin(from, left);
  await begin(to, taken);
  const owner = taken ?? to.current;
  if (owner !== undefined) await transferOwnership(owner, result.plan.objects, to.context);
  const names = move.objects.join(', ');
  await finish(to, taken, `Took ${names} from release ${move.from.release}`);
  await finish(from, left, `Moved ${names} to release ${move.to.release}`);
}

async function finish({ id, context }: Side, begun: Release | undefined, description: string): Promise<void> {
  const storage = await context.storage();
  if (begun === undefined) await supersedeOlder(id.release, storage);
  else await deploy(begun, description, storage);
}

async function begin({ context, begun }: Side, release: Release | undefined): Promise<void> {
  if (release !== undefined && begun === undefined) await (await context.storage()).create(release);
}

interface Sides {
  readonly move: ReleaseMove;
  readonly from: Side;
  readonly to: Side;
  readonly options: MoveOptions;
}

function leftRevision({ move, from, options }: Sides, staying: readonly Manifest[]): Release | undefined {
  if (from.begun !== undefined || from.current === undefined) return from.begun;
  const description = `Moving ${move.objects.join(', ')} to release ${move.to.release}`;
  return nextRevision(from, from.current, { move, description, manifest: manifestText(staying) }, options);
}

/** Of a release that does not exist yet, the first revision has the chart that the objects come from, and no values. */
function takenRevision({ move, from, to, options }: Sides, coming: readonly Manifest[]): Release | undefined {
  if (to.begun !== undefined) return to.begun;
  const description = `Taking ${move.objects.join(', ')} from release ${move.from.release}`;
  const base = to.current ?? (from.current && firstRevision(from.current, move.to));
  if (base === undefined) return undefined;
  return nextRevision(to, base, { move, description, manifest: manifestText(coming) }, options);
}

const firstRevision = (source: Release, { release, namespace }: ReleaseId): Release => ({
  ...source,
  name: release,
  namespace,
  config: new Map(),
  hooks: [],
  labels: {},
  info: { ...source.info, firstDeployed: undefined, notes: undefined },
});
