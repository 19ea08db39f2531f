import { resolve } from 'node:path';
import { runeCount } from '../go/fmt/format.ts';
import { writeJson } from '../go/json/json.ts';
import { compareText } from '../support/order.ts';
import { inOwnOrder, writeYamlPretty } from '../yaml/index.ts';
import { chartFolder } from './chart-reference.ts';
import { isConditionMet, type ShownGraph, selectedForShow } from './choose.ts';
import { writeStruct } from './fields.ts';
import { groupsOf } from './graph.ts';
import type { StackFile } from './read-stack.ts';
import type { Reading } from './reading.ts';
import { isWanted, releaseId } from './releases.ts';
import { type ReleaseSpec, stateFields } from './schema.ts';
import { deepCopyOf } from './value-maps.ts';

/** What `helmfile build` prints of a file: the state as it is meant, every name of it resolved. */
export function buildText(file: StackFile, reading: Reading): string {
  const releases = selectedForShow(file).map((release) => withChartPath(release, file, reading));
  const written = writeStruct(stateFields, { ...file.spec, filepath: file.place.file, releases });
  written.set('renderedvalues', deepCopyOf(file.values));
  return `---\n#  Source: ${file.source}\n\n${writeYamlPretty(inOwnOrder(written))}`;
}

function withChartPath(release: ReleaseSpec, file: StackFile, reading: Reading): ReleaseSpec {
  const { jsonPatches = [], strategicMergePatches = [], transformers = [] } = release;
  const isPatched = jsonPatches.length + strategicMergePatches.length + transformers.length > 0;
  if (!isWanted(release) || isPatched || !isConditionMet(release, file)) return release;
  const folder = chartFolder(release, file, reading);
  if (folder === undefined || folder === release.chart) return release;
  const hasChart = reading.world.kindOf(resolve(file.place.cwd, folder, 'Chart.yaml')) !== undefined;
  return hasChart ? { ...release, chartPath: folder } : release;
}

/** A row of `helmfile list`. */
export interface ListedRelease {
  readonly name: string;
  readonly namespace: string;
  readonly enabled: boolean;
  readonly installed: boolean;
  readonly labels: string;
  readonly chart: string;
  readonly version: string;
}

/** All releases of a stack, by namespace and name. */
export function listedReleases(files: readonly StackFile[]): readonly ListedRelease[] {
  const listed = files.flatMap((file) => selectedForShow(file).map((release) => listedRelease(release, file)));
  return listed.sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name));
}

function listedRelease(release: ReleaseSpec, file: StackFile): ListedRelease {
  const { name = '', namespace = '', chart = '', version = '' } = release;
  const labels = [...(release.labels ?? [])].sort(([a], [b]) => compareText(a, b));
  return {
    name,
    namespace,
    enabled: isConditionMet(release, file),
    installed: isWanted(release),
    labels: labels
      .map(([key, value]) => `${key}:${value}`)
      .join(',')
      .replace(/^,+|,+$/g, ''),
    chart,
    version,
  };
}

type Rows = readonly (readonly string[])[];

/** The table of `helmfile list`. */
export function listRows(releases: readonly ListedRelease[]): Rows {
  const head = ['NAME', 'NAMESPACE', 'ENABLED', 'INSTALLED', 'LABELS', 'CHART', 'VERSION'];
  const rows = releases.map((one) => [
    one.name,
    one.namespace,
    String(one.enabled),
    String(one.installed),
    one.labels,
    one.chart,
    one.version,
  ]);
  return [head, ...rows];
}

/** As helmfile prints it: columns as wide as their widest cell, with tabs between. */
export function listLayout(all: Rows): string {
  const [head = []] = all;
  const widths = head.map((_title, column) => Math.max(...all.map((row) => runeCount(row[column] as string))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] as number) - runeCount(cell)))
      .join('\t')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}

export const listJson = (releases: readonly ListedRelease[]): string =>
  `[${releases
    .map(
      (one) =>
        `{${Object.entries(one)
          .map(([key, value]) => `${writeJson(key)}:${writeJson(value)}`)
          .join(',')}}`,
    )
    .join(',')}]\n`;

/** The table of `helmfile show-dag`: the groups of a file's releases, and what each needs. */
export function dagRows({ releases, locate }: ShownGraph): Rows {
  const groups = groupsOf(releases, { needs: 'with', locate });
  const rows = groups.flatMap((group, index) =>
    group.map((release) => [String(index + 1), releaseId(release), (release.needs ?? []).join(', ')]),
  );
  return [['GROUP', 'RELEASE', 'DEPENDENCIES'], ...rows];
}

export const dagLayout = (rows: Rows): string => columns(rows, ' ');

/** Rows of as many cells each, as lines: every column but the last as wide as its widest cell. */
export function columns(rows: Rows, gap: string): string {
  const [head = []] = rows;
  const widths = head.map((_title, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(gap);
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}
