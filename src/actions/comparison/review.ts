import type { ClusterPlace, HookEvent, ResourceId } from '../../manifest/types.ts';
import type { RevisionOfChart } from '../../plan/types.ts';
import type { HeadlineChange } from './headlines.ts';
import type { Change, RandomField, ReleaseDiff } from './object-diff.ts';

/** What a change does to a release, in names, fields and counts. */
export interface ReleaseOutline<Of extends OutlinedObject = OutlinedObject> {
  readonly action: ReleaseDiff['action'];
  readonly release: string;
  readonly namespace: string;
  /** Where there are several. */
  readonly cluster?: ClusterPlace | undefined;
  /** Absent for a release that is not there yet. */
  readonly from?: RevisionOfChart | undefined;
  readonly to: RevisionOfChart;
  /** Those with something to tell. */
  readonly objects: readonly Of[];
  readonly hooks: readonly Of[];
  /** How many objects, hooks left out. */
  readonly counts: Readonly<Record<Change, number>>;
  readonly warnings: readonly string[];
}

/** The same for people to review: a diff of each object, without secrets. */
export type ReleaseReview = ReleaseOutline<ReviewedObject>;

export interface ReviewedObject extends OutlinedObject {
  /** Lines that begin with ' ', '+', '-' or '@@'; '' where there is nothing to compare. */
  readonly diff: string;
}

export interface OutlinedObject {
  readonly id: ResourceId;
  readonly change: Change;
  /** Of a hook. */
  readonly events?: readonly HookEvent[] | undefined;
  readonly notes: readonly string[];
  /** Of what is added: the removed object whose place it takes, with which it is compared. */
  readonly insteadOf?: ResourceId | undefined;
  /** Of what is removed: what takes its place. */
  readonly succeededBy?: ResourceId | undefined;
  /** Fields that are rendered differently each time and do not count as changes. */
  readonly random?: readonly RandomField[] | undefined;
  /** Paths of the fields that change. */
  readonly fields?: readonly string[] | undefined;
  /** Those of them that a table tells. */
  readonly headlines?: readonly HeadlineChange[] | undefined;
  /** Of what is taken over: the release that it belonged to, `shop in web`; '' for none. */
  readonly adoptedFrom?: string | undefined;
  /** Of what is deleted and created again: the fields that cannot be changed; [] where it is replaced by its name. */
  readonly replacedFor?: readonly string[] | undefined;
  /** Why it would be refused. */
  readonly problem?: string | undefined;
  /** What the change does before it may end that. */
  readonly mayComeYet?: true | undefined;
}

export const refusedObjects = ({ objects, hooks }: ReleaseOutline): readonly OutlinedObject[] =>
  [...objects, ...hooks].filter(({ problem }) => problem !== undefined);

/** Whether the change does anything: what `--exit-code` asks. */
export const changesAnything = ({ counts, hooks }: ReleaseOutline): boolean =>
  counts.added + counts.changed + counts.removed + counts.kept > 0 ||
  hooks.some(({ change }) => change !== 'unchanged');
