import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { loadChart } from '../../chart/load.ts';
import { readRawMetadata, validateMetadata } from '../../chart/metadata.ts';
import type { ChartMetadata } from '../../chart/types.ts';
import { ifReadable } from '../../go/if-readable.ts';
import { decodeText, encodeText } from '../../go/text.ts';
import { makeDirectories, withTemporaryFolder } from '../../support/directories.ts';
import { TshelmError } from '../../support/errors.ts';
import { addTo } from '../../support/group-by.ts';
import { formatTime } from '../../support/time.ts';
import type { GitChart, GitFiles } from '../git-files.ts';
import type { GetOptions } from '../http/get-options.ts';
import { shownUrl } from '../http/shown-url.ts';
import { chartArchive } from '../package/archive-writer.ts';
import type { IndexEntry } from '../repository/index-entry.ts';
import { indexYaml } from '../repository/index-text.ts';
import type { GitAccess } from './program.ts';
import { type GitReference, gitUrlAt, parseGitUrl } from './reference.ts';
import { GitRepository, type GitRepositoryOptions } from './repository.ts';
import { type GitFile, GitTree } from './tree.ts';

export interface GitReaderOptions extends Pick<GitRepositoryOptions, 'cache' | 'env' | 'signal' | 'isOffline'> {
  /** Fills charts/ of a chart in a folder, as `tshelm dependency build` does. */
  readonly buildDependencies: (folder: string) => Promise<void>;
}

/** Reads charts, indexes of charts and other files from git repositories. */
export class GitReader implements GitFiles {
  readonly #options: GitReaderOptions;

  constructor(options: GitReaderOptions) {
    this.#options = options;
  }

  async read(url: string, options: GetOptions = {}): Promise<Uint8Array> {
    const wanted = await this.#open(url, options);
    const { path } = wanted.reference;
    const file = path === '' ? undefined : await wanted.tree.file(path);
    const found = file ?? (await this.#made(wanted));
    if (found === undefined) throw notFound(wanted, 'there is no file and no chart');
    return found;
  }

  async chart(url: string, options: GetOptions = {}): Promise<GitChart> {
    const wanted = await this.#open(url, options);
    const { path } = wanted.reference;
    const at = { url: gitUrlAt(url, path, wanted.tree.commit), commit: wanted.tree.commit };
    const file = path.endsWith('.tgz') ? await wanted.tree.file(path) : undefined;
    if (file !== undefined) return { ...at, archiveName: posix.basename(path), version: '', fetch: async () => file };
    const chart = await this.#chartAt(path, wanted);
    if (chart === undefined) throw notFound(wanted, await otherCharts(path, wanted.tree));
    return {
      ...at,
      archiveName: archiveName(chart),
      version: chart.metadata.version,
      fetch: () => this.#packed(chart.folder, wanted),
    };
  }

  async folder(url: string, options: GetOptions = {}): Promise<string> {
    const wanted = await this.#open(url, options);
    const { path } = wanted.reference;
    if (path !== '' && (await wanted.tree.paths(path)).length === 0) throw notFound(wanted, 'there is no file');
    const root = join(this.#options.cache, 'trees', wanted.tree.commit);
    if (!existsSync(root)) await writeWhole(root, wanted.tree);
    return join(root, path);
  }

  async #chartAt(path: string, { tree }: Wanted): Promise<ListedChart | undefined> {
    if (path.endsWith('.tgz')) return chartOfArchive(path, tree);
    const metadata = await chartAt(path, tree);
    return metadata && { folder: path, metadata };
  }

  async #open(url: string, options: GetOptions): Promise<Wanted> {
    const reference = parseGitUrl(url);
    const access = accessTo(reference, options);
    const repository = new GitRepository(reference, { ...this.#options, ...access });
    return { url, reference, repository, tree: new GitTree(repository, await repository.commit(), shownUrl(url)) };
  }

  /** What the plugin helm-git makes of a folder of charts: an index of them, and an archive of each. */
  async #made(wanted: Wanted): Promise<Uint8Array | undefined> {
    const { path } = wanted.reference;
    if (posix.basename(path) === 'index.yaml') {
      const charts = await chartsBelow(folderOf(path), wanted.tree);
      return charts.length === 0 ? undefined : indexOf(charts, wanted);
    }
    const chart = path.endsWith('.tgz') ? await chartOfArchive(path, wanted.tree) : undefined;
    return chart && this.#packed(chart.folder, wanted);
  }

  /** The chart of a folder as an archive, with its dependencies. */
  async #packed(path: string, { reference, repository, tree }: Wanted): Promise<Uint8Array> {
    const time = await repository.timeOf(tree.commit);
    return withTemporaryFolder('tshelm-git-', async (root) => {
      await writeChart(path, root, tree);
      const folder = join(root, path);
      const chart = await loadChart(folder, { ofAnyVersion: true });
      const held = new Set(chart.dependencies.map(({ metadata }) => metadata.name));
      const isComplete = (chart.metadata.dependencies ?? []).every(({ name }) => held.has(name));
      if (isComplete || !reference.fetchesDependencies) return chartArchive(chart, time);
      await this.#options.buildDependencies(folder);
      return chartArchive(await loadChart(folder, { ofAnyVersion: true }), time);
    });
  }
}

interface Wanted {
  readonly url: string;
  readonly reference: GitReference;
  readonly repository: GitRepository;
  readonly tree: GitTree;
}

/** Credentials go to the repository that they are for. */
function accessTo({ remote, password }: GitReference, options: GetOptions): GitAccess {
  const { username, passCredentialsAll, repositoryUrl, tls } = options;
  if (password !== '') return { tls };
  const home = repositoryUrl === undefined ? undefined : parseGitUrl(repositoryUrl);
  const isOwn = home === undefined || home.remote === remote;
  if (isOwn && home !== undefined && home.password !== '')
    return { tls, username: home.username, password: home.password };
  return isOwn || passCredentialsAll ? { tls, username, password: options.password } : { tls };
}

const folderOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : '');

const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** In one step: another process may do the same. */
async function writeWhole(root: string, tree: GitTree): Promise<void> {
  makeDirectories(dirname(root), 0o700);
  const staging = mkdtempSync(`${root}-`);
  writeFiles(staging, await tree.readable());
  try {
    renameSync(staging, root);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(root)) throw error;
  }
}

function writeFiles(root: string, files: readonly GitFile[]): void {
  for (const { path, data } of files) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, data);
  }
}

/** Writes a chart's files where they are in the repository, and those of the charts that it takes from there. */
async function writeChart(path: string, root: string, tree: GitTree, written = new Set<string>()): Promise<void> {
  if (written.has(path)) return;
  written.add(path);
  const files = await tree.files(path);
  writeFiles(root, files);
  const about = files.find((file) => file.path === below(path, 'Chart.yaml'));
  const { dependencies = [] } = (about && ifReadable(() => metadataIn(about.data))) ?? {};
  for (const { repository = '' } of dependencies) {
    if (!repository.startsWith('file://')) continue;
    const other = posix.join(path, repository.slice('file://'.length));
    if (other !== '..' && !other.startsWith('../')) await writeChart(other.replace(/\/$/, ''), root, tree, written);
  }
}

/** A chart of a repository. */
interface ListedChart {
  readonly folder: string;
  readonly metadata: ChartMetadata;
}

const archiveName = ({ metadata: { name, version } }: ListedChart): string => `${name}-${version}.tgz`;

/** The charts in a folder and below it that Helm would take, without those that are in another one's `charts`. */
async function chartsBelow(folder: string, tree: GitTree): Promise<readonly ListedChart[]> {
  const paths = (await tree.paths(folder)).filter((path) => posix.basename(path) === 'Chart.yaml');
  const folders = new Set(paths.map(folderOf));
  const own = new Set(paths.filter((path) => !isInside(folderOf(path), folders)));
  const found = await tree.files(folder, (path) => own.has(path));
  return found.flatMap(({ path, data }) => {
    const metadata = ifReadable(() => metadataIn(data));
    return metadata === undefined ? [] : [{ folder: folderOf(path), metadata }];
  });
}

/** Whether a folder is in the `charts` of one of the others. */
function isInside(folder: string, others: ReadonlySet<string>): boolean {
  for (let above = folderOf(folder); above !== ''; above = folderOf(above))
    if (posix.basename(above) === 'charts' && others.has(folderOf(above))) return true;
  return false;
}

/** `charts/NAME-VERSION.tgz` is a chart in `charts` or below it. */
async function chartOfArchive(path: string, tree: GitTree): Promise<ListedChart | undefined> {
  const charts = await chartsBelow(folderOf(path), tree);
  return charts.find((one) => archiveName(one) === posix.basename(path));
}

/** Fails where there is a chart that Helm would not take, as loading it does. */
async function chartAt(folder: string, tree: GitTree): Promise<ChartMetadata | undefined> {
  const data = await tree.file(below(folder, 'Chart.yaml'));
  return data && metadataIn(data);
}

const metadataIn = (data: Buffer): ChartMetadata => validateMetadata(readRawMetadata(decodeText(data)));

async function otherCharts(path: string, tree: GitTree): Promise<string> {
  const folder = path.endsWith('.tgz') ? folderOf(path) : path;
  const charts = await chartsBelow(folder, tree);
  if (charts.length === 0) return 'there is no chart';
  const named = charts.slice(0, 5).map((one) => one.folder);
  return `there is no Chart.yaml; charts are in ${named.join(', ')}${charts.length > 5 ? ', …' : ''}: name one of them`;
}

/** An index whose URLs name the commit: what they mean stays. */
function indexOf(charts: readonly ListedChart[], { url, tree }: Wanted): Uint8Array {
  const generated = formatTime(new Date(0));
  const entries = new Map<string, IndexEntry[]>();
  for (const chart of charts) {
    const { metadata, folder } = chart;
    // Behind a slash at the root too, so that the archive is not named `REPOSITORY@shop-1.0.0.tgz`.
    const urls = [gitUrlAt(url, `${folderOf(folder)}/${archiveName(chart)}`, tree.commit)];
    const entry: IndexEntry = { metadata, urls, created: generated, removed: false, digest: '', outdated: {} };
    addTo(entries, metadata.name, entry);
  }
  return encodeText(indexYaml({ generated, publicKeys: [], annotations: {}, entries }));
}

function notFound({ reference, url, tree }: Wanted, what: string): TshelmError {
  const place = `${reference.path === '' ? 'the root' : reference.path} of ${reference.remote}`;
  const message = `${place} at ${tree.commit.slice(0, 12)}: ${what}`;
  return new TshelmError('git-not-found', { message, details: { url: shownUrl(url), commit: tree.commit } });
}
