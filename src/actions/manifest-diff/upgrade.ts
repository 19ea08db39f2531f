import type { Context } from '../../change/context.ts';
import { learnFromRecordedTemplates, learnFromTemplates } from '../../change/learn-secrets.ts';
import type { RenderSettings } from '../../change/rendering/render.ts';
import type { Chart } from '../../chart/types.ts';
import type { GoMap } from '../../go/value.ts';
import { computedValues } from '../../release/computed-values.ts';
import { lastRevision } from '../../release/history.ts';
import type { Release } from '../../release/types.ts';
import { hookDocument } from '../../render/manifest-text.ts';
import type { UpgradeOptions } from '../options/upgrade.ts';
import { type TemplateOptions, templateChart } from '../template.ts';
import { upgrade } from '../upgrade.ts';
import { type CompareOptions, compareManifests, type ManifestComparison } from './compare.ts';
import { type EntryOptions, type ManifestEntries, readEntries } from './entries.ts';
import { type LiveManifests, liveManifests, takeovers } from './live.ts';

/** The newest revision of a release; undefined when there is none. */
export async function newestRevision(name: string, context: Context): Promise<Release | undefined> {
  const history = await (await context.storage()).revisions(name);
  return history.length === 0 ? undefined : lastRevision(name, history);
}

export interface ReuseOptions {
  readonly resetValues?: boolean | undefined;
  readonly reuseValues?: boolean | undefined;
  readonly resetThenReuseValues?: boolean | undefined;
  /** Whether the user gives values of his own. */
  readonly hasOwnValues: boolean;
}

/**
 * The values that the user's own stand on: those of the release where nothing is said of them, as an upgrade reuses them
 * then. Follows helm-diff's template and writeExistingValues.
 */
export function baseValues(current: Release | undefined, options: ReuseOptions): GoMap {
  if (current === undefined || options.resetValues) return new Map();
  if (options.resetThenReuseValues && !options.reuseValues) return current.config;
  return options.reuseValues || !options.hasOwnValues ? computedValues(current) : new Map();
}

export interface UpgradeComparison {
  readonly name: string;
  readonly chart: Chart;
  readonly values: GoMap;
  /** undefined for a release that is not there, or whose records are not to be read. */
  readonly current: Release | undefined;
  readonly entries: Omit<EntryOptions, 'namespace'>;
  readonly compare: CompareOptions;
  readonly render: Omit<TemplateOptions, 'name' | 'namespace'>;
  /** Renders by the dry run of an upgrade (HELM_DIFF_USE_UPGRADE_DRY_RUN). */
  readonly dryRun?: Omit<UpgradeOptions, 'name'> | undefined;
  /** Compares with what the cluster has, not with the record. */
  readonly threeWayMerge?: boolean | undefined;
  readonly takeOwnership?: boolean | undefined;
}

/** What an upgrade would change in a release's manifest. Follows helm-diff's `upgrade`. Errors: those of templateChart. */
export async function compareUpgrade(request: UpgradeComparison, context: Context): Promise<ManifestComparison> {
  const { name, current, compare } = request;
  const { namespace } = context;
  const options = { ...request.entries, namespace };
  const rendered = await renderedText(request, context);
  if (!request.threeWayMerge && !request.takeOwnership) {
    const before = current === undefined ? new Map() : readEntries(recordedText(current, request), options);
    return compareManifests(before, readEntries(rendered, options), compare);
  }
  const live = await liveManifests({
    cluster: await context.cluster(),
    release: name,
    namespace,
    before: current?.manifest ?? '',
    after: rendered,
    applyMethod: current?.applyMethod === 'csa' ? 'csa' : 'ssa',
    signal: context.signal,
  });
  return compareLive(live, request, options);
}

function compareLive(live: LiveManifests, request: UpgradeComparison, options: EntryOptions): ManifestComparison {
  const before = request.current === undefined ? new Map() : new Map(readEntries(live.before, options));
  const after: ManifestEntries = readEntries(live.after, options);
  if (!request.takeOwnership) return compareManifests(before, after, request.compare);
  const taken = takeovers(live.live, request.name, { ...options, normalize: true });
  for (const [key, { entry }] of taken) before.set(key, { ...entry, content: entry.content.trimEnd() });
  return compareManifests(before, after, { ...request.compare, owners: taken });
}

/** What `get manifest` and `get hooks` print. */
const recordedText = ({ manifest, hooks }: Release, { render }: UpgradeComparison): string =>
  `${manifest}\n${render.noHooks ? '' : hooks.map(hookDocument).join('')}`;

async function renderedText(request: UpgradeComparison, context: Context): Promise<string> {
  const { name, chart, values, render, dryRun, compare } = request;
  const afterRender: RenderSettings['afterRender'] = async (rendered) => {
    if (compare.secrets !== 'redacted' || compare.words === undefined) return rendered;
    if (request.current !== undefined) learnFromRecordedTemplates(request.current, compare.words);
    if (rendered.again !== undefined) learnFromTemplates(rendered.again, compare.words);
    return rendered;
  };
  if (dryRun === undefined) {
    return (await templateChart(chart, values, { ...render, name, namespace: context.namespace, afterRender })).output;
  }
  const watched = { ...context, rendering: { ...context.rendering, afterRender } };
  const { release } = await upgrade(chart, values, { ...dryRun, name, dryRun: 'plan' }, watched);
  return recordedText(release, request);
}
