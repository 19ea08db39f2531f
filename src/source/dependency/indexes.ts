import type { Notify } from '../../chart/notice.ts';
import { indexPath } from '../repository/find-chart.ts';
import { type RepositoryIndex, readIndexFile } from '../repository/index-file.ts';

/** The cached indexes, each read once: twenty dependencies may come from one repository. */
export class CachedIndexes {
  readonly #known = new Map<string, RepositoryIndex>();
  readonly #repositoryCache: string;
  readonly #onNotice: Notify | undefined;

  constructor(repositoryCache: string, onNotice: Notify | undefined) {
    this.#repositoryCache = repositoryCache;
    this.#onNotice = onNotice;
  }

  /** The index of the repository of this name. Throws GoError. */
  of(name: string): RepositoryIndex {
    const known = this.#known.get(name) ?? readIndexFile(indexPath(this.#repositoryCache, name), this.#onNotice);
    this.#known.set(name, known);
    return known;
  }
}
