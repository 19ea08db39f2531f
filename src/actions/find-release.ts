import type { Context } from '../change/context.ts';
import { checkName } from '../release/name.ts';
import { releaseNotFound } from '../release/record.ts';
import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';

/**
 * A revision of a release; the newest where none is asked for (Configuration.releaseContent).
 * Errors: `invalid-release-name`, `release-not-found`, `revision-not-found`.
 */
export async function findRelease(name: string, revision: number | undefined, context: Context): Promise<Release> {
  checkName(name, `releaseContent: Release name is invalid: ${name}`);
  const storage = await context.storage();
  const isNewest = revision === undefined || revision <= 0;
  const release = await (isNewest ? storage.newest(name) : storage.get(name, revision));
  if (release !== undefined) return release;
  const revisions = isNewest ? [] : (await storage.revisions(name, { isBrief: true })).map(({ version }) => version);
  if (isNewest || revisions.length === 0) throw releaseNotFound(name);
  // Helm's words are those of a release that is not there.
  throw new TshelmError('revision-not-found', {
    message: 'release: not found',
    details: { release: name, revision, revisions },
  });
}
