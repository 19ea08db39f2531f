import { posix } from 'node:path';
import { hasCode, TshelmError } from '../../support/errors.ts';
import type { GitRepository, TreeEntry } from './repository.ts';

/** A file of a commit, by its path from the root. */
export interface GitFile {
  readonly path: string;
  readonly data: Buffer;
}

/** The files of one commit. Links are followed as far as they stay in the repository. */
export class GitTree {
  readonly #repository: GitRepository;
  readonly #listed = new Map<string, Promise<readonly TreeEntry[]>>();
  readonly commit: string;
  /** As messages name the repository. */
  readonly #shown: string;

  constructor(repository: GitRepository, commit: string, shown: string) {
    this.#repository = repository;
    this.commit = commit;
    this.#shown = shown;
  }

  /** The paths of all files at a path and below it. */
  async paths(path: string): Promise<readonly string[]> {
    return (await this.#files(path, path, 0)).map((file) => file.path);
  }

  /**
   * The files at a path and below it, by the names that they are reached by; of many, those that are wanted. Fails with
   * `git-submodule`, `git-link`, `git-lfs`.
   */
  async files(path: string, isWanted: (path: string) => boolean = () => true): Promise<readonly GitFile[]> {
    const found = (await this.#files(path, path, 0)).filter((file) => isWanted(file.path));
    const contents = await this.#repository.contents(found.map(({ id }) => id));
    return found.map((file, index) => ({ path: file.path, data: this.#whole(file.path, contents[index] as Buffer) }));
  }

  /** All files that can be read: without submodules, links that lead out, and what Git LFS keeps. */
  async readable(): Promise<readonly GitFile[]> {
    const entries = await this.#entries('');
    const found = await Promise.all(
      entries.map((entry) => this.#fileOf(entry, entry.path, 0).catch((error: unknown) => notRefused(error))),
    );
    const files = found.flat();
    const contents = await this.#repository.contents(files.map(({ id }) => id));
    return files
      .map(({ path }, index) => ({ path, data: contents[index] as Buffer }))
      .filter(({ data }) => !isLfsPointer(data));
  }

  /** The bytes of a file; undefined where the path names none. */
  async file(path: string): Promise<Buffer | undefined> {
    const [found] = await this.files(path, (name) => name === path);
    return found?.data;
  }

  /** `path` is where it is, `name` what it is called by: the two differ below a link. */
  async #files(path: string, name: string, depth: number): Promise<readonly NamedFile[]> {
    const entries = await this.#entries(path);
    if (entries.length === 0) return this.#behindLinkAbove(path, name, depth);
    const found = entries.map((entry) => this.#fileOf(entry, `${name}${entry.path.slice(path.length)}`, depth));
    return (await Promise.all(found)).flat();
  }

  async #fileOf(entry: TreeEntry, name: string, depth: number): Promise<readonly NamedFile[]> {
    if (entry.kind === 'file') return [{ path: name, id: entry.id }];
    if (entry.kind === 'submodule') throw this.#inSubmodule(entry.path);
    return this.#files(await this.#target(entry, depth), name, depth + 1);
  }

  /** `charts/shared/values.yaml` where `charts/shared` is a link. */
  async #behindLinkAbove(path: string, name: string, depth: number): Promise<readonly NamedFile[]> {
    for (let above = posix.dirname(path); above !== '.'; above = posix.dirname(above)) {
      const link = (await this.#entries(above)).find((entry) => entry.path === above && entry.kind !== 'file');
      if (link?.kind === 'submodule') throw this.#inSubmodule(above);
      if (link === undefined) continue;
      const target = `${await this.#target(link, depth)}${path.slice(above.length)}`;
      return this.#files(target, name, depth + 1);
    }
    return [];
  }

  async #target({ path, id }: TreeEntry, depth: number): Promise<string> {
    const [text] = await this.#repository.contents([id]);
    const target = posix.normalize(posix.join(posix.dirname(path), (text as Buffer).toString())).replace(/\/$/, '');
    const isOutside = (text as Buffer).toString().startsWith('/') || target === '..' || target.startsWith('../');
    if (isOutside) throw this.#refused('git-link', path, 'is a link that leads out of the repository');
    if (depth > mostLinks) throw this.#refused('git-link', path, 'is a link that leads back to itself');
    return target === '.' ? '' : target;
  }

  #entries(path: string): Promise<readonly TreeEntry[]> {
    const known = this.#listed.get(path) ?? this.#repository.entries(this.commit, path);
    this.#listed.set(path, known);
    return known;
  }

  #whole(path: string, data: Buffer): Buffer {
    if (!isLfsPointer(data)) return data;
    throw this.#refused('git-lfs', path, 'is kept by Git LFS: the repository holds only a pointer to it');
  }

  #inSubmodule(path: string): TshelmError {
    return this.#refused('git-submodule', path, 'is a submodule: what is in it is in another repository');
  }

  #refused(code: 'git-submodule' | 'git-lfs' | 'git-link', path: string, reason: string): TshelmError {
    const message = `${this.#shown}: ${path} ${reason}`;
    return new TshelmError(code, { message, details: { url: this.#shown, path } });
  }
}

function notRefused(error: unknown): readonly NamedFile[] {
  if (hasCode(error, 'git-submodule', 'git-link')) return [];
  throw error;
}

const isLfsPointer = (data: Buffer): boolean => data.subarray(0, lfsMark.length).equals(lfsMark);

interface NamedFile {
  readonly path: string;
  readonly id: string;
}

/** As many as Linux follows. */
const mostLinks = 40;

/** How the pointers of Git LFS begin (git-lfs, docs/spec.md). */
const lfsMark = Buffer.from('version https://git-lfs.github.com/spec/v1\n');
