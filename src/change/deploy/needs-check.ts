import { refusalOf } from '../../execute/needs.ts';
import { needsOfStep, needText } from '../../plan/outside-needs.ts';
import { TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { Assessed } from '../phases.ts';

/** Whether this run may see everything that its plan waits for. Errors: `needs-unreadable`. */
export async function checkNeeds({ plan }: Assessed, context: Context): Promise<void> {
  const { outside, signal, isUndoing } = context;
  const needs = plan.steps.flatMap(needsOfStep);
  if (outside === undefined || isUndoing || needs.length === 0) return;
  const asked = { cluster: await context.cluster(), signal };
  const refused = await Promise.all(
    needs.map(async (need) => ({ need, refusal: await refusalOf(need, plan.namespace, outside, asked) })),
  );
  const unreadable = refused.filter(({ refusal }) => refusal !== undefined);
  if (unreadable.length === 0) return;
  const lines = unreadable.map(({ need, refusal }) => `cannot wait for ${needText(need)}: ${refusal?.message}`);
  const details = { needs: unreadable.map(({ need }) => need.text) };
  throw new TshelmError('needs-unreadable', { message: lines.join('\n'), details });
}
