import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { tshelmIn, tshelmPath } from '../support/programs.ts';

/** What a command line left behind: what it printed, and every file of its folder and of Helm's home by its digest. */
export interface Left {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Helm or tshelm, each with a working folder and a home of its own. */
export interface Side {
  readonly name: 'helm' | 'tshelm';
  readonly folder: string;
  run(words: readonly string[], stdin?: string): Promise<Left>;
}

export interface SideOptions {
  /** Folders before those of PATH. */
  readonly programs?: string;
}

/** `given` is copied into the working folder before each command line. */
export function openSide(name: Side['name'], parent: string, given: string, { programs }: SideOptions = {}): Side {
  const folder = join(parent, name);
  const work = join(folder, 'work');
  const program = name === 'helm' ? join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm') : tshelmPath;
  const isHere = name === 'tshelm' && process.env['TSHELM'] === undefined;
  return {
    name,
    folder,
    async run(words, stdin = '') {
      rmSync(work, { recursive: true, force: true });
      mkdirSync(work, { recursive: true });
      cpSync(given, work, { recursive: true, preserveTimestamps: true });
      const { env } = process;
      const home = {
        PATH: programs === undefined ? env['PATH'] : `${programs}:${env['PATH']}`,
        KUBECONFIG: env['KUBECONFIG'],
        HOME: join(folder, 'home'),
        HELM_CACHE_HOME: join(folder, 'cache'),
        HELM_CONFIG_HOME: join(folder, 'config'),
        HELM_DATA_HOME: join(folder, 'data'),
      };
      const { code, stdout, stderr } = isHere
        ? await tshelmIn(work, words, { env: home, stdin })
        : await start(program, words, { cwd: work, env: home, stdin });
      return { code, stdout: plain(stdout), stderr: plain(stderr), files: filesOf(folder) };
    },
  };
}

function start(
  program: string,
  words: readonly string[],
  { cwd, env, stdin }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly stdin: string },
): Promise<Omit<Left, 'files'>> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd, env });
    const text = { stdout: '', stderr: '' };
    child.stdout.on('data', (piece: Buffer) => (text.stdout += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (text.stderr += piece.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code: code ?? -1, ...text });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

const plain = (text: string): string => text.replaceAll('tshelm', 'helm').replace(/(?<=\.tgz)\d+(?=:)/g, '');

/** Without what tshelm notes for --offline in a folder of its own. */
function filesOf(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const path of names.map((name) => join(folder, name))) {
    const name = relative(folder, path);
    if (!statSync(path).isFile() || name.includes('content/tshelm/')) continue;
    files[name] = createHash('sha256').update(readFileSync(path)).digest('hex');
  }
  return files;
}
