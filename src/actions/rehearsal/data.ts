import { workloadKey } from './assumptions.ts';
import { criticalPath } from './critical-path.ts';
import type { Rehearsal } from './rehearsal.ts';
import { type Span, spanOf } from './run-record.ts';
import { leavesOf, workOf } from './step-tree.ts';

/** A rehearsal for programs, `-o json`; times in seconds since the start. */
export function rehearsalData(rehearsal: Rehearsal) {
  const { plan, totalMs, restarts, isEager, failure, steps } = rehearsal;
  return {
    action: plan.action,
    release: plan.release,
    namespace: plan.namespace,
    strategy: plan.strategy,
    eager: isEager,
    status: failure === undefined ? ('succeeded' as const) : ('failed' as const),
    seconds: totalMs / 1000,
    restarts,
    steps: steps.map((run) => {
      const work = workOf(run.step, run.namespace, isEager);
      const title = work.kind === 'leaf' ? work.leaf.name : work.title;
      const resources = leavesOf(work).flatMap(({ id, name, place }) => {
        const span = spanOf(run, id);
        return span === undefined
          ? []
          : [
              {
                resource: name,
                place,
                ...times(span),
                state: span.state,
                timeFrom: rehearsal.sources.get(workloadKey(name)),
              },
            ];
      });
      return { action: run.action, step: title, start: run.startMs / 1000, end: run.endMs / 1000, resources };
    }),
    criticalPath: criticalPath(steps, isEager).map(({ leaf, span }) => ({
      resource: leaf.name,
      place: leaf.place,
      ...times(span),
    })),
    ...(failure && { failure }),
  };
}

const times = ({ startMs, endMs }: Span) => ({ start: startMs / 1000, end: endMs / 1000 });
