import type { ResourceId } from '../../manifest/types.ts';
import type { MoveRecord, Release, ReleaseId } from '../../release/types.ts';
import type { Context } from '../context.ts';

/** What is decided of a move, before anything of it is tried or written. */
export interface MoveDecision {
  readonly plan: MovePlan;
  /** Of the releases that take part. */
  readonly histories: readonly (ReleaseId & { readonly history: readonly Release[] })[];
  /** The revisions that are written. */
  readonly records: readonly Release[];
}

/** Told of a move that is decided, in a dry run too; fails where it may not go on. */
export type OnMoveDecided = (decision: MoveDecision) => Promise<void>;

export interface MoveContext extends Context {
  readonly onMoveDecided?: OnMoveDecided | undefined;
}

/** What moves work with: a release may go to another namespace. */
export interface NamespacedContext extends MoveContext {
  /** The same for releases of another namespace. */
  inNamespace(namespace: string): Context;
}

/** What a move, a rename or an adoption changes, or with `dryRun` would change. */
export interface MovePlan {
  readonly kind: MoveRecord['kind'];
  /** Whose the objects were; undefined where they are adopted. */
  readonly from?: ReleaseId | undefined;
  readonly to: ReleaseId;
  readonly objects: readonly MovedObject[];
  /** In the order in which they are written. */
  readonly records: readonly MovedRecord[];
}

export interface MovedObject extends ResourceId {
  /**
   * `changes`: its label and annotations will name the new release. `unchanged`: they do already. `absent`: the object is
   * not in the cluster, so that only the records change. `foreign`: it belongs to another release, and stays there.
   */
  readonly state: 'changes' | 'unchanged' | 'absent' | 'foreign';
  /** The release that it belongs to now. */
  readonly owner?: ReleaseId | undefined;
}

export interface MovedRecord extends ReleaseId {
  readonly revision: number;
  readonly action: 'create' | 'copy' | 'delete';
}

/** A move that is decided. */
export interface MoveResult {
  readonly plan: MovePlan;
  /** Nothing was to be done: an earlier run has done it. */
  readonly isUnchanged: boolean;
  /** What the next upgrade would do otherwise than expected. */
  readonly warnings: readonly string[];
}

/** One of the releases that a move changes. */
export interface Side {
  readonly id: ReleaseId;
  readonly context: Context;
  readonly history: readonly Release[];
  /** The deployed revision; undefined where the release does not exist, or a rename has deleted it already. */
  readonly current: Release | undefined;
  /** What an earlier run of the same move has begun. */
  readonly begun: Release | undefined;
  /** The last revision, where that is not deployed: then nothing can be moved. */
  readonly unsettled?: Release | undefined;
}

/** What is decided of a move from one release to another before anything is written. */
export interface DecidedMove {
  readonly move: MoveRecord;
  readonly from: Side;
  readonly to: Side;
  /** The pending revisions of both, also those that an earlier run has written; undefined where nothing is to be done. */
  readonly left: Release | undefined;
  readonly taken: Release | undefined;
  readonly result: MoveResult;
}

/** A move that has not been carried out, and the records that there will be after it. */
export interface ForeseenMove {
  readonly result: MoveResult;
  readonly histories: readonly (ReleaseId & { readonly history: readonly Release[] })[];
  /** The names of objects that no revision of the two releases has; [] where the source does not exist. */
  readonly unknown: readonly string[];
}

/** With `ignoreNotFound`: there is nothing to move. */
export const nothingToMove = ({ kind, from, to }: MoveRecord): MoveResult => ({
  plan: { kind, from, to, objects: [], records: [] },
  isUnchanged: true,
  warnings: [],
});

export const sameRelease = (one: ReleaseId | undefined, other: ReleaseId | undefined): boolean =>
  one?.release === other?.release && one?.namespace === other?.namespace;

/** Whether a record is of this very move. */
export const isSameMove = (one: MoveRecord | undefined, other: MoveRecord): boolean =>
  one !== undefined &&
  one.kind === other.kind &&
  sameRelease(one.from, other.from) &&
  sameRelease(one.to, other.to) &&
  [...one.objects].sort().join(' ') === [...other.objects].sort().join(' ');
