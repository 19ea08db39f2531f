import type { ResourceId } from '../../manifest/types.ts';
import type { MoveRecord, Release, ReleaseId } from '../../release/types.ts';
import type { Context } from '../context.ts';

/** What moves work with: a release may go to another namespace. */
export interface NamespacedContext extends Context {
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
