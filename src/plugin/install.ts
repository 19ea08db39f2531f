import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, normalize, relative, resolve, sep } from 'node:path';
import { slashes } from '../go/path.ts';
import { asGitUrl, isGitUrl, parseGitUrl, userOf } from '../source/git/reference.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { findPlugins, loadPlugin, pluginFile } from './find.ts';
import { checkOut, isDirty, pull } from './git.ts';
import { readPlugin } from './metadata.ts';
import { type Plugin, refuseUnusable } from './types.ts';

/** Where a plugin comes from. */
export type PluginSource =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'archive'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'oci'; readonly url: string }
  | RepositorySource;

export interface RepositorySource {
  readonly kind: 'repository';
  readonly url: string;
  /** A branch, a tag or a commit that the address names. */
  readonly ref?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * By what is there on this machine, then by what the name looks like. Errors: `plugin-refused` for what is neither a
 * folder nor an address, `bad-git-url`. Go: installer.NewForSource; it does not know the addresses that charts in git have.
 */
export function pluginSource(source: string): PluginSource {
  if (source.startsWith('oci://')) return { kind: 'oci', url: source };
  if (existsSync(source)) {
    const path = resolve(source);
    return isArchiveName(path) ? { kind: 'archive', path } : { kind: 'directory', path };
  }
  if (/^https?:\/\//.test(source) && isArchiveName(source)) return { kind: 'url', url: source };
  if (isGitUrl(source)) return gitSource(source);
  if (isRepository(source)) return repositorySource(source);
  throw refused(
    `cannot get information about plugin source ${JSON.stringify(source)} (if it's a local directory, does it exist?), last error was: Cannot detect VCS`,
  );
}

function gitSource(source: string): RepositorySource {
  const { remote: url, ref, path, username, password } = parseGitUrl(asGitUrl(source));
  if (path !== '') throw refused(`a plugin is a whole repository, not its folder ${JSON.stringify(path)}`);
  return { kind: 'repository', url, ref, username, password };
}

/** A password of an address is not kept with the plugin, as git would; it reaches git as that of charts does. */
function repositorySource(source: string): RepositorySource {
  const [, transport = '', authority = '', rest = ''] = /^(https?):\/\/([^/]*)(.*)$/is.exec(source) ?? [];
  const { host, username, password } = userOf(authority, transport);
  if (password === '') return { kind: 'repository', url: source };
  return { kind: 'repository', url: `${transport}://${host}${rest}`, username, password };
}

/** An address with a host, `user@host:path`, or the folder of a repository. What git takes for an option is none of them. */
function isRepository(source: string): boolean {
  if (source.startsWith('file://')) return existsSync(join(source.slice('file://'.length), '.git'));
  return /^[A-Za-z0-9_]+@[A-Za-z0-9._-]+:/.test(source) || /^[a-z][a-z0-9+]*:\/\/[^/]+\//i.test(source);
}

const isArchiveName = (name: string): boolean => name.endsWith('.tgz') || name.endsWith('.tar.gz');

export interface InstallPlace {
  /** The folder of plugins. */
  readonly plugins: string;
  /** The folder of what was downloaded. */
  readonly cache: string;
  readonly signal?: AbortSignal | undefined;
}

/** What an archive holds: files by their paths, which begin with a folder. */
export type Unpack = (archive: Uint8Array) => Promise<readonly UnpackedFile[]>;

export interface UnpackedFile {
  readonly path: string;
  readonly data: Uint8Array;
  readonly mode: number;
}

/**
 * A folder becomes a link, for whoever works on the plugin. Errors: `plugin-refused`, `invalid-plugin`, `plugin-unusable`,
 * `duplicate-plugin`.
 */
export function installDirectory(path: string, { plugins }: InstallPlace): Plugin {
  const target = join(plugins, basename(path));
  refuseExisting(target);
  if (!statSync(path).isDirectory())
    throw refused("expected plugin to be a directory (containing a file 'plugin.yaml')");
  requireRunnable(path, plugins);
  mkdirSync(plugins, { recursive: true });
  symlinkSync(path, target);
  return loadInstalled(target);
}

export interface PackedPlugin {
  /** The folder that it becomes. */
  readonly folder: string;
  readonly data: Uint8Array;
  readonly provenance?: Uint8Array | undefined;
  readonly unpack: Unpack;
  /** Fails where the archive is not what its signature says. */
  readonly check?: (() => Promise<void>) | undefined;
}

/**
 * An archive is unpacked beside its place and moved there whole; it and its signature stay beside the plugin, for
 * `plugin list`. Errors: `plugin-refused`, `invalid-plugin`, `plugin-unusable`, `duplicate-plugin`.
 */
export async function installArchive(
  { folder, data, provenance, unpack, check }: PackedPlugin,
  { plugins }: InstallPlace,
): Promise<Plugin> {
  const target = join(plugins, folder);
  refuseExisting(target);
  await check?.();
  const { root, files, plugin } = await openArchive(data, unpack, target);
  refuseUnusable(plugin);
  refuseSameName(plugin, plugins);
  mkdirSync(plugins, { recursive: true });
  const staging = mkdtempSync(join(plugins, '.installing-'));
  try {
    for (const file of files) writeBelow(staging, relative(root, file.path), file);
    renameSync(staging, target);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  const kept = join(plugins, `${plugin.name}-${plugin.version}.tgz`);
  writeFileSync(kept, data, { mode: 0o644 });
  if (provenance !== undefined) writeFileSync(`${kept}.prov`, provenance, { mode: 0o644 });
  return loadInstalled(target);
}

interface OpenedArchive {
  /** The folder within the archive that has the plugin.yaml; '' for none. */
  readonly root: string;
  /** The files of that folder. */
  readonly files: readonly UnpackedFile[];
  readonly plugin: Plugin;
}

/** The plugin of an archive: its plugin.yaml is at the top, or in a folder there. Go: ExtractTgzPluginMetadata, detectPluginRoot. */
export async function openArchive(data: Uint8Array, unpack: Unpack, directory: string): Promise<OpenedArchive> {
  const unreadable = 'failed to extract plugin metadata from tarball: ';
  const all = await unpack(data).catch((cause: unknown) => {
    if (cause instanceof TshelmError && cause.code === 'plugin-refused') throw cause;
    throw refused(unreadable + messageOf(cause), cause);
  });
  for (const { path } of all) refuseIllegal(path);
  const depthOf = ({ path }: UnpackedFile): number => normalize(path).split(sep).length;
  const [metadata] = all
    .filter((file) => basename(file.path) === pluginFile && depthOf(file) <= 2)
    .sort((a, b) => depthOf(a) - depthOf(b));
  if (metadata === undefined) throw refused(`${unreadable}${pluginFile} not found in tarball`);
  const root = dirname(normalize(metadata.path));
  const files = all.filter(({ path }) => root === '.' || normalize(path).startsWith(`${root}${sep}`));
  try {
    return { root, files, plugin: readPlugin(Buffer.from(metadata.data).toString(), directory) };
  } catch (cause) {
    if (!(cause instanceof TshelmError)) throw cause;
    throw cause.wrapped({ message: unreadable + cause.message });
  }
}

const partsOf = (path: string): readonly string[] => slashes(path, 'win32').split('/');

/** Errors: `plugin-refused` for a path that leads elsewhere, here or on another system. Go: cleanJoin. */
function refuseIllegal(path: string): void {
  const illegal = (problem: string): TshelmError =>
    refused(`failed to extract archive: path ${problem}, which is illegal: ${JSON.stringify(path)}`);
  if (path.includes(':')) throw illegal("contains ':'");
  const parts = partsOf(path);
  if (parts.includes('..')) throw illegal("contains '..'");
  if (parts[0] === '') throw illegal('is absolute');
}

function writeBelow(folder: string, path: string, { data, mode }: UnpackedFile): void {
  const file = join(folder, ...partsOf(path));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, data, { mode: mode === 0 ? 0o644 : mode });
}

/** A repository of git is cloned into the cache, brought to a version that fits, and copied. */
export async function installRepository(
  { url, ref = '', username, password }: RepositorySource,
  version: string,
  place: InstallPlace,
): Promise<Plugin> {
  const target = join(place.plugins, basename(url));
  refuseExisting(target);
  const clone = join(place.cache, 'plugins', createHash('sha256').update(url).digest('hex').slice(0, 32));
  await checkOut({ url, clone, version: version || ref }, { username, password, signal: place.signal });
  requireRunnable(clone, place.plugins);
  mkdirSync(place.plugins, { recursive: true });
  cpSync(clone, target, { recursive: true });
  return loadInstalled(target);
}

/** Only what came from a repository can be updated. A folder is always up to date: it is a link. */
export async function updatePlugin(plugin: Plugin, signal: AbortSignal | undefined): Promise<Plugin> {
  const directory = realpathSync(plugin.directory);
  if (!existsSync(join(directory, '.git'))) throw refused('cannot get information about plugin source');
  if (await isDirty(directory, { signal })) throw refused('plugin repo was modified');
  await pull(directory, { signal });
  requireMetadata(directory);
  return loadPlugin(plugin.directory);
}

/** Takes away the folder, or the link, and what is kept beside it. */
export function removePlugin({ name, version, directory }: Plugin): void {
  rmSync(directory, { recursive: true, force: true });
  if (version === '') return;
  const kept = join(dirname(directory), `${name}-${version}.tgz`);
  for (const file of [kept, `${kept}.prov`]) rmSync(file, { force: true });
}

/** What `plugin list` tells of a plugin's origin. Go: plugin.GetPluginSigningInfo. */
export function signingStatus({ name, version, directory }: Plugin): string {
  if (lstatSync(directory).isSymbolicLink()) return 'local dev';
  const archive = join(dirname(directory), `${name}-${version}.tgz`);
  const provenance = `${archive}.prov`;
  if (!existsSync(archive) || !existsSync(provenance)) return 'unsigned';
  const text = readFileSync(provenance, 'utf8');
  if (!text.includes('-----BEGIN PGP SIGNED MESSAGE-----')) return 'invalid provenance';
  const hash = `sha256:${createHash('sha256').update(readFileSync(archive)).digest('hex')}`;
  return text.includes(hash) ? 'signed' : 'mismatched provenance';
}

function refuseExisting(target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw refused('plugin already exists');
}

function requireMetadata(directory: string): void {
  if (!existsSync(join(directory, pluginFile))) throw refused('plugin metadata (plugin.yaml) missing');
}

/** Two of one name would keep every command from running. Errors: `duplicate-plugin`, with the folders of both. */
function refuseSameName({ name, directory }: Plugin, plugins: string): void {
  const other = findPlugins(plugins, { name }, () => undefined).find((plugin) => plugin.directory !== directory);
  if (other === undefined) return;
  throw new TshelmError('duplicate-plugin', {
    message: `two plugins claim the name ${JSON.stringify(name)}: ${JSON.stringify(other.directory)} is installed, and ${JSON.stringify(directory)} is not; uninstall the first with "plugin uninstall ${name}"`,
  });
}

/**
 * Also refuses what no command could run, and a name that another plugin has; what is wrong with a plugin.yaml is reported once
 * it is in its place, as in Helm.
 */
function requireRunnable(directory: string, plugins: string): void {
  requireMetadata(directory);
  let plugin: Plugin;
  try {
    plugin = loadPlugin(directory);
  } catch (cause) {
    if (cause instanceof TshelmError) return;
    throw cause;
  }
  refuseUnusable(plugin);
  refuseSameName(plugin, plugins);
}

function loadInstalled(directory: string): Plugin {
  try {
    return loadPlugin(directory);
  } catch (cause) {
    if (!(cause instanceof TshelmError)) throw cause;
    throw cause.wrapped({ message: `plugin is installed but unusable: ${cause.message}` });
  }
}

const refused = (message: string, cause?: unknown): TshelmError =>
  new TshelmError('plugin-refused', { message, cause });
