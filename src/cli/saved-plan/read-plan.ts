import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FlagsOf } from '../../change/option-rows.ts';
import { openPlanFile } from '../../saved-plan/file.ts';
import type { SavedPlan } from '../../saved-plan/types.ts';
import { type verifyFlag, verifyKeysOf } from '../flags/saved-plan-flags.ts';
import type { Io } from '../terminal/io.ts';

/** The plan of a file; `-` is standard input. Errors: `plan-unusable`, `plan-signature`, `bad-flag`. */
export async function readPlan(path: string, flags: FlagsOf<typeof verifyFlag>, io: Io): Promise<SavedPlan> {
  const read = async (): Promise<string> =>
    path === '-' ? Buffer.from(await io.readStdin()).toString('utf8') : readFile(resolve(io.cwd, path), 'utf8');
  return openPlanFile(path, read, { verifyKeys: await verifyKeysOf(flags, io) });
}
