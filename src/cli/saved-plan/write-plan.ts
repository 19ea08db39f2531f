import { resolve } from 'node:path';
import { planFileText } from '../../saved-plan/file.ts';
import { planner } from '../../saved-plan/planner.ts';
import { savedPlan } from '../../saved-plan/save.ts';
import type { SavedRelease, SavedStack } from '../../saved-plan/types.ts';
import { writePrivateFile } from '../../support/private-file.ts';
import type { Io } from '../terminal/io.ts';

interface WriteOptions {
  readonly out: string;
  readonly expiresInMs: number;
  readonly stack?: SavedStack | undefined;
  readonly signKey?: string | undefined;
}

/** Writes a plan to its file, and says how it is applied and what has to be given then. */
export async function writePlan(
  releases: readonly SavedRelease[],
  { out, expiresInMs, stack, signKey }: WriteOptions,
  io: Io,
): Promise<void> {
  const plan = savedPlan(releases, { now: io.now(), createdBy: planner(io.env), expiresInMs, stack });
  writePrivateFile(resolve(io.cwd, out), planFileText(plan, signKey));
  io.stderr.write(`The plan is saved in ${out} and can be applied until ${plan.expiresAt}: tshelm apply ${out}\n`);
  const ofReleases = releases.flatMap(({ sealed, inputs }) => (sealed === undefined ? (inputs?.leftOut ?? []) : []));
  for (const flag of [...(stack?.leftOut ?? []), ...ofReleases])
    io.stderr.write(`${flag} holds a secret, which the file does not keep; pass it again to tshelm apply\n`);
}
