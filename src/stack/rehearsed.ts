import { criticalPath } from '../actions/rehearsal/critical-path.ts';
import type { Rehearsal } from '../actions/rehearsal/rehearsal.ts';
import { type CriticalNode, criticalNodes, type NodeTime } from './critical-path.ts';
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

/** A release that had its turn. */
export interface ExecutedRelease extends NodeTime {
  readonly release: RehearsedRelease;
}

export const executedReleases = ({ releases }: StackRehearsal): readonly ExecutedRelease[] =>
  releases.flatMap((release) => {
    const { node, when } = release;
    return when.kind === 'ran'
      ? [{ id: node.id, needs: node.needs, startMs: when.startMs, endMs: when.endMs, release }]
      : [];
  });

export const totalOf = (ran: readonly ExecutedRelease[]): number => Math.max(0, ...ran.map(({ endMs }) => endMs));

/** What of the path takes time. */
export const slowNodes = (ran: readonly ExecutedRelease[]): readonly CriticalNode<ExecutedRelease>[] =>
  criticalNodes(ran).filter(({ node, waitedMs }) => node.endMs > node.startMs || waitedMs > 0);

export const isFailed = ({ when, rehearsal }: RehearsedRelease): boolean =>
  when.kind === 'ran' && rehearsal.failure !== undefined;

export const segmentsOf = ({ rehearsal }: RehearsedRelease) => criticalPath(rehearsal.steps, rehearsal.isEager);
