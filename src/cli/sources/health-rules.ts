import { resolve } from 'node:path';
import type { UserRules } from '../../cluster/readiness.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { Io } from '../terminal/io.ts';

/** The rules in the file of --health. Errors: `bad-flag` for a file that cannot be read, `health-checks-invalid`. */
export async function healthRulesOf(
  file: string | undefined,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<UserRules | undefined> {
  if (file === undefined) return undefined;
  const { readHealthFile } = await import('../../cluster/health.ts');
  return readHealthFile(await textOf(resolve(cwd, file)), file);
}

async function textOf(path: string): Promise<string> {
  const { readBytes } = await import('../../go/path-error.ts');
  const { decodeText } = await import('../../go/text.ts');
  try {
    return decodeText(readBytes(path));
  } catch (cause) {
    throw new TshelmError('bad-flag', { message: `--health: ${messageOf(cause)}`, cause });
  }
}
