import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { errnoOf, goPathError } from '../go/path-error.ts';
import { GoError } from '../go/value.ts';
import { platform } from '../support/host.ts';

/** The full path of a program, as Helm 3 finds its post-renderer by Go's exec.LookPath. Throws GoError in its words. */
export function programPath(program: string): string {
  // Windows finds a program by more than its name.
  if (platform === 'win32') return program;
  if (program.includes('/')) {
    const problem = problemOf(program);
    if (problem !== undefined) throw notFound(program, problem);
    return resolve(program);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).map((folder) => folder || '.');
  const found = folders.map((folder) => join(folder, program)).find((path) => problemOf(path) === undefined);
  if (found === undefined) throw notFound(program, 'executable file not found in $PATH');
  return resolve(found);
}

const notFound = (program: string, reason: string): GoError =>
  new GoError(`unable to find binary at ${program}: exec: ${JSON.stringify(program)}: ${reason}`);

/** Why a file cannot be started; undefined where it can. */
function problemOf(path: string): string | undefined {
  try {
    if (statSync(path).isDirectory()) return 'is a directory';
  } catch (cause) {
    return goPathError('stat', path, cause).message;
  }
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (cause) {
    return errnoOf(cause) === 'EACCES' ? 'permission denied' : goPathError('access', path, cause).message;
  }
}
