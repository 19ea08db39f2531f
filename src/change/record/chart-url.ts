import type { Chart } from '../../chart/types.ts';
import type { Release } from '../../release/types.ts';

/**
 * In the annotations of a recorded chart, which Helm shows (`helm get metadata`) and carries on: the URL and the commit that
 * it came from.
 */
const urlAnnotation = 'tshelm.dev/chart-url';

/** The record of a release whose chart came from a git repository. */
export function withChartUrl(release: Release, { pinnedUrl }: Chart): Release {
  if (pinnedUrl === undefined) return release;
  const { chart } = release;
  const annotations = { ...chart.metadata.annotations, [urlAnnotation]: pinnedUrl };
  return { ...release, chart: { ...chart, metadata: { ...chart.metadata, annotations } } };
}
