import { TshelmError } from '../../support/errors.ts';
import { checkScheme, type RefreshOptions, refreshIndex } from './refresh-index.ts';
import type { RepositoryEntry } from './repositories.ts';

/** What became of one repository. */
export type Refreshed =
  | { readonly kind: 'refreshed'; readonly repository: RepositoryEntry }
  | { readonly kind: 'failed'; readonly repository: RepositoryEntry; readonly error: unknown };

/**
 * Fetches the indexes of repositories side by side; `onRefreshed` is called for each as it is done. Gives those that
 * failed. Fails with `scheme-unsupported` before any is asked.
 */
export async function refreshAll(
  repositories: readonly RepositoryEntry[],
  options: RefreshOptions & { readonly onRefreshed: (refreshed: Refreshed) => void },
): Promise<readonly RepositoryEntry[]> {
  for (const { url } of repositories) checkScheme(url, options.http);
  const failed: RepositoryEntry[] = [];
  await Promise.all(
    repositories.map(async (repository) => {
      try {
        await refreshIndex(repository, options);
        options.onRefreshed({ kind: 'refreshed', repository });
      } catch (error) {
        if (error instanceof DOMException) throw error;
        failed.push(repository);
        options.onRefreshed({ kind: 'failed', repository, error });
      }
    }),
  );
  return failed;
}

/**
 * The repositories that `repo update [NAME…]` is about, all of them without names. Go: cmd.repoUpdateOptions. Fails with
 * `repository-unknown`.
 */
export function chosenRepositories(
  known: readonly RepositoryEntry[],
  names: readonly string[],
): readonly RepositoryEntry[] {
  if (known.length === 0) throw refused('no repositories found. You must add one before updating');
  for (const wanted of names) {
    if (!known.some(({ name }) => name === wanted))
      throw refused(`no repositories found matching '${wanted}'.  Nothing will be updated`);
  }
  return names.length === 0 ? known : known.filter(({ name }) => names.includes(name));
}

const refused = (message: string): TshelmError => new TshelmError('repository-unknown', { message });
