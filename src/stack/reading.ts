import { resolve } from 'node:path';
import type { GoList, GoMap } from '../go/value.ts';
import type { SecretReader } from '../secrets/reader.ts';
import { TshelmError } from '../support/errors.ts';
import type { OutsideFiles } from './outside-files.ts';
import type { Renderers } from './text-renderer.ts';
import { glob, type StackWorld } from './world.ts';

/** What all of a stack's files are read for. */
export interface StackRequest {
  /** A state file or a folder of them; '' for helmfile.yaml, helmfile.yaml.gotmpl or helmfile.d. */
  readonly file: string;
  readonly environment: string;
  /** Each is one alternative: `tier=front,env!=dev`. */
  readonly selectors: readonly string[];
  /** `--state-values-file` */
  readonly stateValuesFiles: readonly string[];
  /** `--state-values-set` and `--state-values-set-string`, as one map. */
  readonly stateValues: GoMap;
  readonly namespace: string;
  readonly kubeContext: string;
  readonly chart: string;
  /** Instead of what the state files say; '' for that. */
  readonly kustomizeBinary: string;
  /** The versions are those of the state files, not those of helmfile.lock. Default false. */
  readonly ignoresLock?: boolean | undefined;
}

/** What reading needs: the machine, and what is shared by all files. */
export interface Reading {
  readonly request: StackRequest;
  readonly world: StackWorld;
  readonly renderers: Renderers;
  readonly secrets: SecretReader;
  readonly outside: OutsideFiles;
}

/**
 * Where a file's names are relative to. helmfile goes into the folder of a single file, and then `base` is `.`; of several
 * files it stays where it is and joins their folder to every name. The names in its output tell the two apart.
 */
export interface Place {
  /** Absolute. */
  readonly cwd: string;
  readonly base: string;
  /** As helmfile names it, relative to `cwd`. */
  readonly file: string;
}

export const absolute = (place: Pick<Place, 'cwd'>, path: string): string => resolve(place.cwd, path);

/** A mistake in a file. */
export const invalid = (file: string, message: string, cause?: unknown): TshelmError =>
  new TshelmError('stack-invalid', { message, details: { file }, cause });

export const isRemote = (path: string): boolean => /^[a-z0-9+.-]+::|^[a-z][a-z0-9+.-]*:\/\//i.test(path);

/** What to do where a file is missing; from `missingFileHandler`. */
export type MissingFile = string | undefined;

const handlers = ['Error', 'Warn', 'Info', 'Debug'];

/** The files that a name or pattern stands for, in the form of the name; none where they may be missing. */
export function resolveFiles(
  kind: string,
  path: string,
  { place, missing = 'Error' }: { readonly place: Place; readonly missing?: MissingFile },
  { world, outside }: Pick<Reading, 'world' | 'outside'>,
): readonly string[] {
  if (isRemote(path)) return [outside.pathOf(path)];
  const found = glob(world, place.cwd, joined(place.base, path));
  if (found.length > 0) return found;
  if (!handlers.includes(missing)) {
    const list = `[${handlers.join(' ')}]`;
    throw invalid(
      place.file,
      `invalid missing file handler "${missing}" while processing "${path}" in "${place.file}": it must be one of ${list}`,
    );
  }
  if (missing === 'Error') {
    throw invalid(place.file, `${kind} file matching "${path}" does not exist in "${place.base}"`);
  }
  if (missing === 'Warn') world.warn(`skipping missing ${kind} file matching "${path}"`);
  return [];
}

/** Storage.normalizePath: relative names are below the base, once. */
export function joined(base: string, path: string): string {
  if (path.startsWith('/') || isRemote(path)) return path;
  if (base !== '' && base !== '.' && path.startsWith(`${base}/`)) return path;
  const parts = base === '' || base === '.' ? path : `${base}/${path}`;
  return cleaned(parts);
}

/** filepath.Clean. */
function cleaned(path: string): string {
  const kept: string[] = [];
  const isRooted = path.startsWith('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isRooted) kept.push('..');
  }
  return isRooted ? `/${kept.join('/')}` : kept.join('/') || '.';
}

export type { GoList, GoMap };
