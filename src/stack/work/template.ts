import { type TemplateOptions, type TemplateResult, templateChart } from '../../actions/template.ts';
import { templateOptionsOf } from '../action-options.ts';
import { idsOfAllNeeds, type NeedsOptions, plannedGroups, wanted, withOwnNeeds } from '../choose.ts';
import { type HookRun, runHooks } from '../hooks.ts';
import { valuesOfRelease } from '../release-values.ts';
import type { ReleaseSpec } from '../schema.ts';
import { refuseUnsupported } from '../unsupported.ts';
import { type ChartTools, StackCharts } from './charts.ts';
import { noneFound, type OpenStack } from './open-stack.ts';
import { postRendererOfRelease } from './post-renderer.ts';
import { type ReleaseInFile, type StackTools, withPlaces } from './tools.ts';

export type ShownRelease = ReleaseInFile;

/** What `template`, `lint` and `check` have of a stack. */
export interface ReadOnlyRun extends OpenStack {
  readonly command: 'template' | 'lint' | 'check';
  readonly needs: NeedsOptions;
  readonly tools: ChartTools &
    Pick<StackTools, 'words' | 'withGivenValues' | 'placed' | 'postRendererNamed' | 'signal'>;
  /** Of a release that names none. */
  readonly namespace: () => Promise<string>;
  /** Gets the output of hooks; without it no hook runs. */
  readonly onHookOutput?: ((text: string) => void) | undefined;
}

/**
 * Looks at the releases, group by group, file by file, with hooks as helmfile runs them: those for `prepare` of the file
 * and of all its releases first, those for `cleanup` of a release behind it, and of the file at its end. Errors:
 * `stack-empty`, `stack-invalid`, `stack-unsupported`, `stack-hook-failed`, `stack-untrusted`, those of the task.
 */
export async function forEachShownRelease(
  looking: ReadOnlyRun,
  task: (shown: ShownRelease, charts: StackCharts) => Promise<void>,
): Promise<void> {
  const { command, reading, onHookOutput, tools } = looking;
  const charts = new StackCharts(reading, tools);
  const shown = shownReleases(looking);
  for (const file of new Set(shown.map((one) => one.file))) {
    const releases = shown.filter((one) => one.file === file);
    const hooks = async (run: Pick<HookRun, 'event' | 'release' | 'error'>): Promise<void> => {
      if (onHookOutput !== undefined) await runHooks({ ...run, command }, file, reading, onHookOutput);
    };
    const around = async (work: () => Promise<void>, release?: ReleaseSpec): Promise<void> => {
      let error: unknown;
      try {
        await work();
      } catch (cause) {
        error = cause;
        throw cause;
      } finally {
        await hooks({ event: 'cleanup', release, error });
      }
    };
    await hooks({ event: 'prepare' });
    for (const { release } of releases) await hooks({ event: 'prepare', release });
    await around(async () => {
      for (const one of releases) {
        tools.signal?.throwIfAborted();
        await around(() => withPlaces(one, tools, () => task(one, charts)), one.release);
      }
    });
  }
}

function shownReleases({ files, reading, needs }: ReadOnlyRun): readonly ShownRelease[] {
  const needed = idsOfAllNeeds(files, needs);
  const planned = withOwnNeeds(files).map((file) => ({ file, releases: plannedGroups(file, needs, needed).flat() }));
  if (planned.every(({ releases }) => releases.length === 0)) throw noneFound(reading);
  const shown = planned.flatMap(({ file, releases }) => wanted(releases).map((release) => ({ release, file })));
  for (const one of shown) refuseUnsupported({ ...one, purpose: 'render' });
  return shown;
}

interface Templating {
  /** Over what the release says. */
  readonly options: Omit<TemplateOptions, 'name' | 'namespace' | 'cluster' | 'postRenderer'>;
  /** The cluster that a release asks for by its words for Helm. */
  readonly clusterOf: (release: ReleaseSpec) => Promise<TemplateOptions['cluster']>;
}

/** What `helm template` prints of each release; `each` has it rendered. Errors: as of forEachShownRelease, and those of the rendering. */
export const templateStack = (
  looking: ReadOnlyRun,
  templating: Templating,
  each: (shown: ShownRelease, render: () => Promise<TemplateResult>) => Promise<void>,
): Promise<void> =>
  forEachShownRelease(looking, (shown, charts) =>
    each(shown, () => templatedRelease(shown, charts, { ...looking, ...templating })),
  );

async function templatedRelease(
  shown: ShownRelease,
  charts: StackCharts,
  looking: ReadOnlyRun & Templating,
): Promise<TemplateResult> {
  const { chart, values, options, asksCluster } = await renderInputsOf(shown, charts, looking);
  const cluster = asksCluster ? await looking.clusterOf(shown.release) : undefined;
  return templateChart(chart, values, { ...options, cluster });
}

/** What a release is rendered from; `options` go over what it says. */
export async function renderInputsOf<Options extends object>(
  { release, file }: ShownRelease,
  charts: StackCharts,
  { reading, tools, namespace, options }: ReadOnlyRun & { readonly options: Options },
) {
  const chart = await charts.of(release, file);
  const { asksCluster, ...extra } = tools.words.template(file);
  return {
    chart,
    values: await tools.withGivenValues(await valuesOfRelease(release, file, reading, extra)),
    asksCluster,
    options: {
      ...templateOptionsOf(release, file),
      ...extra.options,
      ...options,
      name: release.name ?? '',
      namespace: release.namespace ?? (await namespace()),
      postRenderer: postRendererOfRelease({ release, file }, reading, tools),
    },
  };
}
