import { carryOut } from './carry-out.ts';
import { check } from './check.ts';
import type { Context } from './context.ts';
import { decide } from './decide.ts';
import { withDeclaredReadiness } from './deploy/declared-readiness.ts';
import { assessHazards } from './deploy/plan-hazards.ts';
import { checkReplacements } from './deploy/replacement-check.ts';
import type { Done, Outcome, Rendered, RenderedForReal, StoppedByFailure } from './phases.ts';

/** The phases from what is rendered to the end, or as far as it was asked for. Errors: those of the phases. */
export async function runPhases(rendered: RenderedForReal, context: Context): Promise<Done | StoppedByFailure>;
export async function runPhases(rendered: Rendered, context: Context): Promise<Outcome>;
export async function runPhases(rendered: Rendered, context: Context): Promise<Outcome> {
  const weighed = await assessHazards(await withDeclaredReadiness(decide(rendered), context), context);
  if (!context.isUndoing) checkReplacements(weighed);
  await context.onDecided?.(weighed);
  if (rendered.lastPhase === 'decided') return { ...weighed, kind: 'shown' };
  const checked = await check(weighed, context);
  if (rendered.lastPhase !== 'finished') return { ...weighed, kind: 'shown' };
  return carryOut(checked, context);
}
