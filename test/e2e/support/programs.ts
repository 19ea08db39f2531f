import { type SpawnOptions, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { main } from '../../../src/cli/main.ts';

/** What one run of a command line left behind. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** A program that deploys charts: tshelm, or Helm itself. */
export interface Program {
  readonly name: 'tshelm' | 'helm' | 'helm3';
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
}

/** The command line that is tried: $TSHELM (an executable), or that of the build. */
export const tshelmPath = resolve(process.env['TSHELM'] ?? 'bin/tshelm');

/** tshelm as the user starts it. */
export const tshelmProcess: Program = { name: 'tshelm', run: (words, options) => start(tshelmPath, words, options) };

/** tshelm in this process, so that its coverage is counted; with $TSHELM that program. */
export const tshelm: Program =
  process.env['TSHELM'] !== undefined
    ? tshelmProcess
    : {
        name: 'tshelm',
        run: (words, { env = {}, stdin = '' } = {}) => runHere(words, { ...process.env, ...env }, stdin),
      };

/** In a folder of its own; one line at a time, since a process has one working folder. */
export async function tshelmIn(
  folder: string,
  words: readonly string[],
  { env, stdin = '' }: { readonly env: NodeJS.ProcessEnv; readonly stdin?: string | undefined },
): Promise<Ran> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await runHere(words, env, stdin);
  } finally {
    process.chdir(before);
  }
}

async function runHere(words: readonly string[], env: NodeJS.ProcessEnv, stdin: string): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const output = (texts: string[]) => ({
    write: (text: string) => void texts.push(text),
    isTerminal: false,
    columns: undefined,
    rows: undefined,
  });
  const code = await main(words, {
    env,
    program: 'tshelm',
    cwd: process.cwd(),
    stdout: output(out),
    stderr: output(err),
    readStdin: async () => Buffer.from(stdin),
    async *stdin() {
      yield Buffer.from(stdin);
    },
    now: () => new Date(),
  });
  return { code, stdout: out.join(''), stderr: err.join('') };
}

export const helm: Program = helmOf('helm');
/** Helm v3.22.0. */
export const helm3: Program = helmOf('helm3');

function helmOf(name: 'helm' | 'helm3'): Program {
  const directory = process.env['TSHELM_E2E_BIN'];
  if (directory === undefined) throw new Error('TSHELM_E2E_BIN is not set; test/e2e/run.sh sets it');
  return { name, run: (words, options) => start(join(directory, name), words, options) };
}

async function start(path: string, words: readonly string[], { env = {}, stdin = '' }: RunOptions = {}): Promise<Ran> {
  const options: SpawnOptions = { env: { ...process.env, ...env }, stdio: 'pipe' };
  const child = spawn(path, words, options);
  const read = (stream: NodeJS.ReadableStream | null): string[] => {
    const texts: string[] = [];
    stream?.setEncoding('utf8').on('data', (text: string) => texts.push(text));
    return texts;
  };
  const [out, err] = [read(child.stdout), read(child.stderr)];
  // A program that ends before it has read its input is no failure of the test.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdin);
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (status) => resolve(status ?? -1));
  });
  return { code, stdout: out.join(''), stderr: err.join('') };
}

/** Runs a command that has to work, and returns what it printed. */
export async function ok(program: Program, words: readonly string[], options?: RunOptions): Promise<string> {
  const ran = await program.run(words, options);
  if (ran.code !== 0) {
    throw new Error(`${program.name} ${words.join(' ')} failed with ${ran.code}:\n${ran.stderr}${ran.stdout}`);
  }
  return ran.stdout;
}
