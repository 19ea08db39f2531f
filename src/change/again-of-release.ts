import type { Release } from '../release/types.ts';
import { againAsRecorded, type ReRenderer } from '../render/re-renderer.ts';

/** Renders the chart of a stored release again: its record has the chart's own templates and none of its subcharts'. */
export const againOf = ({ chart, config, name, namespace, version }: Release): ReRenderer =>
  againAsRecorded(chart, config, {
    release: { name, namespace, revision: version, isInstall: version === 1 },
  });
