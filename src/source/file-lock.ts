import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { makeFolder } from '../go/files.ts';
import { errnoOf, withPathErrors } from '../go/path-error.ts';
import { makeDirectories } from '../support/directories.ts';
import { messageOf, TshelmError } from '../support/errors.ts';

const longestWaitSeconds = 30;

/**
 * Runs work while nobody else, Helm included, changes a file. Helm locks `repositories.lock` with flock(2), which Node
 * has no call for: the system's `flock` program holds it meanwhile. Where there is none, a lock that tshelm alone knows
 * takes its place. Fails with `file-locked` after half a minute.
 */
export async function withFileLock<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  const lockPath = helmsLock(path);
  openLock(lockPath);
  const release = (await systemLock(lockPath)) ?? (await ownLock(lockPath, '.d'));
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Runs work while no other tshelm changes a file that Helm does not lock. A folder that cannot be written to has no locks:
 * the work itself says what it cannot do. Fails with `file-locked` after half a minute.
 */
export async function withOwnLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  let release: Release = async () => undefined;
  try {
    makeDirectories(dirname(path), 0o700);
    release = await ownLock(path, '.lock');
  } catch (error) {
    if (!isNotWritable(error) && !isNotWritable((error as Error).cause)) throw error;
  }
  try {
    return await work();
  } finally {
    await release();
  }
}

const isNotWritable = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR'].includes(errnoOf(error) ?? '');

/** `repositories.yaml` is locked by `repositories.lock`, a file without an extension by its name and `.lock`. */
function helmsLock(path: string): string {
  const extension = extname(path);
  return `${extension === '' ? path : path.slice(0, -extension.length)}.lock`;
}

/** Makes the file that is locked. Throws GoError. */
function openLock(lockPath: string): void {
  makeFolder(dirname(lockPath));
  withPathErrors('open', lockPath, () => closeSync(openSync(lockPath, 'a', 0o600)));
}

type Release = () => Promise<void>;

/** Undefined where the system has no such program. */
function systemLock(lockPath: string): Promise<Release | undefined> {
  return new Promise((resolve, reject) => {
    // It ends, and with it the lock, when its input does: also where this process is killed.
    const holder = spawn('flock', ['-w', String(longestWaitSeconds), lockPath, 'sh', '-c', 'echo; cat >/dev/null'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = new Promise<void>((done) => holder.once('close', () => done()));
    holder.once('error', (error) =>
      errnoOf(error) === 'ENOENT' ? resolve(undefined) : reject(fileLockedError(lockPath, error)),
    );
    holder.once('exit', () => reject(fileLockedError(lockPath)));
    holder.stdout.once('data', () =>
      resolve(async () => {
        holder.stdin.end();
        await ended;
      }),
    );
  });
}

async function ownLock(path: string, suffix: string): Promise<Release> {
  const { lock } = await import('proper-lockfile');
  try {
    const retries = { retries: longestWaitSeconds * 5, minTimeout: 50, maxTimeout: 200 };
    return await lock(path, { realpath: false, lockfilePath: path + suffix, retries });
  } catch (cause) {
    throw fileLockedError(path, cause);
  }
}

const fileLockedError = (path: string, cause?: unknown): TshelmError =>
  new TshelmError('file-locked', {
    message: `${path} is locked by another command${cause === undefined ? '' : `: ${messageOf(cause)}`}`,
    details: { path },
    cause,
  });
