import { isCompatibleRange } from '../go/semver.ts';
import type { GoMap } from '../go/value.ts';
import { groupBy } from '../support/group-by.ts';
import { coalesceValues } from './coalesce.ts';
import { misspeltCondition } from './dependency-notices.ts';
import { importValues } from './import-values.ts';
import { ignoreNotices, type Notify, warn } from './notice.ts';
import { lookUpTable, lookUpValue } from './tables.ts';
import type { Chart } from './types.ts';
import { asChart, type WorkingChart, type WorkingDependency, workingCopy } from './working-chart.ts';

/**
 * The chart as it is rendered: subcharts that conditions or tags switch off are gone, aliased ones carry their alias,
 * and what `import-values` names is among the parents' values. Go: chartutil.ProcessDependencies.
 * Throws GoError (`type mismatch on NAME: …`).
 */
export function processDependencies(chart: Chart, values: GoMap, notify: Notify = ignoreNotices): Chart {
  const working = workingCopy(chart);
  keepEnabled(working, values, '', notify);
  importValues(working, notify);
  return asChart(working);
}

/** Decides for one chart which subcharts stay, then for each of those. */
function keepEnabled(chart: WorkingChart, values: GoMap, path: string, notify: Notify): void {
  const listed = chart.metadata.dependencies;
  if (listed === undefined) return;
  chart.dependencies = listedAndOther(chart, listed);
  for (const entry of listed) {
    if (entry.alias) entry.name = entry.alias;
    entry.enabled = true;
  }
  const coalesced = coalesceValues(chart, values, notify);
  applyTags(listed, coalesced, notify);
  applyConditions(listed, coalesced, path, notify);
  const disabled = new Set(listed.filter(({ enabled }) => !enabled).map(({ name }) => name));
  const kept = chart.dependencies.filter(({ metadata }) => !disabled.has(metadata.name));
  for (const child of kept) keepEnabled(child, coalesced, `${path}${child.metadata.name}.`, notify);
  const stillListed = listed.filter(({ name }) => !disabled.has(name));
  chart.metadata.dependencies = stillListed.length === 0 ? undefined : stillListed;
  chart.dependencies = kept;
}

/** First the charts that Chart.yaml does not speak of, then a copy of a chart for each entry that one fits. */
function listedAndOther(chart: WorkingChart, listed: readonly WorkingDependency[]): WorkingChart[] {
  const namesakes = groupBy(chart.dependencies, ({ metadata }) => metadata.name);
  const entries = groupBy(listed, ({ name }) => name);
  const others = chart.dependencies.filter(
    (child) => !entries.get(child.metadata.name)?.some((entry) => fits(child, entry)),
  );
  const chosen = listed.flatMap((entry) => {
    const found = namesakes.get(entry.name)?.find((child) => fits(child, entry));
    return found === undefined ? [] : [aliased(found, entry)];
  });
  return [...others, ...chosen];
}

const fits = ({ metadata }: WorkingChart, { version = '' }: WorkingDependency): boolean =>
  isCompatibleRange(version, metadata.version);

/** The copy has its own metadata; what is below it is copied one level deep, as in getAliasDependency. */
function aliased(found: WorkingChart, entry: WorkingDependency): WorkingChart {
  const dependencies = found.metadata.dependencies?.map((dependency) => ({ ...dependency }));
  return {
    ...found,
    metadata: { ...found.metadata, dependencies, ...(entry.alias && { name: entry.alias }) },
    dependencies: found.dependencies.map((child) => ({ ...child })),
  };
}

/** A tag that is true keeps a subchart, else one that is false removes it. */
function applyTags(listed: readonly WorkingDependency[], values: GoMap, notify: Notify): void {
  const tags = lookUpTable(values, 'tags');
  if (tags.kind !== 'table') return;
  for (const entry of listed) {
    const settings = (entry.tags ?? [])
      .filter((tag) => tags.table.has(tag))
      .map((tag) => ({ tag, value: tags.table.get(tag) }));
    for (const { tag, value } of settings) {
      if (typeof value !== 'boolean') notify(warn('returned non-bool value', { tag, chart: entry.name }));
    }
    const isTrue = settings.some(({ value }) => value === true);
    const isFalse = settings.some(({ value }) => value === false);
    entry.enabled = isTrue || !isFalse;
  }
}

/** The first of the paths in `condition` that leads to a boolean decides, and takes precedence over tags. */
function applyConditions(listed: readonly WorkingDependency[], values: GoMap, path: string, notify: Notify): void {
  for (const entry of listed) {
    const conditions = (entry.condition ?? '')
      .trim()
      .split(',')
      .filter((condition) => condition !== '');
    const found = conditions.map((condition) => lookUpValue(values, path + condition));
    if (found.every((value) => value === undefined)) {
      for (const condition of conditions) misspeltCondition(path + condition, entry.name, values).forEach(notify);
    }
    for (const [index, condition] of conditions.entries()) {
      const value = found[index];
      if (typeof value === 'boolean') {
        entry.enabled = value;
        break;
      }
      if (value !== undefined) notify(warn('returned non-bool value', { path: condition, chart: entry.name }));
    }
  }
}
