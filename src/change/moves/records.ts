import { parseManifests } from '../../manifest/parse.ts';
import type { Manifest } from '../../manifest/types.ts';
import { deployedRevision, lastRevision, supersede, withStatus } from '../../release/history.ts';
import type { MoveRecord, Release, ReleaseId, ReleaseStorage } from '../../release/types.ts';
import { addedDetail, TshelmError } from '../../support/errors.ts';
import { formatTime } from '../../support/time.ts';
import type { Context } from '../context.ts';
import type { LockOptions } from '../lock-options.ts';
import { settledHistory } from '../record/settled-history.ts';
import { finishing, refuseUnfinishedMove } from '../record/unfinished-move.ts';
import { operationRecord, withLock } from '../record/with-lock.ts';
import { goBack } from './go-back.ts';
import {
  type DecidedMove,
  isSameMove,
  type MoveContext,
  type MoveDecision,
  type MoveResult,
  type NamespacedContext,
  nothingToMove,
  type Side,
} from './moves.ts';
import { type TryOptions, tryMove } from './try-move.ts';

/**
 * Reads a release that is to be moved. A dry run takes nothing over. Errors: `operation-in-progress`, `move-unfinished` for
 * another move than this.
 */
export async function openSide(
  id: ReleaseId,
  move: MoveRecord,
  options: LockOptions & { readonly dryRun?: boolean | undefined },
  context: Context,
): Promise<Side> {
  const history = options.dryRun
    ? await (await context.storage()).revisions(id.release)
    : (await settledHistory(id.release, { ...options, continuesMove: true }, context)).history;
  const last = history.at(-1);
  if (last === undefined) return { id, context, history, current: undefined, begun: undefined };
  const deployed = deployedRevision(history);
  if (isSameMove(last.operation?.move, move)) return { id, context, history, current: deployed, begun: last };
  refuseUnfinishedMove(last);
  const unsettled = last === deployed ? undefined : last;
  return { id, context, history, current: deployed ?? last, begun: undefined, unsettled };
}

/** Errors: `move-refused` where the last revision is not deployed: what the release has is not certain then. */
export function refuseUnsettled({ unsettled }: Side): void {
  if (unsettled !== undefined) throw notDeployed(unsettled);
}

const notDeployed = ({ name, version, info }: Release): TshelmError =>
  new TshelmError('move-refused', {
    message: `revision ${version} of release "${name}" is ${info.status}, and only a deployed release can be moved; upgrade or roll it back first`,
    details: { release: name, why: 'not-deployed' },
  });

/** The next revision of a release, pending, with other resources: from now on its record says what is being done. */
export function nextRevision(
  { history, context }: Side,
  base: Release,
  { move, description, manifest }: NextRevision,
  options: LockOptions,
): Release {
  const version = versionAfter(history);
  const now = formatTime(context.clock.now());
  return {
    ...base,
    version,
    info: {
      ...base.info,
      firstDeployed: base.info.firstDeployed ?? now,
      lastDeployed: now,
      status: version === 1 ? 'pending-install' : 'pending-upgrade',
      description,
      rollbackRevision: undefined,
    },
    manifest,
    // As in a revision that Helm writes: the order is read back from the manifest and earlier revisions.
    sequencing: undefined,
    operation: { holder: '', isLeased: false, timeoutSeconds: 0, ...operationRecord(options, context), move },
  };
}

interface NextRevision {
  readonly move: MoveRecord;
  readonly description: string;
  readonly manifest: string;
}

/** The documents of a stored manifest, those without an object too, so that `manifestText` gives the same text again. */
export const documentsOf = ({ manifest }: Release): readonly Manifest[] =>
  parseManifests(manifest).map((document) => ({ ...document, text: document.text.replace(/\n$/, '') }));

export const versionAfter = (history: readonly Release[]): number => (history.at(-1)?.version ?? 0) + 1;

/** The move of a release is finished: the new revision is deployed, and all before it are superseded. */
export async function deploy(release: Release, description: string, storage: ReleaseStorage): Promise<void> {
  await storage.update(withStatus(release, 'deployed', description));
  await supersedeOlder(release.name, storage);
}

/** The revisions of a release once the new one is deployed. */
export const historyWith = (history: readonly Release[], release: Release): readonly Release[] => [
  ...history
    .filter(({ version }) => version !== release.version)
    .map((one) => (one.info.status === 'deployed' ? supersede(one) : one)),
  withStatus(release, 'deployed'),
];

/** Also what a run that was killed has left deployed beside its new revision. */
export async function supersedeOlder(name: string, storage: ReleaseStorage): Promise<void> {
  const history = await storage.revisions(name);
  if (history.length === 0) return;
  const { version } = lastRevision(name, history);
  const older = history.filter((other) => other.version < version && other.info.status === 'deployed');
  for (const other of older) await storage.update(supersede(other));
}

/** A move from one release to another one. */
export type ReleaseMove = MoveRecord & { readonly from: ReleaseId };

/** What the two releases of a move are worked on with. */
export interface Contexts {
  readonly from: MoveContext;
  readonly to: Context;
}

export const contextsOf = ({ to }: ReleaseMove, context: NamespacedContext): Contexts => ({
  from: context,
  to: context.inNamespace(to.namespace),
});

/** A kind of move: what is to be done, undefined for nothing, and how that is carried out. */
interface Mover<Decided extends DecidedMove> {
  readonly decide: (contexts: Contexts) => Promise<Decided | undefined>;
  readonly carryOut: (decided: Decided) => Promise<void>;
}

/**
 * Decides a move, tries it, and carries it out while both releases are locked; a dry run does not carry it out. What the API
 * server refuses in the middle is undone. Errors: those of both, of tryMove and of withLock.
 */
export async function runMove<Decided extends DecidedMove>(
  move: ReleaseMove,
  options: LockOptions & TryOptions,
  contexts: Contexts,
  { decide, carryOut }: Mover<Decided>,
): Promise<MoveResult> {
  const attempted = async (given: Contexts): Promise<Decided | undefined> => {
    const decided = await decide(given);
    if (decided === undefined) return undefined;
    await contexts.from.onMoveDecided?.(decisionOf(decided));
    await tryMove(decided, options);
    return decided;
  };
  if (options.dryRun) return (await attempted(contexts))?.result ?? nothingToMove(move);
  return withBothLocks(move, options, contexts, async (locked) => {
    const decided = await attempted(locked);
    if (decided === undefined) return nothingToMove(move);
    await orGoBack(decided, () => carryOut(decided));
    return decided.result;
  });
}

const decisionOf = ({ from, to, left, taken, result }: DecidedMove): MoveDecision => ({
  plan: result.plan,
  histories: [from, to].map(({ id, history }) => ({ ...id, history })),
  records: [left, taken].flatMap((release) => release ?? []),
});

async function orGoBack(decided: DecidedMove, carryOut: () => Promise<void>): Promise<void> {
  try {
    await carryOut();
  } catch (error) {
    // Where going back is refused too, the next run of the same command goes on.
    const isUndone = await goBack(decided, error).catch(() => false);
    throw isUndone || !(error instanceof TshelmError) ? error : unfinished(error, decided);
  }
}

/** A move that a failure has interrupted. */
const unfinished = (error: TshelmError, { move }: DecidedMove): TshelmError =>
  error.wrapped({
    message: `${error.message}; the ${move.kind} is not finished`,
    details: { remedies: [...(addedDetail(error, 'remedies') ?? []), finishing(move)] },
  });

/** Locks two releases, always in the same order, so that two runs cannot wait for each other. Errors: those of withLock. */
function withBothLocks<T>(
  move: ReleaseMove,
  options: LockOptions,
  contexts: Contexts,
  task: (contexts: Contexts) => Promise<T>,
): Promise<T> {
  const [source, target] = [
    { name: move.from.release, context: contexts.from },
    { name: move.to.release, context: contexts.to },
  ];
  const isSourceFirst = keyOf(move.from) < keyOf(move.to);
  const [first, second] = isSourceFirst ? ([source, target] as const) : ([target, source] as const);
  return withLock(move.kind, { ...options, name: first.name }, first.context, (one) =>
    // What the second run of changes loses with the lock of the first, it must notice too.
    withLock(move.kind, { ...options, name: second.name }, { ...second.context, signal: one.signal }, (other) =>
      task(isSourceFirst ? { from: one, to: other } : { from: other, to: one }),
    ),
  );
}

const keyOf = ({ release, namespace }: ReleaseId): string => `${namespace}/${release}`;
