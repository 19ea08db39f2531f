import { closeSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readPlainYaml, writePlainYaml } from '../../yaml/index.ts';
import { fileProblem } from './credential-file.ts';

interface UserEntry {
  readonly name?: string;
  readonly user?: { 'auth-provider'?: { config?: unknown } } | null;
}

/**
 * Writes what an auth-provider has learnt into the kubeconfig that names the user, as client-go's persister does: the
 * file is read again and locked by FILE.lock, which kubectl respects. It is there whole at any time.
 */
export async function updateAuthProvider(file: string, userName: string, config: object): Promise<void> {
  const unlock = await locked(`${file}.lock`);
  try {
    const path = realpathSync(file);
    const content = (readPlainYaml(readFileSync(path, 'utf8')) ?? {}) as { users?: readonly UserEntry[] };
    const provider = content.users?.find(({ name }) => name === userName)?.user?.['auth-provider'];
    if (provider === undefined) return;
    provider.config = config;
    const fresh = `${path}.${process.pid}.tmp`;
    writeFileSync(fresh, writePlainYaml(content), { mode: statSync(path).mode & 0o777, flag: 'wx' });
    renameSync(fresh, path);
  } finally {
    unlock();
  }
}

const lockTries = 20;
const lockPauseMs = 100;

/** client-go gives up at once; who refreshes at the same time is done soon. */
async function locked(lock: string): Promise<() => void> {
  for (let left = lockTries; ; left--) {
    try {
      closeSync(openSync(lock, 'wx', 0o600));
      return () => rmSync(lock, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw new Error(fileProblem(lock, cause), { cause });
      if (left === 0) throw new Error(`open ${lock}: file exists`, { cause });
    }
    await pause(lockPauseMs);
  }
}
