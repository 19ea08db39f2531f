import { parseConstraint, parseVersion, satisfies } from '../go/semver.ts';
import type { GoMap, Value } from '../go/value.ts';
import { readAny } from '../render/yaml-values.ts';
import { addTo } from '../support/group-by.ts';
import { compareText } from '../support/order.ts';
import { trimPrefix, trimSuffix } from '../support/text.ts';
import { inOwnOrder, readPlainYaml, writeYaml, writeYamlPretty } from '../yaml/index.ts';
import { repositoryChart } from './chart-reference.ts';
import type { LoadedState } from './load-file.ts';
import { absolute, invalid, joined, type Reading } from './reading.ts';
import type { ReleaseSpec } from './schema.ts';

/** The releases with the versions that helmfile.lock names for their charts; as they are where there is no such file. */
export function withLockedVersions(
  releases: readonly ReleaseSpec[],
  state: LoadedState,
  { world }: Reading,
): readonly ReleaseSpec[] {
  const { place, spec } = state;
  const path = lockPath(state);
  const isLocked = releases.some((release) => repositoryChart(release, spec) !== undefined);
  if (!isLocked || world.kindOf(path) !== 'file') return releases;
  const locked = lockedCharts(world.readFile(path));
  return releases.map((release) => {
    const chart = repositoryChart(release, spec);
    if (chart === undefined) return release;
    const version = locked.get(chart.name)?.find((one) => isMet(one, release.version ?? '*'));
    if (version !== undefined) return { ...release, version };
    throw invalid(
      place.file,
      `no resolved dependency found for "${chart.name}", running "helmfile deps" may resolve the issue`,
    );
  });
}

/** Absolute. */
function lockPath({ place, spec }: LoadedState): string {
  const name = spec.lockFilePath ?? `${stem(place.file)}.lock`;
  return absolute(place, joined(place.base, name));
}

/** What pins the charts of a file: a chart that has them as dependencies is updated, and its lock file becomes helmfile.lock. */
export interface LockRequest {
  readonly path: string;
  /** Of the chart; undefined where no release has a chart of a repository of the file. */
  readonly chartYaml: string | undefined;
}

/** helmfile's: one dependency for each release, whose alias is the release's namespace and name. */
export function lockRequest(releases: readonly ReleaseSpec[], state: LoadedState): LockRequest {
  const dependencies = releases.flatMap((release): GoMap[] => {
    const chart = repositoryChart(release, state.spec);
    if (chart === undefined) return [];
    const { url = '', oci } = chart.repository;
    const above = (release.chart ?? '').split('/').slice(1, -1);
    return [
      new Map<string, Value>([
        ['name', chart.name],
        ['repository', oci ? [`oci://${trimPrefix(trimSuffix(url, '/'), 'oci://')}`, ...above].join('/') : url],
        ['version', release.version ?? '*'],
        ['alias', `${release.namespace ?? ''}-${release.name ?? ''}`],
      ]),
    ];
  });
  const name = stem(state.place.file);
  const chart = new Map<string, Value>([
    ['apiVersion', 'v2'],
    ['name', name],
    ['version', '1.0.0'],
    ['dependencies', dependencies],
  ]);
  return { path: lockPath(state), chartYaml: dependencies.length === 0 ? undefined : writeYaml(chart) };
}

/** The version of helmfile that is read as here: helmfile wants to see one. */
const helmfileVersion = 'v1.8.0';

interface ChartLock {
  readonly dependencies: readonly { readonly name: string; readonly repository: string; readonly version: string }[];
  readonly digest: string;
  readonly generated: string;
}

/** What helmfile.lock says, from the lock file of the chart. */
export function lockText(chartLock: string): string {
  const { dependencies, digest, generated } = readPlainYaml(chartLock) as ChartLock;
  const each = new Map(dependencies.map((one) => [`${one.name}|${one.repository}|${one.version}`, one]));
  const sorted = [...each.values()]
    .sort((a, b) => compareText(a.name, b.name))
    .map(({ name, repository, version }) => inOwnOrder(new Map(Object.entries({ name, repository, version }))));
  const lock = { version: helmfileVersion, dependencies: sorted, digest, generated };
  return writeYamlPretty(inOwnOrder(new Map<string, Value>(Object.entries(lock))));
}

const stem = (file: string): string => trimSuffix(file.split('/').at(-1) as string, '.gotmpl').replace(/\.ya?ml$/, '');

/** The versions by the charts' names. */
function lockedCharts(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const lock = readAny(text);
  const entries = lock instanceof Map ? lock.get('dependencies') : undefined;
  for (const entry of Array.isArray(entries) ? entries : []) {
    if (!(entry instanceof Map)) continue;
    addTo(found, String(entry.get('name')), String(entry.get('version')));
  }
  return found;
}

const isMet = (version: string, constraint: string): boolean =>
  satisfies(parseConstraint(constraint), parseVersion(version));
