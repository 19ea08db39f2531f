import type { ResourceId } from '../manifest/types.ts';
import { againAsRecorded } from '../render/re-renderer.ts';
import type { Origins } from '../render/value-origins.ts';
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

/**
 * What the objects of a change were made of. Of a stored revision (rollback, uninstall) its record has the chart's own
 * templates and none of its subcharts'.
 */
export function originsOf({ release, again }: Pick<Rendered, 'release' | 'again'>): Origins {
  const { chart, config, name, namespace, version } = release;
  const recorded = () =>
    againAsRecorded(chart, config, {
      release: { name, namespace, revision: version, isInstall: version === 1 },
    });
  return { chart, config, again: again ?? recorded() };
}
