import { carryOut } from './carry-out.ts';
import { check } from './check.ts';
import type { Context } from './context.ts';
import { decide } from './decide.ts';
import { weigh } from './deploy/plan-hazards.ts';
import type { Done, Outcome, Rendered, RenderedForReal, Stopped } from './phases.ts';

/** The phases from what is rendered to the end, or as far as it was asked for. Errors: those of the phases. */
export async function goThrough(rendered: RenderedForReal, context: Context): Promise<Done | Stopped>;
export async function goThrough(rendered: Rendered, context: Context): Promise<Outcome>;
export async function goThrough(rendered: Rendered, context: Context): Promise<Outcome> {
  const weighed = await weigh(decide(rendered), context);
  await context.onDecided?.(weighed);
  if (rendered.lastPhase === 'decided') return { ...weighed, kind: 'shown' };
  const checked = await check(weighed, context);
  if (rendered.lastPhase === 'checked') return { ...weighed, kind: 'shown' };
  return carryOut(checked, context);
}
