import { lastRevision } from '../release/history.ts';
import { isValidReleaseName } from '../release/name.ts';
import { releaseNotFound } from '../release/record.ts';
import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';
import type { Context } from './context.ts';

/**
 * A revision of a release; the newest where none is asked for (Configuration.releaseContent).
 * Errors: `invalid-release-name`, `release-not-found`.
 */
export async function findRelease(name: string, revision: number | undefined, context: Context): Promise<Release> {
  checkName(name, `releaseContent: Release name is invalid: ${name}`);
  const storage = await context.storage();
  if (revision === undefined || revision <= 0) return lastRevision(name, await storage.revisions(name));
  const release = await storage.get(name, revision);
  if (release === undefined) throw releaseNotFound(name);
  return release;
}

/** Refuses an invalid name in the words that the command has for it. */
export function checkName(name: string, message: string): void {
  if (!isValidReleaseName(name)) throw new TshelmError('invalid-release-name', { message, details: { name } });
}
