import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FlagsOf } from '../../change/option-rows.ts';
import { plannedAction } from '../../saved-plan/apply.ts';
import { checkUsable, openPlanFile, releasedPlanText, writePlanFile } from '../../saved-plan/file.ts';
import { planner } from '../../saved-plan/planner.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { type saveFlags, signKeyOf, type verifyFlag, verifyKeysOf } from '../flags/saved-plan-flags.ts';
import { moveTitle } from '../output/move-text.ts';
import { secondsTime } from '../output/time.ts';
import type { GlobalFlags } from '../settings.ts';

export interface ReleasePlanRequest {
  readonly path: string;
  readonly flags: GlobalFlags & FlagsOf<Pick<typeof saveFlags, 'sign-key'> & typeof verifyFlag>;
}

/**
 * Adds a release to the file of a plan. Errors: `bad-flag` without a key, `plan-unusable`, `plan-signature`,
 * `plan-expired`, `plan-of-other-version`.
 */
export async function releasePlan({ path, flags }: ReleasePlanRequest, { io }: CliContext): Promise<void> {
  const signKey = await signKeyOf(flags, io);
  if (signKey === undefined)
    throw new TshelmError('bad-flag', { message: 'a plan is released with a key: add --sign-key FILE' });
  const verifyKeys = await verifyKeysOf(flags, io);
  const file = resolve(io.cwd, path);
  let text = '';
  const read = async (): Promise<string> => (text = await readFile(file, 'utf8'));
  const plan = await openPlanFile(path, read, { verifyKeys });
  checkUsable(plan, io.now());
  writePlanFile(
    file,
    releasedPlanText(text, path, { at: io.now().toISOString(), by: planner(io.env), signKey, verifyKeys }),
  );
  for (const release of plan.releases)
    io.stdout.write(
      `${path}: the ${plannedAction(release)} of release "${release.name}" in namespace ${release.namespace} is released\n`,
    );
  if (plan.move !== undefined) io.stdout.write(`${path}: ${moveTitle(plan.move.plan)}: released\n`);
  io.stdout.write(`It can be applied until ${secondsTime(plan.expiresAt)}.\n`);
}
