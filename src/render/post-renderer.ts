import { spawn } from 'node:child_process';
import { goExecError } from '../go/path-error.ts';
import { decodeText, encodeText } from '../go/text.ts';
import { TshelmError } from '../support/errors.ts';

/** Changes rendered manifests: a YAML stream in, a YAML stream out. */
export type PostRenderer = (manifests: string) => Promise<string>;

/** A program to run as post-renderer. */
export interface PostRendererCommand {
  /** A path, or a name that is looked for in PATH. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Beside the environment of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * A post-renderer that is a program: manifests on its standard input, the new ones on its standard output.
 * Fails with `post-renderer-failed` when it cannot be started, exits with an error (its standard error is in the message),
 * or prints nothing.
 */
export function postRendererProgram({ command, args = [], env = {} }: PostRendererCommand): PostRenderer {
  return async (manifests) => {
    const output = await outputOf({ command, args, env }, manifests);
    if (output.trim() === '') throw failed(command, `post-renderer ${JSON.stringify(command)} produced empty output`);
    return output;
  };
}

async function outputOf(program: PostRendererCommand, manifests: string): Promise<string> {
  const { command } = program;
  const { output, errors, code, signal } = await runProgram(program, manifests).catch((cause: unknown) => {
    const reason = goExecError(command, cause).message;
    throw failed(command, `cannot run post-renderer ${JSON.stringify(command)}: ${reason}`, cause);
  });
  if (code === 0) return output;
  const reason = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
  throw failed(command, `post-renderer ${JSON.stringify(command)} ${reason}\n${errors.trim()}`.trim());
}

/** How a program ended: with a code, or by a signal. */
export interface ProgramEnd {
  readonly output: string;
  readonly errors: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs a program with a text on its standard input. Fails with the error of the system where it cannot be started. */
export function runProgram({ command, args = [], env = {} }: PostRendererCommand, input: string): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ output: stdout(), errors: stderr(), code, signal }));
    // A program may end without reading everything; what counts is how it ended.
    child.stdin.on('error', () => {});
    child.stdin.end(encodeText(input));
  });
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => decodeText(Buffer.concat(chunks));
}

const failed = (command: string, message: string, cause?: unknown): TshelmError =>
  new TshelmError('post-renderer-failed', { message, details: { command }, cause });
