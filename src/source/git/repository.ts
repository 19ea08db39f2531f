import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectories } from '../../support/directories.ts';
import { TshelmError } from '../../support/errors.ts';
import { withOwnLock } from '../file-lock.ts';
import { offlineError } from '../http/client.ts';
import { type GitRun, git } from './program.ts';
import type { GitReference } from './reference.ts';

export interface GitRepositoryOptions extends GitRun {
  /** Where repositories are kept: each in a folder of its own. */
  readonly cache: string;
  readonly isOffline: boolean;
}

/** What is at a path of a commit. */
export interface TreeEntry {
  readonly kind: 'file' | 'link' | 'submodule';
  readonly path: string;
  readonly id: string;
}

/**
 * A repository of a server, of which the cache holds what was wanted of it. Nothing is checked out: no hook, filter or
 * attribute of the repository takes part in what is read.
 */
export class GitRepository {
  readonly #reference: GitReference;
  readonly #options: GitRepositoryOptions;
  readonly #folder: string;
  #commit = '';
  /** What stands in for this one where a server does not give single files. */
  #whole: GitRepository | undefined;

  constructor(reference: GitReference, options: GitRepositoryOptions) {
    // One that holds all and one that holds what was wanted are not mixed.
    const name = createHash('sha256')
      .update(`${reference.remote}${reference.isSparse ? ' sparse' : ''}`)
      .digest('hex');
    this.#reference = reference;
    this.#options = options;
    this.#folder = join(options.cache, `${name}.git`);
  }

  /**
   * The commit that the reference means now; offline the one that it meant when it was last asked for. What is read of
   * it later is in the cache. Fails with `git-failed`, `git-ref-not-found`, `offline`.
   */
  async commit(): Promise<string> {
    this.#commit = await this.#meant();
    return this.#commit;
  }

  async #meant(): Promise<string> {
    const { ref } = this.#reference;
    if (isCommit(ref) && (await this.#has(ref))) return ref;
    if (this.#options.isOffline) return this.#rememberedCommit();
    const found = await this.#advertised();
    if (found !== undefined && (await this.#has(found))) {
      await this.#remember(found);
      return found;
    }
    return withOwnLock(this.#folder, () => this.#fetch(found));
  }

  /** What is below a path, with whole paths; [] where there is nothing. */
  async entries(commit: string, path: string): Promise<readonly TreeEntry[]> {
    const wanted = path === '' ? [] : ['--', `:(top,literal)${path}`];
    const listed = await this.#git(['ls-tree', '-r', '-z', '--full-tree', commit, ...wanted]);
    return listed
      .toString()
      .split('\0')
      .flatMap((line) => {
        const [, mode = '', id = '', name = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
        return name === '' ? [] : [{ kind: kindOf(mode), path: name, id }];
      });
  }

  /** The bytes of files, in their order. */
  async contents(ids: readonly string[]): Promise<readonly Buffer[]> {
    if (ids.length === 0) return [];
    if (this.#reference.isSparse) {
      this.#whole ??= await this.#fetchMissing(ids).then(
        () => undefined,
        (error: unknown) => this.#insteadAfter(error),
      );
      if (this.#whole !== undefined) return this.#whole.contents(ids);
    }
    const printed = await this.#git(['cat-file', '--batch'], `${ids.join('\n')}\n`);
    return objectsOf(printed, ids.length);
  }

  /** A server may refuse objects by their ids: one without version 2 of git's protocol, as over SSH without its variable. */
  async #insteadAfter(error: unknown): Promise<GitRepository> {
    if (!(error instanceof TshelmError)) throw error;
    const whole = new GitRepository({ ...this.#reference, ref: this.#commit, isSparse: false }, this.#options);
    await whole.commit();
    return whole;
  }

  /** When a commit was made. */
  async timeOf(commit: string): Promise<Date> {
    const seconds = await this.#git(['show', '--no-patch', '--format=%ct', commit]);
    return new Date(Number(seconds.toString().trim()) * 1000);
  }

  /** What the server says of the reference; undefined for what is no name there. */
  async #advertised(): Promise<string | undefined> {
    const { ref, remote } = this.#reference;
    const wanted = ref === '' ? ['HEAD'] : [`refs/tags/${ref}`, `refs/tags/${ref}^{}`, `refs/heads/${ref}`, ref];
    const listed = (await this.#outside(['ls-remote', '--', remote, ...wanted])).toString().trim().split('\n');
    const byName = new Map(listed.map((line) => line.split('\t').reverse() as [string, string]));
    // A tag that is an object of its own is listed with the commit that it means.
    const names = ref === '' ? ['HEAD'] : [`refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`, ref];
    return names.map((name) => byName.get(name)).find((commit) => commit !== undefined);
  }

  async #fetch(advertised: string | undefined): Promise<string> {
    await this.#create();
    const { ref } = this.#reference;
    const wanted = advertised ?? (isCommit(ref) ? ref : undefined);
    if (wanted !== undefined && (await this.#fetched([wanted]))) return this.#remember(wanted);
    // A commit that is named by its first digits, or a server that gives out what it has a name for alone.
    if (wanted === undefined && !/^[0-9a-f]{4,40}$/.test(ref)) throw this.#refNotFound();
    await this.#outside(
      this.#fetching(['+refs/heads/*:refs/all/heads/*', '+refs/tags/*:refs/all/tags/*'], { isWhole: true }),
    );
    const commit = await this.#parsed(wanted ?? ref);
    if (commit !== undefined) return this.#remember(commit);
    throw this.#refNotFound();
  }

  #refNotFound(): TshelmError {
    const { remote, ref } = this.#reference;
    const message = `${remote} has no branch, tag or commit ${JSON.stringify(ref)}`;
    return new TshelmError('git-ref-not-found', { message, details: { url: remote, ref } });
  }

  /** Whether the server gave the objects by their ids, without their history. */
  async #fetched(ids: readonly string[]): Promise<boolean> {
    return this.#outside(this.#fetching(ids)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof TshelmError) return false;
        throw error;
      },
    );
  }

  #fetching(wanted: readonly string[], { isWhole = false } = {}): readonly string[] {
    const depth = isWhole ? [] : ['--depth=1'];
    const filter = this.#reference.isSparse ? ['--filter=blob:none'] : [];
    const plain = ['--quiet', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', '--no-auto-gc'];
    return ['fetch', ...plain, ...depth, ...filter, '--', this.#reference.remote, ...wanted];
  }

  /** In one request, where git itself would ask for each when it meets it. */
  async #fetchMissing(ids: readonly string[]): Promise<void> {
    // To ask for the objects themselves would make git fetch each that is missing.
    const listed = await this.#git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']);
    const here = new Set(listed.toString().split('\n'));
    const missing = [...new Set(ids)].filter((id) => !here.has(id));
    if (missing.length === 0) return;
    if (this.#options.isOffline) throw offlineError(this.#reference.remote);
    // Otherwise the server leaves out what belongs to a commit that is here.
    const args = [
      '-c',
      'fetch.negotiationAlgorithm=noop',
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--recurse-submodules=no',
      '--no-auto-gc',
    ];
    await withOwnLock(this.#folder, () =>
      this.#outside(
        [...args, '--filter=blob:none', '--stdin', '--', this.#reference.remote],
        `${missing.join('\n')}\n`,
      ),
    );
  }

  async #create(): Promise<void> {
    if (existsSync(join(this.#folder, 'HEAD'))) return;
    makeDirectories(this.#folder, 0o700);
    await git(['init', '--quiet', '--bare', '--template=', this.#folder], this.#options);
  }

  async #has(commit: string): Promise<boolean> {
    return (await this.#parsed(commit)) !== undefined;
  }

  /** The commit of a name or of its first digits, as far as the cache knows it. */
  async #parsed(name: string): Promise<string | undefined> {
    if (!existsSync(join(this.#folder, 'HEAD'))) return undefined;
    const parsed = await this.#git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`]).catch(
      (error: unknown) => {
        // git says by its exit code alone that it knows no such commit; a program that does not run has a cause.
        if (error instanceof TshelmError && error.cause === undefined) return undefined;
        throw error;
      },
    );
    return parsed?.toString().trim();
  }

  get #name(): string {
    return `refs/named/${Buffer.from(this.#reference.ref).toString('hex') || 'HEAD'}`;
  }

  async #remember(commit: string): Promise<string> {
    await this.#git(['update-ref', this.#name, commit]);
    return commit;
  }

  async #rememberedCommit(): Promise<string> {
    const commit = await this.#parsed(this.#name);
    if (commit === undefined) throw offlineError(this.#reference.remote);
    return commit;
  }

  #git(args: readonly string[], input?: string): Promise<Buffer> {
    const { env, signal } = this.#options;
    return git(['-C', this.#folder, ...args], { env, signal, input });
  }

  /** What asks the server. */
  #outside(args: readonly string[], input?: string): Promise<Buffer> {
    const { username, password } = this.#reference;
    const own = password === '' ? {} : { username, password };
    const place = existsSync(join(this.#folder, 'HEAD')) ? ['-C', this.#folder] : [];
    return git([...place, ...args], { ...this.#options, ...own, input }).catch((cause: unknown) => {
      if (!(cause instanceof TshelmError)) throw cause;
      throw new TshelmError('git-failed', {
        message: `cannot read ${this.#reference.remote}: ${cause.message}`,
        cause,
      });
    });
  }
}

const isCommit = (ref: string): boolean => /^[0-9a-f]{40}$/.test(ref);

const kindOf = (mode: string): TreeEntry['kind'] =>
  mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';

/** `ID TYPE SIZE`, the bytes, a line's end: for each. */
function objectsOf(printed: Buffer, count: number): readonly Buffer[] {
  const objects: Buffer[] = [];
  for (let at = 0; objects.length < count; ) {
    const end = printed.indexOf(0x0a, at);
    const [id = '', , size = ''] = printed
      .subarray(at, end < 0 ? at : end)
      .toString()
      .split(' ');
    if (end < 0 || size === '') throw new TshelmError('git-failed', { message: `the object ${id} is missing` });
    const from = end + 1;
    objects.push(printed.subarray(from, from + Number(size)));
    at = from + Number(size) + 1;
  }
  return objects;
}
