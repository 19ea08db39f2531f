import { readdirSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { boolOf } from '../change/option-rows.ts';
import type { Program } from '../secrets/world.ts';
import { TshelmError } from '../support/errors.ts';
import type { StackWorld } from './world.ts';

/**
 * The machine for state files that somebody else wrote, as in a pull request: no program runs, and nothing is read outside of
 * these folders. Errors of its methods: `stack-untrusted`.
 */
export function untrustedWorld(world: StackWorld, folders: readonly string[]): StackWorld {
  const roots = [...new Set([...folders.map((folder) => resolve(folder)), ...folders.map(realPathOf)])];
  const isInside = (path: string): boolean =>
    roots.some((root) => path === root || path.startsWith(root === sep ? sep : `${root}${sep}`));
  const check = (path: string): void => {
    if (isInside(resolve(path)) && isInside(realPathOf(path))) return;
    throw refusedBy(`${path} is outside of ${folders.join(' and ')}`);
  };
  const checkFolder = (path: string): void => {
    check(path);
    for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
      if (entry.isSymbolicLink()) check(join(entry.parentPath, entry.name));
  };
  return {
    ...world,
    untrusted: { check, checkFolder },
    readFile: (path) => {
      check(path);
      return world.readFile(path);
    },
    kindOf: (path) => {
      check(path);
      return world.kindOf(path);
    },
    list: (path) => {
      check(path);
      return world.list(path);
    },
    run: (program) => {
      throw refusedProgram(program);
    },
    start: async (program) => {
      throw refusedProgram(program);
    },
  };
}

/** Where links lead; of what is not there, the path itself. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(resolve(path));
  } catch {
    return resolve(path);
  }
}

const refusedProgram = ({ command, args }: Program): TshelmError =>
  refusedBy(`it would run the program ${[command, ...args].join(' ')}`);

/** The failure for what files of others may not do; `why` says what. */
export const refusedBy = (why: string): TshelmError =>
  new TshelmError('stack-untrusted', {
    message: `${why}, which is refused for untrusted files`,
  });

const variables = ['TSHELM_UNTRUSTED', 'HELMFILE_DISABLE_INSECURE_FEATURES'];

/** Whether the environment says that state files are somebody else's. */
export const isUntrustedBy = (env: StackWorld['env']): boolean =>
  variables.some((name) => boolOf(env[name] ?? '') === true);
