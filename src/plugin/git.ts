import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ifReadable } from '../go/if-readable.ts';
import { compareVersions, parseConstraint, parseVersion, satisfies, type Version } from '../go/semver.ts';
import { git as runGit } from '../source/git/program.ts';
import { TshelmError } from '../support/errors.ts';

/** Clones a repository, or brings a clone up to date, and checks out the version that is asked for. Errors: `git-failed`. */
export async function checkOut(url: string, clone: string, version: string, signal?: AbortSignal): Promise<void> {
  if (existsSync(clone)) await pull(clone, signal);
  else {
    mkdirSync(dirname(clone), { recursive: true });
    await git(['clone', '--quiet', '--recursive', '--', url, clone], signal);
  }
  if (version !== '')
    await git(['-C', clone, 'checkout', '--quiet', await referenceOf(url, clone, version, signal)], signal);
}

export const pull = async (clone: string, signal?: AbortSignal): Promise<void> => {
  // A clone that was brought to a version is on no branch: it begins anew from the remote's own.
  const branch = (await git(['-C', clone, 'symbolic-ref', '--short', 'refs/remotes/origin/HEAD'], signal)).trim();
  await git(['-C', clone, 'fetch', '--quiet', '--tags', 'origin'], signal);
  await git(['-C', clone, 'checkout', '--quiet', branch.replace('origin/', '')], signal);
  await git(['-C', clone, 'merge', '--quiet', '--ff-only', branch], signal);
};

export const isDirty = async (clone: string, signal?: AbortSignal): Promise<boolean> =>
  (await git(['-C', clone, 'status', '--porcelain'], signal)).trim() !== '';

/** A branch, tag or commit; otherwise the newest tag that the constraint allows. */
async function referenceOf(url: string, clone: string, version: string, signal?: AbortSignal): Promise<string> {
  const isReference = await git(['-C', clone, 'rev-parse', '--quiet', '--verify', `${version}^{commit}`], signal).then(
    () => true,
    () => false,
  );
  if (isReference) return version;
  const allows = parseConstraint(version);
  const tags = (await git(['-C', clone, 'tag'], signal)).split('\n').filter((tag) => parsed(tag) !== undefined);
  const fitting = tags
    .filter((tag) => satisfies(allows, parsed(tag) as Version))
    .sort((a, b) => compareVersions(parsed(b) as Version, parsed(a) as Version));
  const [newest] = fitting;
  if (newest !== undefined) return newest;
  const message = `requested version ${JSON.stringify(version)} does not exist for plugin ${JSON.stringify(url)}`;
  throw new TshelmError('plugin-version-not-found', { message });
}

const parsed = (tag: string): Version | undefined => ifReadable(() => parseVersion(tag));

const git = async (args: readonly string[], signal?: AbortSignal): Promise<string> =>
  (await runGit(args, { env: process.env, signal })).toString();
