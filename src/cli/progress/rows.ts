import type { PodCounts } from '../../cluster/diagnosis.ts';
import type { HookState, ResourceState } from '../../execute/events.ts';
import type { HookEvent, ResourceId } from '../../manifest/types.ts';
import { printableLine } from '../../support/printable.ts';

export type RowState = 'pending' | ResourceState | HookState;

/** An object of the run, or a hook at one of its events. Times are milliseconds since the epoch. */
export interface Row {
  readonly kind: 'resource' | 'hook';
  /** `Deployment/web`, with the namespace before it where it is not the release's own. */
  readonly label: string;
  /** Without the namespace as long as only the plan knows it, where its manifest names none. */
  id: ResourceId;
  readonly event: HookEvent | undefined;
  /** The template it comes from: `shop/templates/web.yaml`; '' where that is not known. */
  readonly source: string;
  /** Whether it has to get ready once it is applied. */
  readonly isWaitedFor: boolean;
  readonly parent: Branch;
  state: RowState;
  reason: string;
  /** What it failed of or what is in the way; '' as long as nothing does. */
  cause: string;
  pods: PodCounts | undefined;
  startedMs: number | undefined;
  /** When it was as its manifest wants it; of a hook, when it was created. */
  appliedMs: number | undefined;
  endedMs: number | undefined;
  /** What its log told last of why it does not get ready; '' where that is not known. */
  lastLogLine: string;
  /** Its place among the causes of the run's failure, the likely one first; none where it is not among them. */
  rank: number;
  /** Whether the run went on long enough to say that it did not get ready. */
  isJudged: boolean;
  /** Whether the error tells what is wrong with it. */
  isInMessage: boolean;
}

/** A release of a stack, a step of a plan, or a batch, a subchart or a group inside one. The counts are of all rows below. */
export interface Branch {
  readonly kind: 'release' | 'step' | 'batch' | 'chart' | 'group';
  title: string;
  readonly parent: Branch | undefined;
  readonly children: (Branch | Row)[];
  total: number;
  begun: number;
  done: number;
  failed: number;
  startedMs: number | undefined;
  endedMs: number | undefined;
  /** Of a release, whose counts do not say it. */
  readonly progress?: Progress | undefined;
  /** Of a release: what is being done, or was done; behind its counts. */
  readonly note?: string | undefined;
  /** Of a release: why it failed. */
  readonly cause?: string | undefined;
}

export const isRow = (node: Branch | Row): node is Row => 'label' in node;

export const emptyBranch = (kind: Branch['kind'], title: string, parent: Branch | undefined): Branch => ({
  kind,
  title,
  parent,
  children: [],
  total: 0,
  begun: 0,
  done: 0,
  failed: 0,
  startedMs: undefined,
  endedMs: undefined,
});

type NewRow = Pick<Row, 'kind' | 'id' | 'event' | 'source' | 'isWaitedFor' | 'parent'>;

export const newRow = (row: NewRow, namespace: string): Row => ({
  ...row,
  label: objectLabel(row.id, namespace),
  state: 'pending',
  reason: '',
  cause: '',
  pods: undefined,
  startedMs: undefined,
  appliedMs: undefined,
  endedMs: undefined,
  lastLogLine: '',
  rank: Number.POSITIVE_INFINITY,
  isJudged: true,
  isInMessage: false,
});

/** `Deployment/web`, with the namespace before it where it is not the release's own. */
export const objectLabel = (id: ResourceId, namespace: string): string =>
  printableLine(`${id.namespace === '' || id.namespace === namespace ? '' : `${id.namespace}/`}${id.kind}/${id.name}`);

const endStates: ReadonlySet<RowState> = new Set(['ready', 'deleted', 'kept', 'absent', 'succeeded']);
const appliedStates: ReadonlySet<RowState> = new Set(['created', 'configured', 'unchanged']);

/** Whether nothing more is awaited of a row, and nothing is wrong with it. */
export const isDone = ({ state, isWaitedFor }: Row): boolean =>
  endStates.has(state) || (appliedStates.has(state) && !isWaitedFor);

export const isAppliedState = (state: RowState): boolean => appliedStates.has(state);

/** Whether it was applied, and is to become ready. */
export const isAppliedOnly = (row: Row): boolean => appliedStates.has(row.state) && !isDone(row);

/** Of a run that did not succeed, the objects that it ended with or without. */
export const needsAttention = (row: Row): boolean =>
  row.cause !== '' || !(isDone(row) || isAppliedOnly(row) || row.state === 'pending');

export function countsOf(row: Row): { readonly begun: number; readonly done: number; readonly failed: number } {
  const failed = row.state === 'failed' ? 1 : 0;
  return { begun: row.state === 'pending' ? 0 : 1, done: isDone(row) ? 1 : 0, failed };
}

/** The likely cause of the run's failure first. */
export const byCause = (a: Row, b: Row): number => (a.rank === b.rank ? 0 : a.rank - b.rank);

/** `not ready` of what a run ended without, `not judged` where something else ended it; as the error says. */
export const stateWord = ({ state, isJudged }: Row, isOver: boolean): string =>
  isOver && state === 'waiting' ? (isJudged ? 'not ready' : 'not judged') : state;

export type Progress = 'pending' | 'active' | 'applied' | 'done' | 'failed' | 'left out';

/** How far a branch is. A step without objects of its own goes by its times. */
export function progressOf(branch: Branch): Progress {
  if (branch.progress !== undefined) return branch.progress;
  if (branch.failed > 0) return 'failed';
  const isOver = branch.kind === 'step' ? branch.endedMs !== undefined : branch.done === branch.total;
  if (isOver) return branch.done === branch.total ? 'done' : 'failed';
  return branch.begun > 0 || branch.startedMs !== undefined ? 'active' : 'pending';
}
