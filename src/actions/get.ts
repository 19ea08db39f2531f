import type { Context } from '../change/context.ts';
import type { Dependency } from '../chart/types.ts';
import type { GoMap } from '../go/value.ts';
import { computedValues } from '../release/computed-values.ts';
import type { Release, ReleaseStatus } from '../release/types.ts';
import { wholeSeconds } from '../support/time.ts';
import { findRelease } from './find-release.ts';
import type { GetOptions, GetValuesOptions } from './options/readings.ts';

/** Everything about a release: manifest, values, notes, hooks. Errors: `release-not-found`. */
export const getRelease = ({ name, revision }: GetOptions, context: Context): Promise<Release> =>
  findRelease(name, revision, context);

/** The user's own values, or with `all` those that the templates saw. */
export async function getValues(options: GetValuesOptions, context: Context): Promise<GoMap> {
  const release = await getRelease(options, context);
  return options.all ? computedValues(release) : release.config;
}

/** What `helm get metadata` tells; fields in its order. */
export interface ReleaseMetadata {
  readonly name: string;
  readonly chart: string;
  readonly version: string;
  readonly appVersion: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly dependencies: readonly Dependency[];
  readonly namespace: string;
  readonly revision: number;
  readonly status: ReleaseStatus;
  /** RFC 3339, whole seconds. */
  readonly deployedAt: string;
  readonly applyMethod: string;
}

export async function getMetadata(options: GetOptions, context: Context): Promise<ReleaseMetadata> {
  const release = await getRelease(options, context);
  const { metadata } = release.chart;
  return {
    name: release.name,
    chart: metadata.name,
    version: metadata.version,
    appVersion: metadata.appVersion ?? '',
    annotations: metadata.annotations ?? {},
    // Helm's drivers leave out their own labels only where one revision is asked for.
    labels: options.revision ? release.labels : (release.storedLabels ?? release.labels),
    dependencies: metadata.dependencies ?? [],
    namespace: release.namespace,
    revision: release.version,
    status: release.info.status,
    deployedAt: wholeSeconds(release.info.lastDeployed ?? '0001-01-01T00:00:00Z'),
    applyMethod: release.applyMethod ?? '',
  };
}
