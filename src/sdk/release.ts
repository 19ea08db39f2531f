import type { ChartMetadata } from '../chart/types.ts';
import type { Hook } from '../manifest/types.ts';
import type { Release as RecordedRelease, ReleaseStatus } from '../release/types.ts';
import { plainValues, type Values } from './values.ts';

/** What lists tell of a revision of a release. Times are RFC 3339. */
export interface ReleaseSummary {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  readonly status: ReleaseStatus;
  /** What the last action said: `Install complete`, or why it failed. */
  readonly description: string;
  /** The chart's Chart.yaml. */
  readonly chart: ChartMetadata;
  /** The labels of the record. */
  readonly labels: Readonly<Record<string, string>>;
  /** When revision 1 was deployed. */
  readonly firstDeployedAt?: string | undefined;
  /** When this revision was deployed. */
  readonly deployedAt?: string | undefined;
  /** When it was uninstalled. */
  readonly deletedAt?: string | undefined;
  /** How its objects were sent: server-side or client-side apply. */
  readonly applyMethod?: 'ssa' | 'csa' | undefined;
}

/** A revision of a release. */
export interface Release extends ReleaseSummary {
  /** The user's own values. */
  readonly values: Values;
  /** What was rendered, hooks left out, as YAML. */
  readonly manifest: string;
  /** With what became of each in `lastRun`. */
  readonly hooks: readonly Hook[];
  /** What NOTES.txt said. */
  readonly notes: string;
}

export const summaryForPrograms = (release: RecordedRelease): ReleaseSummary => ({
  name: release.name,
  namespace: release.namespace,
  revision: release.version,
  status: release.info.status,
  description: release.info.description ?? '',
  chart: release.chart.metadata,
  labels: release.labels,
  firstDeployedAt: release.info.firstDeployed,
  deployedAt: release.info.lastDeployed,
  deletedAt: release.info.deleted,
  applyMethod: release.applyMethod,
});

export const releaseForPrograms = (release: RecordedRelease): Release => ({
  ...summaryForPrograms(release),
  values: plainValues(release.config),
  manifest: release.manifest,
  hooks: release.hooks,
  notes: release.info.notes ?? '',
});
