import { type TemplateOptions, type TemplateResult, templateChart } from '../../actions/template.ts';
import { templateOptionsOf } from '../action-options.ts';
import { type NeedsOptions, neededAnywhere, plannedGroups, wanted, withOwnNeeds } from '../choose.ts';
import { type HookRun, runHooks } from '../hooks.ts';
import type { StackFile } from '../read-stack.ts';
import { valuesOfRelease } from '../release-values.ts';
import type { ReleaseSpec } from '../schema.ts';
import { refuseUnsupported } from '../unsupported.ts';
import type { StackCharts } from './charts.ts';
import { noneFound, type OpenStack } from './open-stack.ts';
import { postRendererOfRelease } from './post-renderer.ts';
import type { StackTools } from './tools.ts';

export interface ShownRelease {
  readonly release: ReleaseSpec;
  readonly file: StackFile;
}

/** The releases that `template` and `lint` look at: group by group, file by file. Errors: `stack-empty`, `stack-invalid`, `stack-unsupported`. */
export function shownReleases({ files, reading }: OpenStack, needs: NeedsOptions): readonly ShownRelease[] {
  const needed = neededAnywhere(files, needs);
  const planned = withOwnNeeds(files).map((file) => ({ file, releases: plannedGroups(file, needs, needed).flat() }));
  if (planned.every(({ releases }) => releases.length === 0)) throw noneFound(reading);
  const shown = planned.flatMap(({ file, releases }) => wanted(releases).map((release) => ({ release, file })));
  for (const one of shown) refuseUnsupported({ ...one, purpose: 'render' });
  return shown;
}

/** How hooks are run around the releases that are looked at. */
interface Hooked {
  readonly command: 'template' | 'lint';
  readonly reading: OpenStack['reading'];
  readonly tell: (text: string) => void;
}

/**
 * A task for each release, file by file, with hooks as helmfile runs them: those for `prepare` of the file and of all its
 * releases first, those for `cleanup` of a release behind it, and of the file at its end. Errors: `stack-hook-failed`,
 * `stack-untrusted`, those of the task.
 */
export async function eachWithHooks(
  shown: readonly ShownRelease[],
  { command, reading, tell }: Hooked,
  task: (one: ShownRelease) => Promise<void>,
): Promise<void> {
  for (const file of new Set(shown.map((one) => one.file))) {
    const releases = shown.filter((one) => one.file === file);
    const hooks = (run: Pick<HookRun, 'event' | 'release' | 'error'>): Promise<void> =>
      runHooks({ ...run, command }, file, reading, tell);
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
      for (const one of releases) await around(() => task(one), one.release);
    });
  }
}

interface Templating extends OpenStack {
  readonly charts: StackCharts;
  readonly tools: Pick<StackTools, 'words' | 'withGivenValues' | 'postRendererNamed'>;
  /** Over what the release says. */
  readonly options: Omit<TemplateOptions, 'name' | 'namespace' | 'cluster' | 'postRenderer'>;
  /** Of a release that names none. */
  readonly namespace: () => Promise<string>;
  /** The cluster that a release asks for by its words for Helm. */
  readonly clusterOf: (release: ReleaseSpec) => Promise<TemplateOptions['cluster']>;
}

/** What `helm template` prints of a release. Errors: those of the rendering. */
export async function templatedRelease(
  { release, file }: ShownRelease,
  templating: Templating,
): Promise<TemplateResult> {
  const { reading, charts, tools, options, namespace, clusterOf } = templating;
  const chart = await charts.of(release, file);
  const extra = tools.words.template(file);
  const values = await tools.withGivenValues(await valuesOfRelease(release, file, reading, extra));
  return templateChart(chart, values, {
    ...templateOptionsOf(release, file),
    ...extra.options,
    ...options,
    name: release.name ?? '',
    namespace: release.namespace ?? (await namespace()),
    cluster: extra.asksCluster ? await clusterOf(release) : undefined,
    postRenderer: postRendererOfRelease({ release, file }, reading, tools),
  });
}
