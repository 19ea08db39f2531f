import { resolve } from 'node:path';
import { type LintOptions, type LintResult, lintChart } from '../../actions/lint.ts';
import type { Chart } from '../../chart/types.ts';
import { readKubeVersion } from '../../render/kube-version.ts';
import type { PostRenderer } from '../../render/post-renderer.ts';
import { saveChart } from '../../source/package/save.ts';
import { withTemporaryFolder } from '../../support/directories.ts';
import { templateOptionsOf } from '../action-options.ts';
import { isChartless } from '../folder-chart.ts';
import { patchedChart } from '../patches/patched-chart.ts';
import { postRendererOf } from '../patches/post-renderer.ts';
import { valuesOfRelease } from '../release-values.ts';
import type { StackCharts } from './charts.ts';
import { forEachShownRelease, type ReadOnlyRun, type ShownRelease } from './template.ts';

interface Linting {
  readonly options: Omit<LintOptions, 'values' | 'namespace' | 'kubeVersion'>;
  readonly now: Date;
}

export interface LintedRelease {
  /** The folder of the chart, from that of the state file; of others, what the release names. */
  readonly path: string;
  readonly result: LintResult;
}

/** What lint says of each release's chart with its values; `each` has it looked at. Errors: as of forEachShownRelease. */
export const lintStack = (
  looking: ReadOnlyRun,
  linting: Linting,
  each: (shown: ShownRelease, lint: () => Promise<LintedRelease>) => Promise<void>,
): Promise<void> =>
  forEachShownRelease(looking, (shown, charts) =>
    each(shown, () => lintedRelease(shown, charts, { ...looking, ...linting })),
  );

/**
 * A chart that the release changes (patches, added dependencies) is looked at as it is then. Errors: those of loading the
 * chart and of the values.
 */
async function lintedRelease(
  { release, file }: ShownRelease,
  charts: StackCharts,
  { reading, tools, namespace, now, options: given }: ReadOnlyRun & Linting,
): Promise<LintedRelease> {
  const { kubeVersion } = release;
  const chart = await charts.of(release, file);
  const options: LintOptions = {
    ...given,
    values: await tools.withGivenValues(await valuesOfRelease(release, file, reading)),
    namespace: release.namespace ?? (await namespace()),
    kubeVersion: kubeVersion === undefined ? undefined : readKubeVersion(kubeVersion),
  };
  const folder = charts.folderOf(release, file);
  const path = folder === undefined ? undefined : resolve(file.place.cwd, folder);
  const patch = postRendererOf(release, file, reading);
  const isUnmodified = patch === undefined && release.dependencies === undefined;
  if (isUnmodified && path !== undefined && !isChartless(path, reading))
    return { path: folder as string, result: await lintChart(path, options) };
  const linted = patch === undefined ? chart : await patched(chart, { release, file, patch }, options);
  const result = await withTemporaryFolder('tshelm-lint-', async (packed) =>
    lintChart(await saveChart(linted, packed, now), options),
  );
  return { path: release.chart ?? '', result };
}

/** The chart that prints what the patches leave, as helmfile has it looked at. */
const patched = (
  chart: Chart,
  { release, file, patch }: ShownRelease & { readonly patch: PostRenderer },
  { values, namespace }: LintOptions,
): Promise<Chart> =>
  patchedChart(chart, values, {
    ...templateOptionsOf(release, file),
    name: release.name ?? '',
    namespace,
    postRenderer: patch,
  });
