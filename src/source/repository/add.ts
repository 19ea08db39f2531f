import { quote } from '../../go/strconv/strconv.ts';
import { hasCode, messageOf, TshelmError } from '../../support/errors.ts';
import { withFileLock } from '../file-lock.ts';
import { shownUrl } from '../http/shown-url.ts';
import { checkScheme, type RefreshOptions, refreshIndex } from './refresh-index.ts';
import {
  isSameEntry,
  type RepositoryEntry,
  readRepositories,
  withRepository,
  writeRepositories,
} from './repositories.ts';

export interface AddOptions extends RefreshOptions {
  readonly repositoryConfig: string;
  /** Replaces a repository of the same name. */
  readonly forceUpdate?: boolean | undefined;
}

/**
 * Adds a repository, once its index could be fetched. `known` where it was there already with the same configuration.
 * Go: cmd.repoAddOptions. Fails with `repository-exists`, `repository-unreachable`.
 */
export async function addRepository(entry: RepositoryEntry, options: AddOptions): Promise<'added' | 'known'> {
  if (entry.name.includes('/')) {
    const message = `repository name (${entry.name}) contains '/', please specify a different name without '/'`;
    throw new TshelmError('bad-repository-name', { message });
  }
  return withFileLock(options.repositoryConfig, async () => {
    const file = readRepositories(options.repositoryConfig);
    const existing = file?.repositories.find(({ name }) => name === entry.name);
    if (existing !== undefined && !options.forceUpdate) {
      if (isSameEntry(existing, entry)) return 'known';
      const message = `repository name (${entry.name}) already exists, please specify a different name`;
      throw new TshelmError('repository-exists', { message });
    }
    checkScheme(entry.url, options.http);
    await refreshIndex(entry, options).catch((cause: unknown) => {
      if (cause instanceof DOMException || hasCode(cause, 'offline')) throw cause;
      const message = `looks like ${quote(shownUrl(entry.url))} is not a valid chart repository or cannot be reached: ${messageOf(cause)}`;
      throw new TshelmError('repository-unreachable', { message, cause });
    });
    // Read again: `repo remove` of Helm, which locks nothing, may have changed it meanwhile.
    writeRepositories(options.repositoryConfig, withRepository(readRepositories(options.repositoryConfig), entry));
    return 'added';
  });
}
