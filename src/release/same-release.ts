import { writeJson } from '../go/json/json.ts';
import { equalJson } from '../support/json.ts';
import { chartJson } from './chart-json.ts';
import type { RecordedChart, Release } from './types.ts';

/** Whether the newest revision is deployed and has the manifest and hooks of the new one, as helm-diff compares them. */
export const isSameRelease = (current: Release | undefined, next: Release): boolean =>
  current?.info.status === 'deployed' && next.manifest === current.manifest && hookText(next) === hookText(current);

const hookText = ({ hooks }: Release): string =>
  hooks
    .map(({ path, manifest }) => `${path}\n${manifest}`)
    .sort()
    .join('\n');

/** The same of all that a record keeps of what was deployed: the chart, whenever its files were written, values and labels too. */
export const isSameRecord = (current: Release, next: Release): boolean =>
  isSameRelease(current, next) &&
  chartJson(withoutTimes(current.chart)) === chartJson(withoutTimes(next.chart)) &&
  writeJson(current.config) === writeJson(next.config) &&
  equalJson(current.labels, next.labels) &&
  current.applyMethod === next.applyMethod;

function withoutTimes({ modifiedAt: _modified, schemaModifiedAt: _schema, ...chart }: RecordedChart): RecordedChart {
  const undated = (files: RecordedChart['files']): RecordedChart['files'] =>
    files.map(({ modifiedAt: _file, ...file }) => file);
  return { ...chart, templates: undated(chart.templates), files: undated(chart.files) };
}
