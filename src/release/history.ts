import { TshelmError } from '../support/errors.ts';
import { releaseNotFound } from './record.ts';
import { isUnderWay, type Release, type ReleaseStatus, type ReleaseStorage } from './types.ts';

/** The newest of a name's revisions (Helm's Last). Errors: `release-not-found` when there are none. */
export function lastRevision(name: string, revisions: readonly Release[]): Release {
  const last = newest(revisions);
  if (last === undefined) throw releaseNotFound(name);
  return last;
}

/** The newest deployed revision; undefined when there is none. */
export const deployedRevision = (revisions: readonly Release[]): Release | undefined =>
  newest(revisions.filter((release) => release.info.status === 'deployed'));

const newest = (revisions: readonly Release[]): Release | undefined =>
  revisions.reduce<Release | undefined>(
    (best, release) => (best === undefined || release.version > best.version ? release : best),
    undefined,
  );

/** The last revision that was deployed, of those that are still there once the new one is recorded. */
export function lastGoodRevision(history: readonly Release[], maxHistory = 0): number | undefined {
  const pruned = new Set(revisionsToPrune(history, maxHistory));
  const good = history.filter(({ info }) => info.status === 'superseded' || info.status === 'deployed');
  return good.filter((release) => !pruned.has(release)).at(-1)?.version;
}

/** Helm's NewErrNoDeployedReleases. */
export const noDeployedReleases = (name: string): TshelmError =>
  new TshelmError('no-deployed-releases', {
    message: `"${name}" has no deployed releases`,
    details: { release: name },
  });

/** What an operation keeps of itself in the record goes when it has succeeded. */
export const withStatus = (release: Release, status: ReleaseStatus, description?: string): Release => ({
  ...release,
  info: { ...release.info, status, ...(description === undefined ? {} : { description }) },
  operation: isUnfinished(status) ? release.operation : undefined,
});

const isUnfinished = (status: ReleaseStatus): boolean => status === 'failed' || isUnderWay(status);

export const supersede = (release: Release): Release => withStatus(release, 'superseded');

export const isPending = (release: Release): boolean => release.info.status.startsWith('pending-');

/**
 * The revisions to delete, oldest first, so that at most `maxHistory` are left once one more is created
 * (storage.removeLeastRecent). The deployed revision stays whatever its age; 0 or less means no limit.
 */
export function revisionsToPrune(revisions: readonly Release[], maxHistory: number): readonly Release[] {
  if (maxHistory <= 0) return [];
  const excess = revisions.length - (maxHistory - 1);
  const deployed = deployedRevision(revisions);
  return [...revisions]
    .sort((a, b) => a.version - b.version)
    .filter((release) => release.version !== deployed?.version)
    .slice(0, Math.max(0, excess));
}

/** Makes room in the history, then creates the record of a new revision (Storage.Create). Errors: `release-too-large`. */
export async function createRevision(
  storage: ReleaseStorage,
  release: Release,
  history: readonly Release[],
  maxHistory = 0,
): Promise<void> {
  await storage.checkSize(release);
  for (const old of revisionsToPrune(history, maxHistory)) await storage.delete(old.name, old.version);
  await storage.create(release);
}

/** The newest revision of each release (by namespace and name). */
export function newestOfEach(releases: readonly Release[]): readonly Release[] {
  const newest = new Map<string, Release>();
  for (const release of releases) {
    const key = `${release.namespace}/${release.name}`;
    const known = newest.get(key);
    if (known === undefined || known.version < release.version) newest.set(key, release);
  }
  return [...newest.values()];
}
