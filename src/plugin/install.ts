import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { TshelmError } from '../support/errors.ts';
import { loadPlugin } from './find.ts';
import { checkOut, isDirty, pull } from './git.ts';
import { readPlugin } from './metadata.ts';
import type { Plugin } from './types.ts';

/** Where a plugin comes from. */
export type PluginSource =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'archive'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'oci'; readonly url: string }
  | { readonly kind: 'repository'; readonly url: string };

/** By what is there on this machine, then by what the name looks like. Go: installer.NewForSource. */
export function pluginSource(source: string): PluginSource {
  if (source.startsWith('oci://')) return { kind: 'oci', url: source };
  if (existsSync(source)) {
    const path = resolve(source);
    return isArchiveName(path) ? { kind: 'archive', path } : { kind: 'directory', path };
  }
  return /^https?:\/\//.test(source) && isArchiveName(source)
    ? { kind: 'url', url: source }
    : { kind: 'repository', url: source };
}

const isArchiveName = (name: string): boolean => /\.(tgz|tar\.gz)$/.test(name);

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

/** A folder becomes a link, for whoever works on the plugin. Errors: `plugin-exists`, `invalid-plugin`. */
export function installDirectory(path: string, { plugins }: InstallPlace): Plugin {
  const target = join(plugins, basename(path));
  refuseExisting(target);
  if (!statSync(path).isDirectory())
    throw refused("expected plugin to be a directory (containing a file 'plugin.yaml')");
  requireMetadata(path);
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

/** An archive is unpacked; it and its signature stay beside the plugin, for `plugin list`. */
export async function installArchive(
  { folder, data, provenance, unpack, check }: PackedPlugin,
  { plugins }: InstallPlace,
): Promise<Plugin> {
  const target = join(plugins, folder);
  refuseExisting(target);
  await check?.();
  const files = await unpack(data);
  const metadata = files.find(({ path }) => basename(path) === 'plugin.yaml');
  if (metadata === undefined)
    throw refused('failed to extract plugin metadata from tarball: plugin.yaml not found in tarball');
  const plugin = readPlugin(Buffer.from(metadata.data).toString(), target);
  const root = dirname(metadata.path);
  mkdirSync(plugins, { recursive: true });
  const kept = join(plugins, `${plugin.name}-${plugin.version}.tgz`);
  writeFileSync(kept, data, { mode: 0o644 });
  if (provenance !== undefined) writeFileSync(`${kept}.prov`, provenance, { mode: 0o644 });
  for (const file of files) writeBelow(target, relative(root, file.path), file);
  return loadInstalled(target);
}

/** Errors: `invalid-plugin` for a path that leads elsewhere. */
function writeBelow(target: string, path: string, { data, mode }: UnpackedFile): void {
  const parts = path.split(/[/\\]/);
  if (path === '' || isAbsolute(path) || path.includes(':') || parts.includes('..')) {
    if (parts[0] === '..') return; // beside the plugin's folder: not a part of it
    throw refused(`failed to extract archive: path ${JSON.stringify(path)} is illegal`);
  }
  const file = join(target, ...parts);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, data, { mode: mode === 0 ? 0o644 : mode });
}

/** A repository of git is cloned into the cache, brought to a version that fits, and copied. */
export async function installRepository(url: string, version: string, place: InstallPlace): Promise<Plugin> {
  const target = join(place.plugins, basename(url));
  refuseExisting(target);
  const clone = join(place.cache, 'plugins', createHash('sha256').update(url).digest('hex').slice(0, 32));
  await checkOut(url, clone, version, place.signal);
  requireMetadata(clone);
  mkdirSync(place.plugins, { recursive: true });
  cpSync(clone, target, { recursive: true });
  return loadInstalled(target);
}

/** Only what came from a repository can be updated. A folder is always up to date: it is a link. */
export async function updatePlugin(plugin: Plugin, signal: AbortSignal | undefined): Promise<Plugin> {
  const directory = realpathSync(plugin.directory);
  if (!existsSync(join(directory, '.git'))) throw refused('cannot get information about plugin source');
  if (await isDirty(directory, signal)) throw refused('plugin repo was modified');
  await pull(directory, signal);
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
  if (!existsSync(join(directory, 'plugin.yaml'))) throw refused('plugin metadata (plugin.yaml) missing');
}

function loadInstalled(directory: string): Plugin {
  try {
    return loadPlugin(directory);
  } catch (cause) {
    if (!(cause instanceof TshelmError)) throw cause;
    throw cause.wrapped({ message: `plugin is installed but unusable: ${cause.message}` });
  }
}

const refused = (message: string): TshelmError => new TshelmError('plugin-refused', { message });
