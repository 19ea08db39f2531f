import { readFile } from 'node:fs/promises';
import { encodeText } from '../support/text.ts';

/** The terminal and the process as the command line sees them; tests bring their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: Output;
  readonly stderr: Output;
  readStdin(): Promise<Uint8Array>;
  now(): Date;
}

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns and rows of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
}

export const processIo = (): Io => ({
  env: process.env,
  cwd: process.cwd(),
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  readStdin: () => readFile('/dev/stdin').catch(readStdinStream),
  now: () => new Date(),
});

async function readStdinStream(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    // A chart's files need not be UTF-8: their bytes leave as they came.
    write: (text) => void stream.write(encodeText(text)),
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined;
    },
  };
}
