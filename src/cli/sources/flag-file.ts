import { messageOf, TshelmError } from '../../support/errors.ts';

/** The text of the file that a flag names. Errors: `bad-flag` with the flag's name where it cannot be read. */
export async function flagFileText(flag: string, path: string): Promise<string> {
  const { readBytes } = await import('../../go/path-error.ts');
  const { decodeText } = await import('../../go/text.ts');
  try {
    return decodeText(readBytes(path));
  } catch (cause) {
    throw new TshelmError('bad-flag', { message: `--${flag}: ${messageOf(cause)}`, cause });
  }
}
