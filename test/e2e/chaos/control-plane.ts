import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** A control plane of one test file's own, whose API server may be killed. */
export interface OwnControlPlane {
  readonly kubeconfig: string;
  /** SIGKILLs the API server and starts it again after a while, with the same command line. */
  killApiServer(awayMs: number): void;
  stop(): void;
}

const scripts = 'test/e2e/control-plane';

export async function startControlPlane(directory: string): Promise<OwnControlPlane> {
  const bin = process.env['TSHELM_E2E_BIN'] ?? '';
  const script = (name: string, ...words: string[]): void =>
    void execFileSync('bash', [join(scripts, name), ...words], { stdio: 'ignore' });
  const stop = (): void => script('down.sh', directory);
  try {
    script('up.sh', bin, directory, String(await freePorts()));
  } catch (error) {
    stop();
    throw error;
  }
  return {
    kubeconfig: join(directory, 'kubeconfig'),
    killApiServer: (awayMs) => killAndRestart(join(directory, 'kube-apiserver.pid'), awayMs),
    stop,
  };
}

/** The first of five free ports that follow one another, below those that connections get; up.sh takes them all. */
async function freePorts(): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    const first = 20_000 + 10 * Math.floor(Math.random() * 1_000);
    const free = await Promise.all([0, 1, 2, 3, 4].map((offset) => isFree(first + offset)));
    if (free.every(Boolean)) return first;
  }
  throw new Error('no five free ports in a row were found between 20000 and 30000');
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

function killAndRestart(pidFile: string, awayMs: number): void {
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const [program = '', ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  const cwd = readlinkSync(`/proc/${pid}/cwd`);
  process.kill(pid, 'SIGKILL');
  setTimeout(() => {
    const child = spawn(program, words, { cwd, detached: true, stdio: 'ignore' });
    child.unref();
    writeFileSync(pidFile, String(child.pid));
  }, awayMs);
}
