import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dependency } from '../../chart/types.ts';
import { CachedCharts } from '../cached-charts.ts';
import { ContentCache } from '../content-cache.ts';
import { isSha256, repositorySource } from '../locate-archive.ts';
import type { IndexVersion } from '../repository/index-file.ts';
import type { RepositoryEntry } from '../repository/repositories.ts';
import type { DependencyTools } from './tools.ts';

/** The archive of a version of a repository's chart that the content cache holds; undefined for none. */
export function cachedArchive(
  { name, version, entry }: IndexVersion,
  repository: RepositoryEntry,
  { paths }: DependencyTools,
): Uint8Array | undefined {
  const cache = new ContentCache(paths.contentCache);
  const key = digestKey(entry.digest);
  if (key !== undefined) return cache.readProved(key);
  const fetched = new CachedCharts(cache).of(repositorySource(repository.url, name));
  const same = fetched.find((one) => one.version === version);
  return same && cache.readProved(same.key);
}

/** The digest of an index in hexadecimal; undefined for none, and for one that is not a SHA-256 digest. */
export function digestKey(digest: string): string | undefined {
  const hex = digest.slice(digest.indexOf(':') + 1).toLowerCase();
  return isSha256(hex) ? hex : undefined;
}

/** The archive of a dependency that is in charts/ already: offline it stays. */
export function archiveInCharts(
  { name, version = '' }: Dependency,
  chartPath: string,
): { readonly name: string; readonly data: Uint8Array } | undefined {
  const file = `${name}-${version}.tgz`;
  try {
    return { name: file, data: readFileSync(join(chartPath, 'charts', file)) };
  } catch {
    // It is not there, or cannot be read: then it is missing.
    return undefined;
  }
}
