import { messageOf, TshelmError } from '../../support/errors.ts';
import { readStart } from '../../support/read-start.ts';

/** A device never ends. */
const mostBytes = 1 << 24;

/** The text of the file that a flag names. Errors: `bad-flag` with the flag's name where it cannot be read. */
export async function flagFileText(flag: string, path: string): Promise<string> {
  const { withPathErrors } = await import('../../go/path-error.ts');
  const { decodeText } = await import('../../go/text.ts');
  try {
    const bytes = withPathErrors('open', path, () => readStart(path, mostBytes + 1));
    if (bytes.length > mostBytes) throw new Error(`${path} is larger than ${mostBytes} bytes`);
    return decodeText(bytes);
  } catch (cause) {
    throw new TshelmError('bad-flag', { message: `--${flag}: ${messageOf(cause)}`, cause });
  }
}
