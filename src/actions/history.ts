import type { Context } from '../change/context.ts';
import { checkNameAsked } from '../release/name.ts';
import { releaseNotFound } from '../release/record.ts';
import type { Release } from '../release/types.ts';
import type { HistoryOptions } from './options/readings.ts';

/** The revisions of a release, oldest first. Errors: `invalid-release-name`, `release-not-found`. */
export async function history({ name, max }: HistoryOptions, context: Context): Promise<readonly Release[]> {
  checkNameAsked(name);
  const revisions = await (await context.storage()).revisions(name, { isBrief: true });
  if (revisions.length === 0) throw releaseNotFound(name);
  return max === undefined ? revisions : revisions.slice(Math.max(0, revisions.length - Math.max(0, max)));
}
