import type { Rehearsal } from '../actions/rehearsal/rehearsal.ts';
import type { StackNode } from './plan-stack.ts';
import type { Scheduled } from './schedule.ts';

/** A release of the rehearsed run; `rehearsal` has its own time, from 0 on. */
export interface RehearsedRelease {
  readonly node: StackNode;
  readonly rehearsal: Rehearsal;
  readonly when: Scheduled;
}

/** How the run of a stack would go. */
export interface StackRehearsal {
  readonly releases: readonly RehearsedRelease[];
  readonly concurrency: number;
}
