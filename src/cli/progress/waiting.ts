import { printableLine } from '../../support/printable.ts';
import type { RunModel } from './model.ts';
import { isDone, type Row } from './rows.ts';
import { seconds } from './words.ts';

/** What a run waits for now: what something stands in the way of, then the longest wait first. */
export const openRows = (model: RunModel): readonly Row[] =>
  model.rows
    .filter((row) => row.state !== 'pending' && row.state !== 'failed' && !isDone(row))
    .sort((a, b) => Number(b.cause !== '') - Number(a.cause !== '') || (a.startedMs ?? 0) - (b.startedMs ?? 0));

const maxNamed = 3;

/** `waiting for 2: Deployment/web (1/3 pods, 14.2s): 1 of 3 replicas available; Job/seed (9.0s)`; undefined when it waits for nothing. */
export function waitingLine(model: RunModel, nowMs: number): string | undefined {
  const open = openRows(model);
  if (open.length === 0) return undefined;
  const named = open.slice(0, maxNamed).map((row) => rowText(row, nowMs));
  const more = open.length > maxNamed ? [`and ${open.length - maxNamed} more`] : [];
  return `waiting for ${open.length}: ${[...named, ...more].join('; ')}`;
}

function rowText({ label, pods, startedMs, state, reason }: Row, nowMs: number): string {
  const counts = pods === undefined ? '' : `${pods.ready}/${pods.desired} pods, `;
  const why = reason === '' ? (state === 'waiting' ? '' : `: ${state}`) : `: ${printableLine(reason)}`;
  return `${label} (${counts}${seconds(nowMs - (startedMs ?? nowMs))})${why}`;
}
