import { writeJson } from '../go/json/json.ts';
import { equalJson } from '../support/json.ts';
import { chartJson } from './chart-json.ts';
import type { RecordedChart, Release } from './types.ts';

/**
 * Whether the newest revision is deployed and has the manifest and hooks of the new one, as helm-diff compares them. Of one
 * chart with the same values, hooks that differ in their names alone are the same too: such names are random, or have the
 * time or the revision in them.
 */
export const isSameRelease = (current: Release | undefined, next: Release): boolean =>
  current?.info.status === 'deployed' && next.manifest === current.manifest && hasSameHooks(current, next);

/** The same of all that a record keeps of what was deployed: the chart, whenever its files were written, values and labels too. */
export const isSameRecord = (current: Release, next: Release): boolean =>
  isSameRelease(current, next) && hasSameSource(current, next);

/** Whether they are of the same chart, values and labels, whatever was rendered of them. */
export const hasSameSource = (current: Release, next: Release): boolean =>
  chartJson(withoutTimes(current.chart)) === chartJson(withoutTimes(next.chart)) &&
  writeJson(current.config) === writeJson(next.config) &&
  equalJson(current.labels, next.labels) &&
  current.applyMethod === next.applyMethod;

function hasSameHooks(current: Release, next: Release): boolean {
  if (hookText(current) === hookText(next)) return true;
  const [before, after] = [namesOnlyIn(current, next), namesOnlyIn(next, current)];
  return hookText(current, before) === hookText(next, after) && hasSameSource(current, next);
}

/** Longest first: one name may be the beginning of another. */
function namesOnlyIn({ hooks }: Release, other: Release): readonly string[] {
  const others = new Set(other.hooks.map(({ name }) => name));
  return hooks
    .map(({ name }) => name)
    .filter((name) => name !== '' && !others.has(name))
    .sort((a, b) => b.length - a.length);
}

const hookText = ({ hooks }: Release, names: readonly string[] = []): string =>
  hooks
    .map(({ path, manifest }) => `${path}\n${names.reduce((text, name) => text.replaceAll(name, '\0'), manifest)}`)
    .sort()
    .join('\n');

function withoutTimes({ modifiedAt: _modified, schemaModifiedAt: _schema, ...chart }: RecordedChart): RecordedChart {
  const undated = (files: RecordedChart['files']): RecordedChart['files'] =>
    files.map(({ modifiedAt: _file, ...file }) => file);
  return { ...chart, templates: undated(chart.templates), files: undated(chart.files) };
}
