import type { ExecutionEvent, HookState, ResourceState } from '../../execute/events.ts';
import type { ResourceId } from '../../manifest/types.ts';

/** What a run looks like at a moment: the last thing known of each object, in the order in which they appeared. */
export interface ProgressState {
  /** What is being done now: `apply 12 resources`. */
  readonly title: string;
  /** `web [2/5]` of ordered runs; '' otherwise. */
  readonly batch: string;
  readonly rows: ReadonlyMap<string, ProgressRow>;
}

export interface ProgressRow {
  readonly label: string;
  readonly state: ResourceState | HookState;
  readonly reason: string;
  readonly sinceMs: number;
}

export const noProgress: ProgressState = { title: '', batch: '', rows: new Map() };

/** `Deployment/web`, with the namespace before it where it is not the release's own. */
export const objectLabel = (id: ResourceId, namespace: string): string =>
  `${id.namespace === '' || id.namespace === namespace ? '' : `${id.namespace}/`}${id.kind}/${id.name}`;

/** The state after one more event. `nowMs` is when it happened. */
export function advance(state: ProgressState, event: ExecutionEvent, namespace: string, nowMs: number): ProgressState {
  switch (event.kind) {
    case 'step-started':
      return { ...state, title: event.title };
    case 'batch-started':
      return { ...state, batch: `${event.unit} [${event.number}/${event.of}]` };
    case 'resource':
      return withRow(state, objectLabel(event.id, namespace), event.state, event.reason, nowMs);
    case 'hook':
      return withRow(state, `hook ${objectLabel(event.id, namespace)}`, event.state, event.reason, nowMs);
    case 'plan-started':
    case 'batch-finished':
    case 'unit':
    case 'note':
    case 'log':
    case 'warning':
      return state;
  }
}

function withRow(
  state: ProgressState,
  label: string,
  rowState: ProgressRow['state'],
  reason: string | undefined,
  nowMs: number,
): ProgressState {
  const before = state.rows.get(label);
  const sinceMs = before?.state === rowState ? before.sinceMs : nowMs;
  const rows = new Map(state.rows).set(label, { label, state: rowState, reason: reason ?? '', sinceMs });
  return { ...state, rows };
}

const settledStates: readonly string[] = [
  'ready',
  'deleted',
  'kept',
  'succeeded',
  'created',
  'configured',
  'unchanged',
];

/** Whether nothing more is awaited of a row. An applied object counts until somebody waits for it. */
export const isSettled = (row: ProgressRow): boolean => settledStates.includes(row.state);

/** `4 created, 2 waiting`, in the order in which the states appeared. */
export function countsText(state: ProgressState): string {
  const counts = new Map<string, number>();
  for (const row of state.rows.values()) counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}
