import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { compareVersions, looseVersion, parseConstraint, satisfies, type Version } from '../go/semver.ts';
import { type GitAccess, git as runGit } from '../source/git/program.ts';
import { TshelmError } from '../support/errors.ts';

/** How git is asked. */
interface Asking extends Pick<GitAccess, 'username' | 'password'> {
  readonly signal?: AbortSignal | undefined;
}

interface Wanted {
  readonly url: string;
  /** The folder of the clone. */
  readonly clone: string;
  readonly version: string;
}

/** Clones a repository, or brings a clone up to date, and checks out the version that is asked for. Errors: `git-failed`. */
export async function checkOut({ url, clone, version }: Wanted, asking: Asking): Promise<void> {
  if (existsSync(clone)) await pull(clone, asking);
  else {
    mkdirSync(dirname(clone), { recursive: true });
    await git(['clone', '--quiet', '--recursive', '--', url, clone], asking);
  }
  if (version !== '')
    await git(['-C', clone, 'checkout', '--quiet', await referenceOf({ url, clone, version }, asking)], asking);
}

export const pull = async (clone: string, asking: Asking): Promise<void> => {
  // A clone that was brought to a version is on no branch: it begins anew from the remote's own.
  const branch = (await git(['-C', clone, 'symbolic-ref', '--short', 'refs/remotes/origin/HEAD'], asking)).trim();
  await git(['-C', clone, 'fetch', '--quiet', '--tags', 'origin'], asking);
  await git(['-C', clone, 'checkout', '--quiet', branch.replace('origin/', '')], asking);
  await git(['-C', clone, 'merge', '--quiet', '--ff-only', branch], asking);
};

export const isDirty = async (clone: string, asking: Asking): Promise<boolean> =>
  (await git(['-C', clone, 'status', '--porcelain'], asking)).trim() !== '';

/** A tag, a branch as the server has it, or a commit; otherwise the newest tag that the constraint allows. */
async function referenceOf({ url, clone, version }: Wanted, asking: Asking): Promise<string> {
  for (const name of [`refs/tags/${version}`, `refs/remotes/origin/${version}`, version]) {
    const isReference = await git(['-C', clone, 'rev-parse', '--quiet', '--verify', `${name}^{commit}`], asking).then(
      () => true,
      () => false,
    );
    if (isReference) return name;
  }
  const allows = parseConstraint(version);
  const tags = (await git(['-C', clone, 'tag'], asking)).split('\n').filter((tag) => looseVersion(tag) !== undefined);
  const fitting = tags
    .filter((tag) => satisfies(allows, looseVersion(tag) as Version))
    .sort((a, b) => compareVersions(looseVersion(b) as Version, looseVersion(a) as Version));
  const [newest] = fitting;
  if (newest !== undefined) return newest;
  const message = `requested version ${JSON.stringify(version)} does not exist for plugin ${JSON.stringify(url)}`;
  throw new TshelmError('plugin-version-not-found', { message });
}

const git = async (args: readonly string[], asking: Asking): Promise<string> =>
  (await runGit(args, { env: process.env, ...asking })).toString();
