import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
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
  script('up.sh', bin, directory, String(await freePorts()));
  return {
    kubeconfig: join(directory, 'kubeconfig'),
    killApiServer: (awayMs) => killAndRestart(join(directory, 'kube-apiserver.pid'), awayMs),
    stop: () => script('down.sh', directory),
  };
}

/** The first of five ports that follow one another; up.sh takes them all. */
async function freePorts(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return Math.min(port, 65_000);
}

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
