import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { readBytes } from '../go/files.ts';
import { errnoOf, goExecError } from '../go/path-error.ts';
import { decodeText, encodeText } from '../go/text.ts';
import { GoError } from '../go/value.ts';
import type { Program } from '../secrets/world.ts';
import { compareText } from '../support/order.ts';
import type { StackWorld } from './world.ts';

/** The machine that tshelm runs on. */
export const nodeWorld = (env: StackWorld['env'], warn: (text: string) => void): StackWorld => ({
  env,
  warn,
  readFile: (path) => decodeText(readBytes(path)),
  kindOf(path) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return found.isDirectory() ? 'directory' : 'file';
  },
  list(path) {
    try {
      return readdirSync(path).sort(compareText);
    } catch {
      // A folder that cannot be read has nothing, as for Go's filepath.Glob.
      return [];
    }
  },
  run: (program) => runProgram(program, env),
  start: (program) => startProgram(program, env),
});

/** Standard output; with what was said on standard error where the program fails. */
function runProgram({ command, args, cwd, env = {}, input }: Program, base: StackWorld['env']): string {
  const { status, signal, error, stdout, stderr } = spawnSync(command, [...args], {
    cwd,
    env: { ...base, ...env },
    maxBuffer: 256 * 1024 * 1024,
    ...(input === undefined ? {} : { input: encodeText(input) }),
  });
  if (error !== undefined) throw notStarted(command, error);
  if (status === 0) return decodeText(stdout);
  throw failedProgram([command, ...args], signal ?? status, [stderr, stdout]);
}

function startProgram({ command, args, cwd, env = {} }: Program, base: StackWorld['env']): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const child = spawn(command, [...args], { cwd, env: { ...base, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const pieces: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece));
    child.once('error', reject);
    child.once('close', (status, signal) => {
      const output = Buffer.concat(pieces);
      if (status === 0) resolve(decodeText(output));
      else reject(failedProgram([command, ...args], signal ?? status, [output]));
    });
  }).catch((cause: unknown) => {
    throw cause instanceof GoError ? cause : notStarted(command, cause);
  });
}

function failedProgram(words: readonly string[], end: string | number | null, outputs: readonly Uint8Array[]): GoError {
  const outputTexts = outputs.map((bytes) => decodeText(bytes).trim()).filter((text) => text !== '');
  const how = typeof end === 'string' ? `signal: ${end}` : `exit status ${end}`;
  return new GoError(`${words.join(' ')}: ${how}${outputTexts.length === 0 ? '' : `\n${outputTexts.join('\n')}`}`);
}

const notStarted = (command: string, cause: unknown): GoError =>
  errnoOf(cause) === 'ENOENT'
    ? new GoError(`exec: "${command}": executable file not found in $PATH`, { cause })
    : goExecError(command, cause);
