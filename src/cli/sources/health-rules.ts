import { resolve } from 'node:path';
import type { UserRules } from '../../cluster/readiness.ts';
import type { Io } from '../terminal/io.ts';
import { flagFileText } from './flag-file.ts';

/** The rules in the file of --health. Errors: `bad-flag` for a file that cannot be read, `health-checks-invalid`. */
export async function healthRulesOf(
  file: string | undefined,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<UserRules | undefined> {
  if (file === undefined) return undefined;
  const { readHealthFile } = await import('../../cluster/health.ts');
  return readHealthFile(await flagFileText('health', resolve(cwd, file)), file);
}
