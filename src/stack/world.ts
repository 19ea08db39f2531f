import { isAbsolute, join, resolve } from 'node:path';
import { pathMatch } from '../go/path-match.ts';
import type { Program, SecretWorld } from '../secrets/world.ts';

/** All that reading a stack asks of the machine. Paths are absolute. */
export interface StackWorld extends SecretWorld {
  /** Undefined where nothing is. */
  kindOf(path: string): 'file' | 'directory' | undefined;
  /** The names in a folder, sorted; empty where there is none. */
  list(path: string): readonly string[];
  /** The same without waiting for it here. */
  start(program: Program): Promise<string>;
  /** Says what helmfile would log as a warning. */
  warn(text: string): void;
  /** Present where the state files are somebody else's. */
  readonly untrusted?: Untrusted | undefined;
}

/** What files may name that somebody else wrote. */
export interface Untrusted {
  /** Errors: `stack-untrusted` for a path outside of the allowed folders, links followed. */
  check(path: string): void;
  /** The same for every link in a folder. */
  checkFolder(path: string): void;
}

const isPattern = (text: string): boolean => /[*?[\\]/.test(text);

/** filepath.Glob from a folder: what exists and matches, in the form of the pattern, sorted folder by folder. */
export function glob(world: StackWorld, cwd: string, pattern: string): string[] {
  const clean = isAbsolute(pattern) ? pattern : join(pattern);
  if (!isPattern(clean)) return world.kindOf(resolve(cwd, clean)) === undefined ? [] : [clean];
  const at = clean.lastIndexOf('/');
  const [directory, name] = at < 0 ? ['', clean] : [clean.slice(0, at) || '/', clean.slice(at + 1)];
  const directories = isPattern(directory) ? glob(world, cwd, directory) : [directory];
  return directories.flatMap((one) =>
    world
      .list(resolve(cwd, one))
      .filter((entry) => pathMatch(name, entry))
      .map((entry) => (one === '' ? entry : join(one, entry))),
  );
}
