import { parseConstraint, parseVersion, satisfies } from '../go/semver.ts';
import { readAny } from '../render/yaml-values.ts';
import { trimSuffix } from '../support/text.ts';
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
  const name = spec.lockFilePath ?? `${stem(place.file)}.lock`;
  const path = absolute(place, joined(place.base, name));
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

const stem = (file: string): string => trimSuffix(file.split('/').at(-1) as string, '.gotmpl').replace(/\.ya?ml$/, '');

/** The versions by the charts' names. */
function lockedCharts(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const lock = readAny(text);
  const entries = lock instanceof Map ? lock.get('dependencies') : undefined;
  for (const entry of Array.isArray(entries) ? entries : []) {
    if (!(entry instanceof Map)) continue;
    const name = String(entry.get('name'));
    found.set(name, [...(found.get(name) ?? []), String(entry.get('version'))]);
  }
  return found;
}

const isMet = (version: string, constraint: string): boolean =>
  satisfies(parseConstraint(constraint), parseVersion(version));
