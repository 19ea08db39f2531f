import type { ResourceId } from '../manifest/types.ts';
import type { ObjectOrigins } from '../render/value-origins.ts';
import { againOf } from './again-of-release.ts';
import type { Context } from './context.ts';
import { withOtherRefusals } from './deploy/other-refusals.ts';
import type { Assessed, Rendered } from './phases.ts';
import { withTemplateLines } from './template-lines.ts';

/**
 * A failure of a change with what its release tells of it: other objects that would be refused too, and the lines of
 * templates and values. `sent` has been accepted already. Never throws: what cannot be found out is left out.
 */
export async function explainedFailure(
  failure: unknown,
  weighed: Assessed,
  context: Context,
  sent: readonly ResourceId[] = [],
): Promise<unknown> {
  return withTemplateLines(await withOtherRefusals(failure, weighed, context, sent), () => originsOf(weighed));
}

/** What the objects of a change were made of. */
export const originsOf = ({
  release,
  again = againOf(release),
}: Pick<Rendered, 'release' | 'again'>): ObjectOrigins => ({
  chart: release.chart,
  config: release.config,
  again,
});
