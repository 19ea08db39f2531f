import type { Chart } from '../chart/types.ts';
import { isCompatibleRange, parseConstraint } from '../go/semver.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import type { StackFile } from './read-stack.ts';
import type { ReleaseSpec } from './schema.ts';

type Added = NonNullable<ReleaseSpec['dependencies']>[number];

/** What a dependency of a release asks of its chart, as if the release had it for its own. Errors: `stack-invalid`. */
export function requestOfDependency(
  { chart = '', version = '' }: Added,
  release: ReleaseSpec,
  file: StackFile,
): { readonly release: ReleaseSpec; readonly file: StackFile } {
  try {
    parseConstraint(version);
  } catch (cause) {
    throw wrong(chart, file, `invalid version/constraint format: ${messageOf(cause)}`);
  }
  const { chart: _override, ...spec } = file.spec;
  return { release: { ...release, chart, version }, file: { ...file, spec } };
}

/**
 * A chart with `dependencies` of a release as its subcharts; values of their names, or aliases, are theirs, and `enabled:
 * false` among these takes one away. `charts` are theirs, in order. Errors: `stack-invalid` for a version that does not fit.
 */
export function withDependencies(
  chart: Chart,
  charts: readonly Chart[],
  { release, file }: { readonly release: ReleaseSpec; readonly file: StackFile },
): Chart {
  const added = (release.dependencies ?? []).map(({ chart: reference = '', version = '', alias }, index) => {
    const { name, version: found } = (charts[index] as Chart).metadata;
    if (!isCompatibleRange(version, found))
      throw wrong(reference, file, `can't get a valid version: the chart is ${found}, but ${version} is required`);
    return { name, version, condition: `${alias ?? name}.enabled`, ...(alias === undefined ? {} : { alias }) };
  });
  const { metadata } = chart;
  const known = new Set(chart.dependencies.map((one) => one.metadata.name));
  const loaded = new Map(charts.filter((one) => !known.has(one.metadata.name)).map((one) => [one.metadata.name, one]));
  return {
    ...chart,
    metadata: { ...metadata, dependencies: [...(metadata.dependencies ?? []), ...added] },
    dependencies: [...chart.dependencies, ...loaded.values()],
  };
}

const wrong = (chart: string, { place }: StackFile, why: string): TshelmError =>
  new TshelmError('stack-invalid', {
    message: `dependency ${JSON.stringify(chart)}: ${why}`,
    details: { file: place.file },
  });
