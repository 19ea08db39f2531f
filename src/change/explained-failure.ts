import type { ResourceId } from '../manifest/types.ts';
import type { Context } from './context.ts';
import { withAlsoRefused } from './deploy/also-refused.ts';
import { originsOf } from './origins.ts';
import type { Weighed } from './phases.ts';
import { withSuspectedCauses } from './suspected-causes.ts';
import { withTemplateLines } from './template-lines.ts';

/**
 * A failure of a change with what its release tells of it: other objects that would be refused too, the lines of templates
 * and values, suspected causes. `sent` has been accepted already. Never throws: what cannot be found out is left out.
 */
export async function explainedFailure(
  failure: unknown,
  weighed: Weighed,
  context: Context,
  sent: readonly ResourceId[] = [],
): Promise<unknown> {
  const located = withTemplateLines(await withAlsoRefused(failure, weighed, context, sent), () => originsOf(weighed));
  return withSuspectedCauses(located, weighed.release);
}
