import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FlagsOf } from '../../change/option-rows.ts';
import { goPathError } from '../../go/path-error.ts';
import { readPlanFile } from '../../saved-plan/file.ts';
import type { SavedPlan } from '../../saved-plan/types.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { type verifyFlag, verifyKeysOf } from '../flags/saved-plan-flags.ts';
import type { Io } from '../terminal/io.ts';

/** The plan of a file; `-` is standard input. Errors: `plan-unusable`, `plan-signature`, `bad-flag`. */
export async function readPlan(path: string, flags: FlagsOf<typeof verifyFlag>, io: Io): Promise<SavedPlan> {
  return readPlanFile(await textOf(path, io), path, await verifyKeysOf(flags, io));
}

async function textOf(path: string, io: Io): Promise<string> {
  if (path === '-') return Buffer.from(await io.readStdin()).toString('utf8');
  try {
    return await readFile(resolve(io.cwd, path), 'utf8');
  } catch (cause) {
    const message = messageOf(goPathError('open', path, cause));
    throw new TshelmError('plan-unusable', { message, details: { path }, cause });
  }
}
