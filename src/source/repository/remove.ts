import { rmSync } from 'node:fs';
import { withPathErrors } from '../../go/path-error.ts';
import { TshelmError } from '../../support/errors.ts';
import { withFileLock } from '../file-lock.ts';
import type { HelmPaths } from '../paths.ts';
import { chartsPath, indexPath } from './find-chart.ts';
import { readRepositories, writeRepositories } from './repositories.ts';

/**
 * Takes repositories out of repositories.yaml, one after another, with their cached indexes; `onRemoved` is called for each.
 * Go: cmd.repoRemoveOptions. Fails with `repository-unknown`.
 */
export async function removeRepositories(
  names: readonly string[],
  paths: Pick<HelmPaths, 'repositoryConfig' | 'repositoryCache'>,
  onRemoved: (name: string) => void,
): Promise<void> {
  if (!readRepositories(paths.repositoryConfig)?.repositories.length) throw refused('no repositories configured');
  await withFileLock(paths.repositoryConfig, () => {
    for (const name of names) {
      const file = readRepositories(paths.repositoryConfig);
      const kept = file?.repositories.filter((entry) => entry.name !== name) ?? [];
      if (file === undefined || kept.length === file.repositories.length)
        throw refused(`no repo named ${JSON.stringify(name)} found`);
      writeRepositories(paths.repositoryConfig, { ...file, repositories: kept });
      removeIndex(name, paths.repositoryCache);
      onRemoved(name);
    }
  });
}

/** That the names of its charts stay is no failure, as in Helm. */
function removeIndex(name: string, repositoryCache: string): void {
  try {
    rmSync(chartsPath(repositoryCache, name), { force: true });
  } catch {
    // Nobody reads them without an index.
  }
  const path = indexPath(repositoryCache, name);
  withPathErrors('remove', path, () => rmSync(path, { force: true }));
}

const refused = (message: string): TshelmError => new TshelmError('repository-unknown', { message });
