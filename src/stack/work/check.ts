import { type CheckOptions, type CheckResult, check, unrendered } from '../../actions/check.ts';
import { hasCode } from '../../support/errors.ts';
import type { StackCharts } from './charts.ts';
import { forEachShownRelease, type ReadOnlyRun, renderInputsOf, type ShownRelease } from './template.ts';

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
  const { release, file } = shown;
  const path = charts.folderOf(release, file) ?? release.chart ?? '';
  try {
    const { chart, values, options } = await renderInputsOf(shown, charts, looking);
    const cluster = await looking.clusterOf(release);
    const ignore = looking.ignoreOf(path, file.place.cwd);
    return { path, result: await check(chart, values, { ...options, cluster, ignore }) };
  } catch (error) {
    if (hasCode(error, 'chart-invalid')) return { path, result: unrendered(error) };
    throw error;
  }
}
