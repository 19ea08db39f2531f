import type { Context } from '../../change/context.ts';
import { learnFromRecordedTemplates } from '../../change/learn-secrets.ts';
import type { Release } from '../../release/types.ts';
import { compareText } from '../../support/order.ts';
import { findRelease } from '../find-release.ts';
import { type CompareOptions, compareManifests, type ManifestComparison } from './compare.ts';
import { type EntryOptions, type ManifestEntries, readEntries } from './entries.ts';

export interface RecordComparison {
  readonly entries: Omit<EntryOptions, 'namespace'>;
  readonly compare: CompareOptions;
}

/** What differs from a revision to another, the older first, or to the newest. Errors: `release-not-found`. */
export async function compareRevisions(
  name: string,
  [first, second]: readonly [number, number | undefined],
  request: RecordComparison,
  context: Context,
): Promise<ManifestComparison> {
  const newest = second === undefined ? await findRelease(name, undefined, context) : undefined;
  const [from, to] = second === undefined || first <= second ? [first, second] : [second, first];
  const before = await findRelease(name, from, context);
  return compareRecords(before, newest ?? (await findRelease(name, to, context)), request, context);
}

/** What a rollback would change: from the newest revision to the one that it goes back to, by default the one before. */
export async function compareRollback(
  name: string,
  revision: number | undefined,
  request: RecordComparison,
  context: Context,
): Promise<ManifestComparison> {
  const before = await findRelease(name, undefined, context);
  return compareRecords(before, await findRelease(name, revision ?? before.version - 1, context), request, context);
}

function compareRecords(
  before: Release,
  after: Release,
  { entries, compare }: RecordComparison,
  { namespace }: Context,
): ManifestComparison {
  learnFrom([before, after], compare);
  const read = ({ manifest }: Release): ManifestEntries => readEntries(manifest, { ...entries, namespace });
  return compareManifests(read(before), read(after), compare);
}

function learnFrom(releases: readonly Release[], { secrets, words }: CompareOptions): void {
  if (secrets === 'redacted' && words !== undefined)
    for (const release of releases) learnFromRecordedTemplates(release, words);
}

/** One side of a comparison of two releases; each may be in a namespace of its own. */
export interface ReleaseSide {
  readonly release: Release;
  readonly namespace: string;
}

/** What differs between two releases of one chart: objects count as the same by their templates, whatever their names. */
export function compareReleases(
  first: ReleaseSide,
  second: ReleaseSide,
  request: RecordComparison,
): ManifestComparison {
  learnFrom([first.release, second.release], request.compare);
  const read = ({ release, namespace }: ReleaseSide): ManifestEntries =>
    byTemplate(readEntries(release.manifest, { ...request.entries, namespace }));
  return compareManifests(read(first), read(second), request.compare);
}

/** By the path of the template; of several objects of one template the later ones have numbers, from 1 on. */
function byTemplate(entries: ManifestEntries): ManifestEntries {
  const counts = new Map<string, number>();
  const found = [...entries]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, entry]): [string, typeof entry] => {
      const path = (entry.content.split('\n')[0] ?? '').replace('# Source: ', '');
      const count = counts.get(path) ?? 0;
      counts.set(path, count + 1);
      return [count === 0 ? path : `${path} ${count + 1}`, entry];
    });
  return new Map(found);
}
