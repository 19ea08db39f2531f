import { join } from 'node:path';
import type { Notify } from '../chart/notice.ts';
import { GoError } from '../go/value.ts';
import type { ChartAccess, ChartSources, Verification, VerifyArchive } from '../source/chart-access.ts';
import type { DependencyEvent, DependencyTools, Verifying } from '../source/dependency/tools.ts';
import type { ChartOnDisk } from '../source/fetch-chart.ts';
import { asGitUrl, isGitUrl } from '../source/git/reference.ts';
import type { GitFiles } from '../source/git-files.ts';
import { HttpClient } from '../source/http/client.ts';
import { noGetters, type OtherGetters } from '../source/http/getters.ts';
import type { DownloadProgress, TlsOptions } from '../source/http/request.ts';
import type { RegistryOptions } from '../source/oci/registry-client.ts';
import type { HelmPaths } from '../source/paths.ts';
import type { TrustSources } from '../source/trust/public-root.ts';
import type { SignedArchive as LocalArchive } from '../source/trust/signatures.ts';
import { messageOf, TshelmError } from '../support/errors.ts';

/** What a door says of fetching: the command line by flags and variables, a program by options. */
export interface SourceSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Helm's files, asked for when they are needed. */
  readonly paths: () => HelmPaths;
  readonly isOffline: boolean;
  readonly now: () => Date;
  /** What fetches URLs of other schemes. Default: nothing. */
  readonly getters?: OtherGetters | undefined;
  /** Throws where a URL may not be given to git. Default: each may. */
  readonly checkGit?: ((url: string) => void) | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  readonly onNotice?: Notify | undefined;
  readonly learnSecret?: ((secret: string) => void) | undefined;
  /** Ends requests of calls that have no signal of their own. */
  readonly signal?: AbortSignal | undefined;
  /** Runs what asks servers so that the door can end it. Default: it just runs. */
  readonly run?: (<T>(signal: AbortSignal | undefined, work: Work<T>) => Promise<T>) | undefined;
}

type Work<T> = (signal: AbortSignal | undefined) => Promise<T>;

/** How one call reaches servers. */
export interface SourceCall extends ChartAccess {
  readonly signal?: AbortSignal | undefined;
  /** Prints what Helm prints of a pull. Default: nothing is printed. */
  readonly tell?: ((text: string) => void) | undefined;
}

export interface DependencyCall extends SourceCall {
  readonly verifying: Verifying;
  readonly skipRefresh?: boolean | undefined;
  /** The time that the files of archives made here are to have (SOURCE_DATE_EPOCH). */
  readonly epoch?: Date | undefined;
  readonly onEvent?: ((event: DependencyEvent) => void) | undefined;
}

const schemaTimeoutMs = 15_000;

/** OpenPGP is loaded where something is verified. */
export const verifyArchive: VerifyArchive = async (files) =>
  (await import('../source/provenance/verify.ts')).verifyArchive(files);

/** Where charts come from. */
export class Sources {
  readonly #settings: SourceSettings;

  constructor(settings: SourceSettings) {
    this.#settings = settings;
  }

  get paths(): HelmPaths {
    return this.#settings.paths();
  }

  get now(): () => Date {
    return this.#settings.now;
  }

  /** A chart: as it is named, or fetched into the content cache. Errors: `chart-not-found`, `download-failed`. */
  async locate(reference: string, call: SourceCall): Promise<ChartOnDisk> {
    const { chartOnDisk, fetchIntoCache } = await import('../source/fetch-chart.ts');
    await this.#trustPolicy(call);
    const found = await this.#withHttp(call, (http) =>
      chartOnDisk(reference, call, { verify: verifyArchive, sources: this.#trust(http) }),
    );
    if (found !== undefined) return found;
    return this.with(call, (sources) => fetchIntoCache(reference.trim(), call, { sources, verify: verifyArchive }));
  }

  /** Who has signed an archive on this machine by sigstore. Errors: `signature-missing`, `signature-invalid`, `signer-untrusted`. */
  async signerOf(archive: LocalArchive, call: SourceCall): Promise<Verification> {
    const { verifySignedArchive } = await import('../source/trust/signatures.ts');
    return this.#withHttp(call, (http) => verifySignedArchive(archive, call, this.#trust(http)));
  }

  /** A values file; undefined where nothing fetches its scheme. Go: pkg/cli/values.readFile, which takes what its getters give. */
  async values(named: string, call: SourceCall): Promise<Uint8Array | undefined> {
    const url = asGitUrl(named);
    const { schemeAt } = await import('../source/schemes.ts');
    const scheme = schemeAt(url, this.#settings.getters ?? noGetters);
    if (scheme?.values !== undefined) return this.with(call, async (sources) => scheme.values?.(url, sources));
    return this.#withHttp(call, async (http) => scheme?.read?.(url, {}, http));
  }

  /** The path on this machine of a file, or of a folder of a git repository. Errors: `scheme-unsupported`. */
  async file(named: string, call: SourceCall): Promise<string> {
    const url = asGitUrl(named);
    if (isGitUrl(url)) return this.#withHttp(call, (http) => http.git.folder(url));
    const { keptFile } = await import('../source/kept-file.ts');
    const isOffline = this.#settings.isOffline;
    return keptFile(url, { cacheHome: this.paths.cacheHome, isOffline, read: () => this.values(url, call) });
  }

  /** A schema that another one refers to. Fails as Helm's HTTPURLLoader does. */
  async schema(url: string, call: SourceCall = {}): Promise<Uint8Array> {
    const request = { url, timeoutMs: schemaTimeoutMs, retries: 1 };
    const answer = await this.#withHttp(call, (http) => http.send(request)).catch((cause: unknown) => {
      throw new GoError(`HTTP request failed for ${url}: ${messageOf(cause)}`, { cause });
    });
    if (answer.status === 200) return answer.body;
    const [code = '', ...words] = answer.statusLine.split(' ');
    throw new GoError(`HTTP request to ${url} returned status ${code} (${words.join(' ')})`);
  }

  /** Runs work with open connections, and ends them. */
  with<T>(call: SourceCall, work: (sources: ChartSources) => Promise<T>): Promise<T> {
    return this.#withHttp(call, async (http) => work(await this.open(call, http)));
  }

  /** The same with what the dependencies of a chart are fetched with. */
  async withDependencyTools<T>(call: DependencyCall, work: (tools: DependencyTools) => Promise<T>): Promise<T> {
    await checkTls(call);
    const { learnSecret, now, onNotice } = this.#settings;
    const { paths } = this;
    if (learnSecret !== undefined) {
      const { knownRepositories } = await import('../source/repository/repositories.ts');
      for (const { password } of knownRepositories(paths.repositoryConfig)) if (password !== '') learnSecret(password);
    }
    const { verifying, skipRefresh = false, epoch, onEvent = () => undefined } = call;
    const trust = { ...call, trustPolicy: await this.#trustPolicy(call) };
    return this.#withHttp(call, (http) => {
      let opened: Promise<ChartSources> | undefined;
      const sources = () => (opened ??= this.open(call, http));
      return work({ paths, http, sources, verifying, trust, skipRefresh, epoch, now, onEvent, onNotice });
    });
  }

  /** Connections that end with the process. */
  async open(call: SourceCall, http = this.http(call.signal, call)): Promise<ChartSources> {
    const { RegistryClient } = await import('../source/oci/registry-client.ts');
    const registry = new RegistryClient(await this.registryOptions(call, http));
    const { isOffline, onNotice } = this.#settings;
    const trustPolicy = await this.#trustPolicy(call);
    const tell = call.tell ?? (() => undefined);
    return { paths: this.paths, http, registry, isOffline, tell, onNotice, trustPolicy };
  }

  #trust(http: HttpClient): TrustSources {
    return { paths: this.paths, http, isOffline: this.#settings.isOffline };
  }

  /** What is wrong with it is said before anything is fetched, and where nothing is. Errors: `trust-policy-invalid`. */
  async #trustPolicy({ trustPolicy }: SourceCall): Promise<string | undefined> {
    const path = trustPolicy || this.#settings.env['TSHELM_TRUST_POLICY'];
    if (!path) return undefined;
    await (await import('../source/trust/policy.ts')).readTrustPolicy(path);
    return path;
  }

  /** How registries are spoken to. Errors: `bad-tls`. */
  async registryOptions(call: SourceCall, http = this.http(call.signal, call)): Promise<RegistryOptions> {
    const { caFile, certFile, keyFile, insecureSkipTlsVerify, plainHttp, username, password } = call;
    const tls = { caFile, certFile, keyFile, insecureSkipTlsVerify };
    const { env, learnSecret } = this.#settings;
    if (password) learnSecret?.(password);
    await checkTls(tls);
    const { registryConfig } = this.paths;
    return { http, env: { ...env }, registryConfig, tls, plainHttp, username, password, learnSecret };
  }

  /** The door to servers. */
  http(signal = this.#settings.signal, call: SourceCall = {}): HttpClient {
    const { env, isOffline, onProgress, getters } = this.#settings;
    return new HttpClient({ env: { ...env }, signal, isOffline, onProgress, getters, git: this.#git(signal, call) });
  }

  /** Loaded where a URL is git's. */
  #git(signal: AbortSignal | undefined, call: SourceCall): GitFiles {
    let opened: Promise<GitFiles> | undefined;
    const reader = (url: string): Promise<GitFiles> => {
      this.#settings.checkGit?.(url);
      return (opened ??= this.#openGit(signal, call));
    };
    return {
      read: async (url, options) => (await reader(url)).read(url, options),
      chart: async (url, options) => (await reader(url)).chart(url, options),
      folder: async (url, options) => (await reader(url)).folder(url, options),
    };
  }

  async #openGit(signal: AbortSignal | undefined, { trustPolicy }: SourceCall): Promise<GitFiles> {
    const { GitReader } = await import('../source/git/reader.ts');
    const { env, isOffline } = this.#settings;
    return new GitReader({
      cache: join(this.paths.cacheHome, 'git'),
      env: { ...env },
      signal,
      isOffline,
      buildDependencies: async (folder) => {
        const { buildDependencies } = await import('../source/dependency/manager.ts');
        await this.withDependencyTools({ verifying: 'never', trustPolicy, signal }, (tools) =>
          buildDependencies(folder, tools),
        );
      },
    });
  }

  #withHttp<T>(call: SourceCall, work: (http: HttpClient) => Promise<T>): Promise<T> {
    const { run = (signal, then) => then(signal) } = this.#settings;
    return run(call.signal, async (signal) => {
      const http = this.http(signal, call);
      try {
        return await work(http);
      } finally {
        http.close();
      }
    });
  }
}

/** Files of TLS that cannot be used are told of before anything is asked, as in Helm, also where nothing is. */
export async function checkTls(tls: TlsOptions): Promise<void> {
  const { caFile, certFile, keyFile, insecureSkipTlsVerify } = tls;
  if (!(certFile && keyFile) && !caFile && !insecureSkipTlsVerify) return;
  const { readTrust } = await import('../source/http/tls.ts');
  await readTrust(tls).catch((cause: unknown) => {
    throw new TshelmError('bad-tls', { message: `missing registry client: ${messageOf(cause)}`, cause });
  });
}
