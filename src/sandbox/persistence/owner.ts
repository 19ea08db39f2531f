import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { makeDirectories } from '../../support/directories.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';

/** Where a sandbox's folder is served, and what its server asks for. */
export interface Served {
  readonly url: string;
  readonly token: string;
}

export type Claim =
  /** The folder is ours until `release`; `announce` tells the user's other processes where it is served. */
  | { readonly kind: 'ours'; announce(served: Served): void; release(): void }
  /** Another process serves it; `pid`, where it has written that. */
  | { readonly kind: 'served'; readonly by: Served; readonly pid: string };

const attempts = 100;
const retryMs = 50;

/** Takes a folder, or finds who serves it. A process that died without leaving is no obstacle. */
export async function claimDirectory(directory: string): Promise<Claim> {
  openDirectory(directory);
  const file = join(directory, 'server.json');
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (takeLock(directory)) return ours(directory, file);
    const by = readServed(file);
    if (by !== undefined && (await answers(by))) return { kind: 'served', by, pid: readText(lockOf(directory)) };
    clearDeadLock(directory);
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
  const message = `the sandbox in ${directory} is held by a process that does not answer: end it, or delete ${lockOf(directory)}`;
  throw new TshelmError('sandbox-locked', { message, details: { directory } });
}

function openDirectory(directory: string): void {
  try {
    makeDirectories(directory, 0o700);
  } catch (cause) {
    throw unusable(directory, cause);
  }
}

const unusable = (directory: string, cause: unknown): TshelmError =>
  new TshelmError('sandbox-state-unwritable', {
    message: `the sandbox's folder ${directory} cannot be used: ${messageOf(cause)}; it needs write access and free space; otherwise choose another folder`,
    details: { directory },
    cause,
  });

const lockOf = (directory: string): string => join(directory, 'lock');

/** The lock is a file that only one process can create; it names its owner. */
function takeLock(directory: string): boolean {
  try {
    writeFileSync(lockOf(directory), String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // On a full disk the file is there, without a word in it.
    rmSync(lockOf(directory), { force: true });
    throw unusable(directory, error);
  }
}

function ours(directory: string, file: string): Claim {
  const leave = (): void => {
    rmSync(file, { force: true });
    rmSync(lockOf(directory), { force: true });
  };
  // Also where the process ends without closing the sandbox.
  process.once('exit', leave);
  return {
    kind: 'ours',
    announce({ url, token }) {
      const fresh = `${file}.${process.pid}.new`;
      writeFileSync(fresh, JSON.stringify({ url, token } satisfies Served), { mode: 0o600 });
      renameSync(fresh, file);
    },
    release() {
      process.off('exit', leave);
      leave();
    },
  };
}

function readServed(file: string): Served | undefined {
  try {
    const { url, token } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Served>;
    return typeof url === 'string' && typeof token === 'string' ? { url, token } : undefined;
  } catch {
    // No sandbox has been here, or the file was cut off by a full disk.
    return undefined;
  }
}

/** Removes the lock of a process that no longer runs; one that someone took in between is put back. */
function clearDeadLock(directory: string): void {
  const lock = lockOf(directory);
  const text = readText(lock);
  if (isHeld(lock, text)) return;
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (readText(aside) !== text) linkSync(aside, lock);
  } catch (error) {
    // Another process was faster.
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** A lock without its owner's number was left on a full disk, unless it is just being written. */
function isHeld(lock: string, text: string): boolean {
  const pid = Number(text);
  if (text !== '' && Number.isInteger(pid) && pid > 0) return isRunning(pid);
  const { mtimeMs = Date.now() } = statSync(lock, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs < unwrittenMs;
}

const unwrittenMs = 2_000;

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Another process has removed the lock meanwhile.
    return '';
  }
}

function isRunning(pid: number): boolean {
  // This very process holds the lock where it opens one folder twice.
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const answerTimeoutMs = 2000;

/** Whether a sandbox answers there. */
export function answers({ url, token }: Served): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const request = get(`${url}/readyz`, { timeout: answerTimeoutMs, agent: false, headers }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
