import { ignoreNotices, type Notify, warn } from '../../chart/notice.ts';
import { parseConstraint, satisfies } from '../../go/semver.ts';
import { GoError } from '../../go/value.ts';
import type { IndexVersion, RepositoryIndex } from './index-file.ts';

/**
 * The version of a chart that a constraint chooses: the one of exactly that name, else the newest that fits; for '' the
 * newest that is no prerelease. Go: IndexFile.Get. Throws GoError: `no chart name found`, ….
 */
export function chooseVersion(
  index: RepositoryIndex,
  chart: string,
  { version, onNotice = ignoreNotices }: { readonly version: string; readonly onNotice?: Notify | undefined },
): IndexVersion {
  const versions = index.versions(chart);
  if (versions === undefined) throw new GoError('no chart name found');
  if (versions.length === 0) throw new GoError('no chart version found');
  const constraint = parseConstraint(version === '' ? '*' : version);
  const exact = version === '' ? undefined : versions.find((one) => one.version === version);
  if (exact !== undefined) return exact;
  const found = versions.find(({ semver }) => satisfies(constraint, semver));
  if (found === undefined) throw new GoError(`no chart version found for ${chart}-${version}`);
  if (version !== '' && !isRange(version)) {
    const attributes = { chart, requested: version, selected: found.version };
    onNotice(warn('unable to find exact version requested; falling back to closest available version', attributes));
  }
  return found;
}

/** Whether a text can only be meant as a constraint: `^1`, `~1.10`, `1.x`. Go: isVersionRange. */
function isRange(version: string): boolean {
  if (/[\^~<>=!*]|\|\|| - /.test(version)) return true;
  return /[xX]/.test(version.split(/[-+]/)[0] ?? '');
}
