import { type CheckOptions, type CheckResult, check, unrendered } from '../../actions/check.ts';
import { hasCode } from '../../support/errors.ts';
import { templateOptionsOf } from '../action-options.ts';
import { valuesOfRelease } from '../release-values.ts';
import type { StackCharts } from './charts.ts';
import { postRendererOfRelease } from './post-renderer.ts';
import { forEachShownRelease, type ReadOnlyRun, type ShownRelease } from './template.ts';

interface Checking {
  /** Over what the release says. */
  readonly options: Omit<CheckOptions, 'name' | 'namespace' | 'cluster' | 'postRenderer' | 'ignore'>;
  /** The cluster to ask about a release. */
  readonly clusterOf: (release: ShownRelease['release']) => Promise<CheckOptions['cluster']>;
  /** Findings to leave out; `chart`: its folder, or what the release names. */
  readonly ignoreOf: (chart: string, cwd: string) => CheckOptions['ignore'];
}

export interface CheckedRelease {
  /** The folder of the chart, from that of the state file; of others, what the release names. */
  readonly path: string;
  readonly result: CheckResult;
}

/** What `check` finds in each release's chart with its values; `each` has it checked. Errors: as of forEachShownRelease. */
export const checkStack = (
  looking: ReadOnlyRun,
  checking: Checking,
  each: (shown: ShownRelease, work: () => Promise<CheckedRelease>) => Promise<void>,
): Promise<void> =>
  forEachShownRelease(looking, (shown, charts) =>
    each(shown, () => checkedRelease(shown, charts, { ...looking, ...checking })),
  );

async function checkedRelease(
  shown: ShownRelease,
  charts: StackCharts,
  looking: ReadOnlyRun & Checking,
): Promise<CheckedRelease> {
  const path = charts.folderOf(shown.release, shown.file) ?? shown.release.chart ?? '';
  try {
    return { path, result: await resultOf(shown, charts, { ...looking, path }) };
  } catch (error) {
    if (hasCode(error, 'chart-invalid')) return { path, result: unrendered(error) };
    throw error;
  }
}

async function resultOf(
  { release, file }: ShownRelease,
  charts: StackCharts,
  { reading, tools, options, namespace, clusterOf, ignoreOf, path }: ReadOnlyRun & Checking & { readonly path: string },
): Promise<CheckResult> {
  const chart = await charts.of(release, file);
  const extra = tools.words.template(file);
  const values = await tools.withGivenValues(await valuesOfRelease(release, file, reading, extra));
  return check(chart, values, {
    ...templateOptionsOf(release, file),
    ...extra.options,
    ...options,
    name: release.name ?? '',
    namespace: release.namespace ?? (await namespace()),
    cluster: await clusterOf(release),
    postRenderer: postRendererOfRelease({ release, file }, reading, tools),
    ignore: ignoreOf(path, file.place.cwd),
  });
}
