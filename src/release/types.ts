import type { Chart } from '../chart/types.ts';
import type { Cluster } from '../cluster/types.ts';
import type { GoMap } from '../go/value.ts';
import type { Hook, KubernetesObject, ResourceId } from '../manifest/types.ts';

export type ReleaseStatus =
  | 'unknown'
  | 'deployed'
  | 'uninstalled'
  | 'superseded'
  | 'failed'
  | 'uninstalling'
  | 'pending-install'
  | 'pending-upgrade'
  | 'pending-rollback';
export const releaseStatuses: readonly ReleaseStatus[] = [
  'unknown',
  'deployed',
  'uninstalled',
  'superseded',
  'failed',
  'uninstalling',
  'pending-install',
  'pending-upgrade',
  'pending-rollback',
];

/** Whether a record of that status is of an operation that has not come to its end. */
export const isUnderWay = (status: ReleaseStatus): boolean =>
  status.startsWith('pending-') || status === 'uninstalling';

/** Times are RFC 3339 text as Go writes them (nanoseconds, zone offset), so that a record survives unchanged. */
export interface ReleaseInfo {
  readonly firstDeployed?: string | undefined;
  readonly lastDeployed?: string | undefined;
  readonly deleted?: string | undefined;
  readonly description?: string | undefined;
  readonly status: ReleaseStatus;
  readonly rollbackRevision?: number | undefined;
  readonly notes?: string | undefined;
}

/** The part of a chart that a record keeps: Helm stores no subcharts. */
export type RecordedChart = Omit<Chart, 'dependencies' | 'raw' | 'origin'>;

/** A revision of a release, as Helm records it (release/v1.Release). */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  /** The revision: 1, 2, … */
  readonly version: number;
  readonly info: ReleaseInfo;
  readonly chart: RecordedChart;
  /** The user's own values. */
  readonly config: GoMap;
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  readonly applyMethod?: 'ssa' | 'csa' | undefined;
  /** Labels of the record that are not Helm's own. */
  readonly labels: Readonly<Record<string, string>>;
  /** All labels of the object that the release was read from, Helm's own too. */
  readonly storedLabels?: Readonly<Record<string, string>> | undefined;
  /** tshelm's own: the strategy and the batches (docs/ordering.md, 4). Helm ignores and drops it. */
  readonly sequencing?: unknown;
  /** tshelm's own, while an operation is under way and after it has failed. Helm ignores and drops it. */
  readonly operation?: OperationRecord | undefined;
  /** tshelm's own, in the revision that a rename has made: whose records these were. Helm ignores and drops it. */
  readonly renamedFrom?: ReleaseId | undefined;
}

/** What tshelm keeps of an operation in the record that it changes. */
export interface OperationRecord {
  /** Holder.identity of the run, and the marks that tell whether it still lives; see lock/holder.ts. */
  readonly holder: string;
  readonly job?: string | undefined;
  readonly process?: string | undefined;
  /** Whether the run held the release's Lease: then it is over when somebody else has that. */
  readonly isLeased: boolean;
  /** How long one wait of it may take: that of --timeout. */
  readonly timeoutSeconds: number;
  /** For --resume: what is done, with what, and how far that has come (execute/done.ts). */
  readonly action?: 'install' | 'upgrade' | undefined;
  readonly inputs?: OperationInputs | undefined;
  readonly done?: readonly string[] | undefined;
  /** Hooks whose objects the API server did not take: what has their names belongs to an earlier run. */
  readonly refusedHooks?: readonly string[] | undefined;
  /** Objects that the run deletes to create them anew, as they were: what rules leave to others goes into the new ones. */
  readonly replaced?: readonly KubernetesObject[] | undefined;
  /** A move that has begun: only the same command goes on with it. */
  readonly move?: MoveRecord | undefined;
}

/** What a `move`, `rename` or `adopt` is doing, in the pending record of each release that it changes. */
export interface MoveRecord {
  readonly kind: 'move' | 'rename' | 'adopt';
  /** Whose the objects were; undefined where they are adopted. */
  readonly from?: ReleaseId | undefined;
  readonly to: ReleaseId;
  /** As the user named them; [] where a whole release is renamed. */
  readonly objects: readonly string[];
}

/** Names one release of a cluster, as the annotations of its objects do. */
export interface ReleaseId {
  readonly release: string;
  readonly namespace: string;
}

/** SHA-256 in hexadecimal. */
export interface OperationInputs {
  readonly chart: string;
  readonly values: string;
}

/**
 * Where revisions are kept. Errors: `release-exists` (create), `release-not-found` (update, delete), `invalid-release-name`
 * (revisions, newest).
 */
export interface ReleaseStorage {
  /** Refuses a release that does not fit into a record, before anything is changed. Errors: `release-too-large`. */
  checkSize(release: Release): Promise<void>;
  /** The object of the cluster that is the record of a revision; undefined where records are kept elsewhere. */
  recordId(name: string, version: number): ResourceId | undefined;
  create(release: Release, options?: TrialOption): Promise<void>;
  /** Errors: `release-not-found`. */
  update(release: Release, options?: TrialOption): Promise<void>;
  delete(name: string, version: number, options?: TrialOption): Promise<void>;
  /** One revision; undefined when there is none. */
  get(name: string, version: number): Promise<Release | undefined>;
  /** Every revision of a name, oldest first; [] when unknown. */
  revisions(name: string, options?: BriefOption): Promise<readonly Release[]>;
  /** The newest revision of a name; undefined when unknown. */
  newest(name: string): Promise<Release | undefined>;
  /**
   * Every revision of every release in the namespace ('' = all namespaces), by namespace, name and revision; with
   * `newestOnly` one revision of each. The label selector (over Helm's labels and the user's) is applied last.
   */
  list(options?: ListReleasesOptions): Promise<readonly Release[]>;
  /**
   * The same records for one run that holds their lock, through its own cluster: a record is written or deleted only if
   * nobody else has written it since the run read it, or wrote it itself. Otherwise `api-error` with the reason `Conflict`.
   */
  underLock(cluster: Cluster): ReleaseStorage;
}

export interface TrialOption {
  /** Only asks whether the record would be written: the API server runs admission and quota, and stores nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface BriefOption {
  /** What tables show of releases is enough: charts without files and values, no configuration, manifest or hooks. */
  readonly isBrief?: boolean | undefined;
}

export interface ListReleasesOptions extends BriefOption {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly newestOnly?: boolean | undefined;
}
