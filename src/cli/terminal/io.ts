import { fstatSync, statSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { errnoOf } from '../../go/path-error.ts';
import { encodeText } from '../../go/text.ts';
import { type Echo, terminalEcho } from './echo.ts';

/** The terminal and the process as the command line sees them; tests bring their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The path by which this program was called: a link named `helm` is in Helm's place. */
  readonly program: string;
  readonly cwd: string;
  readonly stdout: Output;
  readonly stderr: Output;
  readStdin(): Promise<Uint8Array>;
  /** The same piece by piece, as it comes. */
  stdin(): AsyncIterable<Uint8Array>;
  /** Whether what is typed is shown; undefined where that is not ours to say. */
  echo?(): Echo | undefined;
  now(): Date;
}

/**
 * `page` is a page for a browser: where standard output is a terminal it becomes a file.
 * `text` is for people, and may quote anybody; `folded` is the same, and on a terminal its long lines go on below; `painted` is
 * `text` with colours of our own; `data` is for programs, and leaves unchanged but for a terminal; `control` has sequences or
 * commands of our own, and what it quotes has been made printable.
 */
export type TextKind = 'text' | 'folded' | 'painted' | 'data' | 'control' | 'page';

/** The kind of what a command prints in one of its forms. */
export const kindOf = (form: string): TextKind =>
  form === 'tree' ? 'folded' : form === 'table' || form === 'text' ? 'text' : form === 'html' ? 'page' : 'data';

export interface Output {
  /** Default kind: `text`. */
  write(text: string, kind?: TextKind): void;
  readonly isTerminal: boolean;
  /** Columns and rows of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
}

/** Whether more is told on standard error than Helm tells: at a terminal and in a build. Programs find there what Helm writes. */
export const showsMoreThanHelm = ({ stderr, env }: Pick<Io, 'stderr' | 'env'>): boolean =>
  stderr.isTerminal || isOnGithub(env) || env['GITLAB_CI'] === 'true';

export const isOnGithub = (env: Io['env']): boolean => env['GITHUB_ACTIONS'] === 'true';

const standardError = 2;

export const processIo = (): Io => ({
  env: process.env,
  program: process.argv[1] ?? 'tshelm',
  cwd: process.cwd(),
  stdout: outputTo(1, () => process.stdout),
  stderr: outputTo(standardError, () => process.stderr),
  readStdin: () => readFile('/dev/stdin').catch(readStdinStream),
  stdin: () => process.stdin,
  echo: terminalEcho,
  now: () => new Date(),
});

async function readStdinStream(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Node's streams take milliseconds to open, so only a terminal, whose size they know, is written to through them. */
function outputTo(descriptor: number, open: () => NodeJS.WriteStream): Output {
  let known: { readonly stream: NodeJS.WriteStream | undefined } | undefined;
  const terminal = (): NodeJS.WriteStream | undefined => {
    known ??= { stream: findTerminal() };
    return known.stream;
  };
  const findTerminal = (): NodeJS.WriteStream | undefined => {
    if (!mayBeTerminal(descriptor)) return undefined;
    const stream = open();
    if (stream.isTTY && stream.listenerCount('error') === 0) stream.on('error', ignored);
    return stream.isTTY ? stream : undefined;
  };
  return {
    // A chart's files need not be UTF-8: their bytes leave as they came.
    write(text) {
      const bytes = encodeText(text);
      const stream = terminal();
      if (stream === undefined) writeWhole(descriptor, bytes);
      else stream.write(bytes);
    },
    get isTerminal() {
      return terminal() !== undefined;
    },
    get columns() {
      return terminal()?.columns;
    },
    get rows() {
      return terminal()?.rows;
    },
  };
}

/** Whether it is a device other than the null device. A descriptor that nobody opened is none (Windows has such processes). */
function mayBeTerminal(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isCharacterDevice() && stats.rdev !== statSync(devNull).rdev;
  } catch {
    return false;
  }
}

/** A terminal that was closed takes nothing more: the command goes on without it. */
const ignored = (): void => {};

/**
 * Writes to a file or pipe. Where nobody reads any more (`| head`, a terminal that was closed), the rest is dropped: the
 * command goes on. So it does when standard error takes nothing, as on a full disk: a deploy does not fail for its log.
 */
function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'EAGAIN') waitForRoom();
      else if (errno === 'EPIPE' || errno === 'EIO' || descriptor === standardError) return;
      else throw error;
    }
  }
}

/** The pipe is full, and another process has made it non-blocking. */
const waitForRoom = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
