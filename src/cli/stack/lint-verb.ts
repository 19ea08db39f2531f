import { resolve } from 'node:path';
import { type LintOptions, type LintResult, lintChart } from '../../actions/lint.ts';
import type { Chart } from '../../chart/types.ts';
import { readKubeVersion } from '../../render/kube-version.ts';
import type { PostRenderer } from '../../render/post-renderer.ts';
import { saveChart } from '../../source/package/save.ts';
import { templateOptionsOf } from '../../stack/action-options.ts';
import { isChartless } from '../../stack/folder-chart.ts';
import { patchedChart } from '../../stack/patches/patched-chart.ts';
import { postRendererOf } from '../../stack/patches/post-renderer.ts';
import type { StackFile } from '../../stack/read-stack.ts';
import { valuesOfRelease } from '../../stack/release-values.ts';
import type { ReleaseSpec } from '../../stack/schema.ts';
import { StackCharts } from '../../stack/work/charts.ts';
import type { OpenStack } from '../../stack/work/open-stack.ts';
import { shownReleases } from '../../stack/work/template.ts';
import { withTemporaryFolder } from '../../support/directories.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { withPrefix } from '../error-text.ts';
import { type FlagsOf, optionsOf } from '../flag-rows.ts';
import { lintOptionFlags } from '../lint-flags.ts';
import { noticesOn } from '../notices.ts';
import { isNotable, resultText } from '../output/lint-text.ts';
import { withAddedValues } from './added-values.ts';
import { chartTools } from './charts.ts';
import { needsFlags, type StackFlags } from './flags.ts';
import { openStack } from './open-stack.ts';
import type { stackLintFlags } from './show-flags.ts';

type LintVerbFlags = StackFlags & FlagsOf<typeof needsFlags & typeof stackLintFlags>;

/**
 * What `helmfile lint` prints: what lint says of each release's chart with its values, file by file, group by group. A
 * chart that fails does not keep the next ones from being looked at. Errors: `lint-failed`, those of reading the stack.
 */
export async function runStackLint(flags: LintVerbFlags, context: CliContext): Promise<void> {
  const opened = await openStack(flags, context);
  const charts = new StackCharts(opened.reading, chartTools(flags, context));
  let [count, failed] = [0, 0];
  for (const { release, file } of shownReleases(opened, optionsOf(needsFlags, flags))) {
    const [path, result] = await linted(release, file, { ...opened, charts, flags }, context);
    count += 1;
    failed += result.isFailed ? 1 : 0;
    tell(path, result, flags.quiet === true, context);
  }
  if (failed === 0) return;
  throw new TshelmError('lint-failed', { message: `${count} chart(s) linted, ${failed} chart(s) failed` });
}

function tell(path: string, result: LintResult, isQuiet: boolean, { io, secrets }: CliContext): void {
  if (isQuiet && !isNotable(result)) return;
  const summary = result.isFailed ? '' : '1 chart(s) linted, 0 chart(s) failed\n\n';
  io.stdout.write(secrets.redact(resultText(path, result, isQuiet) + summary));
}

interface Linting extends OpenStack {
  readonly charts: StackCharts;
  readonly flags: LintVerbFlags;
}

async function linted(
  release: ReleaseSpec,
  file: StackFile,
  { reading, charts, flags }: Linting,
  context: CliContext,
): Promise<[string, LintResult]> {
  const { kubeVersion } = release;
  try {
    const chart = await charts.of(release, file);
    const options: LintOptions = {
      ...optionsOf(lintOptionFlags, flags),
      values: await withAddedValues(await valuesOfRelease(release, file, reading), flags, context),
      namespace: release.namespace ?? (await context.namespace(flags)),
      kubeVersion: kubeVersion === undefined ? undefined : readKubeVersion(kubeVersion),
      onNotice: noticesOn(context),
      downloadSchema: async (url) => (await import('../download.ts')).downloadSchema(url, flags, context),
    };
    const folder = charts.folderOf(release, file);
    const path = folder === undefined ? undefined : resolve(file.place.cwd, folder);
    const patch = postRendererOf(release, file, reading);
    const isItsOwn = patch === undefined && release.dependencies === undefined;
    if (isItsOwn && path !== undefined && !isChartless(path, reading))
      return [folder as string, await lintChart(path, options)];
    const linted = patch === undefined ? chart : await patched(chart, { release, file, patch }, options);
    const result = await withTemporaryFolder('tshelm-lint-', async (packed) =>
      lintChart(await saveChart(linted, packed, context.io.now()), options),
    );
    return [release.chart ?? '', result];
  } catch (thrown) {
    throw withPrefix(`release ${release.name ?? ''} of ${file.source}`, thrown);
  }
}

/** The chart that prints what the patches leave, as helmfile has it looked at. */
const patched = (
  chart: Chart,
  { release, file, patch }: { readonly release: ReleaseSpec; readonly file: StackFile; readonly patch: PostRenderer },
  { values, namespace }: LintOptions,
): Promise<Chart> =>
  patchedChart(chart, values, {
    ...templateOptionsOf(release, file),
    name: release.name ?? '',
    namespace,
    postRenderer: patch,
  });
