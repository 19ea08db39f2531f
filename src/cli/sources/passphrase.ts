import { readFileSync } from 'node:fs';
import { goPathError } from '../../go/path-error.ts';
import type { AskPassphrase } from '../../source/provenance/signer.ts';
import { TshelmError } from '../../support/errors.ts';
import { linesOf } from '../../support/text.ts';
import type { CliContext } from '../context.ts';

/** Asks for a passphrase, or reads it from a file or from standard input. */
export function passphraseFrom(file: string | undefined, { io, secrets }: CliContext): AskPassphrase {
  return async (name) => {
    const passphrase = await passphraseOf(name);
    if (passphrase !== '') secrets.add(passphrase);
    return passphrase;
  };

  async function passphraseOf(name: string): Promise<string> {
    if (file === undefined || file === '') {
      const { askHidden } = await import('../terminal/hidden-answer.ts');
      return askHidden(`Password for key ${JSON.stringify(name)} >  `, io);
    }
    return firstLine(file === '-' ? await pipedInput() : passphraseFile(file));
  }

  async function pipedInput(): Promise<Uint8Array> {
    if (process.stdin.isTTY) {
      const message = 'specified reading passphrase from stdin, without input on stdin';
      throw new TshelmError('bad-flag', { message });
    }
    return io.readStdin();
  }
}

function passphraseFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new TshelmError('bad-flag', { message: goPathError('open', path, cause).message, cause });
  }
}

const firstLine = (bytes: Uint8Array): string => linesOf(Buffer.from(bytes).toString('utf8'))[0] ?? '';
