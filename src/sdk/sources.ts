import { isAbsolute, join, resolve } from 'node:path';
import { type Sources, verifyArchive } from '../session/sources.ts';
import type { ChartAccess, Verification } from '../source/chart-access.ts';
import type { DependencyRow } from '../source/dependency/status.ts';
import type { DependencyEvent, DependencyTools } from '../source/dependency/tools.ts';
import type { PushedChart } from '../source/oci/push.ts';
import { withTemporaryFolder } from '../support/directories.ts';
import { TshelmError } from '../support/errors.ts';
import { withFailuresForPrograms } from './failures.ts';
import { checkSigner } from './option-checks.ts';

/** How a chart that is not on this machine is named and reached. */
export interface AccessOptions extends ChartAccess {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

export interface PullOptions extends AccessOptions {
  /** The folder that the archive goes to, or with `untar` the chart's folder. */
  readonly destination: string;
  /** Unpacks the archive. Default false. */
  readonly untar?: boolean | undefined;
  /** Also fetches the provenance file, if there is one. Default false. */
  readonly provenance?: boolean | undefined;
}

export interface PulledChart {
  /** Of the archive, or of the folder that it was unpacked in. */
  readonly path: string;
  /** Where it is from. */
  readonly url: string;
  /** With `verify`: who signed it. */
  readonly verification?: Verification | undefined;
}

export async function pull(reference: string, options: PullOptions, sources: Sources): Promise<PulledChart> {
  const { fetchIntoFolder } = await import('../source/fetch-chart.ts');
  const { destination, untar = false, provenance = false } = options;
  const mode = options.verify ? 'verify' : provenance ? 'fetch' : 'none';
  const folder = isAbsolute(destination) ? destination : resolve(destination);
  const fetchInto = (into: string) =>
    sources.with(options, (opened) =>
      fetchIntoFolder(
        reference,
        into,
        { access: options, provenance: mode },
        { sources: opened, verify: verifyArchive },
      ),
    );
  if (!untar) {
    const { path, url, verification } = await fetchInto(folder);
    return { path, url, verification };
  }
  const { expandChart } = await import('../source/expand-chart.ts');
  const { loadChart } = await import('../chart/load.ts');
  return withTemporaryFolder('tshelm-', async (temporary) => {
    const { path, url, verification } = await fetchInto(temporary);
    const { metadata } = await loadChart(path);
    expandChart(folder, path);
    return { path: join(folder, metadata.name), url, verification };
  });
}

export async function push(
  archive: string,
  target: string,
  options: AccessOptions,
  sources: Sources,
): Promise<PushedChart> {
  const { pushArchive } = await import('../source/push-archive.ts');
  return sources.with(options, ({ registry }) => pushArchive(archive, target, registry));
}

export interface DependencyOptions extends AccessOptions {
  /** Uses the cached indexes of repositories. Default false. */
  readonly skipRefresh?: boolean | undefined;
  /** First updates the charts that it depends on. Default false. */
  readonly recursive?: boolean | undefined;
  /** Told of each chart that is downloaded, and of each repository that is refreshed. */
  readonly onEvent?: ((event: DependencyEvent) => void) | undefined;
}

/** The charts/ folder of a chart on disk. */
export class Dependencies {
  readonly #sources: Sources;

  /** @internal */
  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** The dependencies in Chart.yaml, and whether charts/ contains them. */
  async list(chart: string): Promise<readonly DependencyRow[]> {
    return withFailuresForPrograms(async () => {
      const { listDependencies } = await import('../source/dependency/status.ts');
      return (await listDependencies(chart)).rows ?? [];
    });
  }

  /** Fills charts/ with the newest versions that Chart.yaml allows, and writes Chart.lock. */
  async update(chart: string, options: DependencyOptions = {}): Promise<void> {
    const { updateDependencies } = await import('../source/dependency/manager.ts');
    const { recursive } = options;
    return this.#with(options, (tools) => updateDependencies(chart, tools, { recursive }));
  }

  /** Fills charts/ with what Chart.lock names. */
  async build(chart: string, options: DependencyOptions = {}): Promise<void> {
    const { buildDependencies } = await import('../source/dependency/manager.ts');
    return this.#with(options, (tools) => buildDependencies(chart, tools));
  }

  #with(options: DependencyOptions, work: (tools: DependencyTools) => Promise<void>): Promise<void> {
    const verifying = options.verify ? 'always' : 'never';
    return withFailuresForPrograms(async () => {
      checkSigner(options);
      await this.#sources.withDependencyTools({ ...options, verifying }, work);
    });
  }
}

export interface Repository {
  readonly name: string;
  readonly url: string;
}

export interface NewRepository extends Repository {
  /** For basic authentication. */
  readonly username?: string | undefined;
  /** For basic authentication. */
  readonly password?: string | undefined;
  /** The path of a client certificate. */
  readonly certFile?: string | undefined;
  /** The path of its key. */
  readonly keyFile?: string | undefined;
  /** The path of the certificates that the server is trusted by. */
  readonly caFile?: string | undefined;
  /** Does not check the server's certificate. Default false. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Sends the credentials to every host that the index names. Default false. */
  readonly passCredentialsAll?: boolean | undefined;
}

/** The repositories of Helm's repositories.yaml. */
export class Repositories {
  readonly #sources: Sources;

  /** @internal */
  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** The repositories that are known, in the order of the file. */
  async list(): Promise<readonly Repository[]> {
    const { knownRepositories } = await import('../source/repository/repositories.ts');
    return withFailuresForPrograms(async () =>
      knownRepositories(this.#sources.paths.repositoryConfig).map(({ name, url }) => ({ name, url })),
    );
  }

  /** Adds a repository after fetching its index; `replace` overwrites a repository of that name with another URL. */
  async add(
    repository: NewRepository,
    { replace, signal }: { readonly replace?: boolean | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const { addRepository } = await import('../source/repository/add.ts');
    const { plainEntry } = await import('../source/repository/repositories.ts');
    const given = Object.fromEntries(Object.entries(repository).filter(([, value]) => value !== undefined));
    const entry = { ...plainEntry(repository.name, repository.url), ...given };
    const { repositoryConfig, repositoryCache } = this.#sources.paths;
    await withFailuresForPrograms(() =>
      this.#sources.with({ signal }, ({ http }) =>
        addRepository(entry, { repositoryConfig, repositoryCache, http, forceUpdate: replace }),
      ),
    );
  }

  /** Removes repositories and their cached indexes. Errors: `repository-unknown`. */
  async remove(...names: readonly string[]): Promise<void> {
    const { removeRepositories } = await import('../source/repository/remove.ts');
    await withFailuresForPrograms(() => removeRepositories(names, this.#sources.paths, () => undefined));
  }

  /** Fetches the indexes again; without names, all of them. Errors: `repository-unknown`, `repository-unreachable`. */
  async update(names: readonly string[] = [], { signal }: { readonly signal?: AbortSignal | undefined } = {}) {
    const { chosenRepositories, refreshAll } = await import('../source/repository/update.ts');
    const { knownRepositories } = await import('../source/repository/repositories.ts');
    const { repositoryConfig, repositoryCache } = this.#sources.paths;
    await withFailuresForPrograms(async () => {
      const chosen = chosenRepositories(knownRepositories(repositoryConfig), names);
      const failed = await this.#sources.with({ signal }, ({ http }) =>
        refreshAll(chosen, { http, repositoryCache, onRefreshed: () => undefined }),
      );
      if (failed.length === 0) return;
      const message = `failed to update the following repositories: ${failed.map(({ name }) => name).join(', ')}`;
      throw new TshelmError('repository-unreachable', { message });
    });
  }
}
