import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Dependency } from '../../chart/types.ts';
import { ifReadable } from '../../go/if-readable.ts';
import { parseUrl } from '../../go/net/url.ts';
import { errnoOf, goPathError } from '../../go/path-error.ts';
import { TshelmError } from '../../support/errors.ts';
import { trimPrefix } from '../../support/text.ts';
import { asGitUrl } from '../git/reference.ts';
import { plainEntry, type RepositoryEntry } from '../repository/repositories.ts';
import { isSameUrl } from '../repository/url.ts';

/** Where a dependency comes from. */
export type Origin =
  /** It names no repository: it is in charts/ already. */
  | { readonly kind: 'charts' }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'registry' }
  /** A repository that the user has added, or, `isUnmanaged`, one that is known by its URL alone. */
  | { readonly kind: 'repository'; readonly entry: RepositoryEntry; readonly isUnmanaged: boolean };

/** A dependency whose repository is a URL, where Chart.yaml may name an added one by `@NAME` or `alias:NAME`. */
export interface PlacedDependency {
  readonly dependency: Dependency;
  readonly origin: Origin;
}

/**
 * Finds out where the dependencies of a chart come from. Go: Manager.resolveRepoNames, ensureMissingRepos. Fails with
 * `repository-unknown` naming all that nobody knows, `dependency-missing` for a folder that is not there.
 */
export function placeDependencies(
  dependencies: readonly Dependency[],
  chartPath: string,
  known: readonly RepositoryEntry[],
): readonly PlacedDependency[] {
  const missing: string[] = [];
  const placed = dependencies.map((dependency) => {
    const found = placeOf(dependency, chartPath, known);
    if (found === undefined) missing.push(dependency.repository ?? '');
    return found;
  });
  if (missing.length > 0) throw unknownRepositories(missing);
  return placed.filter((one) => one !== undefined);
}

function placeOf(
  dependency: Dependency,
  chartPath: string,
  known: readonly RepositoryEntry[],
): PlacedDependency | undefined {
  const { repository = '' } = dependency;
  const asUrl = asGitUrl(repository);
  if (asUrl !== repository) return placeOf({ ...dependency, repository: asUrl }, chartPath, known);
  if (repository === '') return { dependency, origin: { kind: 'charts' } };
  if (repository.startsWith('file://'))
    return { dependency, origin: { kind: 'folder', path: localPath(repository, chartPath) } };
  if (repository.startsWith('oci://')) return { dependency, origin: { kind: 'registry' } };
  const alias = /^(?:@|alias:)(.*)$/s.exec(repository)?.[1];
  const entry = known.find(({ name, url }) => name === alias || isSameUrl(url, repository));
  if (entry !== undefined) {
    const named = alias === entry.name ? { ...dependency, repository: entry.url } : dependency;
    return { dependency: named, origin: { kind: 'repository', entry, isUnmanaged: false } };
  }
  if (!isRequestUrl(repository)) return undefined;
  return { dependency, origin: { kind: 'repository', entry: unmanagedEntry(repository), isUnmanaged: true } };
}

/** Its index is kept under a name that nobody gives a repository of their own. */
const unmanagedEntry = (url: string): RepositoryEntry =>
  plainEntry(`helm-manager-${createHash('sha256').update(url).digest('hex')}`, url);

/** url.ParseRequestURI: a URL or an absolute path. */
function isRequestUrl(text: string): boolean {
  const url = ifReadable(() => parseUrl(text));
  return url !== undefined && (text.startsWith('/') || (url.scheme !== '' && url.opaque === ''));
}

/** The folder of `file://PATH`, below the chart's own where it is relative. Go: resolver.GetLocalPath. */
export function localPath(repository: string, chartPath: string): string {
  const path = trimPrefix(repository, 'file://');
  const folder = isAbsolute(path) ? join(path) : join(chartPath, path);
  try {
    statSync(folder);
    return folder;
  } catch (cause) {
    const isAbsent = errnoOf(cause) === 'ENOENT';
    const message = isAbsent ? `directory ${folder} not found` : goPathError('stat', folder, cause).message;
    throw new TshelmError('dependency-missing', { message, details: { folder }, cause });
  }
}

function unknownRepositories(missing: readonly string[]): TshelmError {
  const isName = (text: string): boolean => !text.includes('//') && !/^(?:@|alias:)/.test(text);
  const hint = missing.some(isName)
    ? `
Note that repositories must be URLs or aliases. For example, to refer to the "example"
repository, use "https://charts.example.com/" or "@example" instead of
"example". Don't forget to add the repo, too ('helm repo add').`
    : '';
  const message = `no repository definition for ${missing.join(', ')}. Please add them via 'helm repo add'${hint}`;
  return new TshelmError('repository-unknown', { message, details: { missing } });
}
