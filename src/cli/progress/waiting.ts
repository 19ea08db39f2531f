import { printableLine } from '../../support/printable.ts';
import { clipped } from '../terminal/fit.ts';
import type { RunModel } from './model.ts';
import { isDone, type Row } from './rows.ts';
import { seconds } from './words.ts';

/** What a run waits for now: what something is in the way of, then the longest wait first. */
export const openRows = (model: RunModel): readonly Row[] =>
  model.rows
    .filter((row) => row.state !== 'pending' && row.state !== 'failed' && !isDone(row))
    .sort((a, b) => Number(b.cause !== '') - Number(a.cause !== '') || (a.startedMs ?? 0) - (b.startedMs ?? 0));

const maxNamed = 3;

const maxCause = 120;

/** The lines of a run that tell from time to time what it waits for. */
export class WaitingLines {
  /** What was said last of each object. */
  readonly #lastReasons = new Map<string, string>();

  /**
   * `waiting for 2: Deployment/web (1/3 pods, 14.2s): CrashLoopBackOff, exit code 1; Job/seed (9.0s): as before`; undefined
   * when it waits for nothing.
   */
  next(model: RunModel, nowMs: number): string | undefined {
    const open = openRows(model);
    if (open.length === 0) return undefined;
    const named = open.slice(0, maxNamed).map((row) => this.#rowText(row, nowMs));
    const more = open.length > maxNamed ? [`and ${open.length - maxNamed} more`] : [];
    return `waiting for ${open.length}: ${[...named, ...more].join('; ')}`;
  }

  #rowText({ label, pods, startedMs, state, reason, cause }: Row, nowMs: number): string {
    const counts = pods === undefined ? '' : `${pods.ready}/${pods.desired} pods, `;
    const about = `${label} (${counts}${seconds(nowMs - (startedMs ?? nowMs))})`;
    const why = printableLine(cause || reason) || (state === 'waiting' ? '' : state);
    if (why === '') return about;
    if (this.#lastReasons.get(label) === why) return `${about}: as before`;
    this.#lastReasons.set(label, why);
    return `${about}: ${clipped(why, maxCause, '…')}`;
  }
}
