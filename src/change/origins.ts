import { againAsRecorded } from '../render/again.ts';
import type { Origins } from '../render/value-origins.ts';
import type { Rendered } from './phases.ts';

/**
 * What the objects of a change were made of. Of a stored revision (rollback, uninstall) its record has the chart's own
 * templates and none of its subcharts'.
 */
export function originsOf({ release, again, namespace }: Rendered): Origins {
  const { chart, config, name, version } = release;
  const recorded = () =>
    againAsRecorded(chart, config, {
      release: { name, namespace, revision: version, isInstall: version === 1 },
    });
  return { chart, config, again: again ?? recorded() };
}
