import { TshelmError } from '../../support/errors.ts';
import type { Io } from './io.ts';

/** What is typed at the terminal and not shown. Fails as Helm does where there is no terminal. */
export async function askHidden(prompt: string, io: Io): Promise<string> {
  io.stdout.write(prompt);
  if (!process.stdin.isTTY) {
    io.stdout.write('\n');
    throw new TshelmError('no-terminal', { message: 'inappropriate ioctl for device' });
  }
  const { createInterface } = await import('node:readline/promises');
  const { Writable } = await import('node:stream');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const interrupted = new AbortController();
  lines.once('SIGINT', () => interrupted.abort(new DOMException('interrupted', 'AbortError')));
  try {
    return await lines.question('', { signal: interrupted.signal });
  } finally {
    lines.close();
    io.stdout.write('\n');
  }
}
