import {
  compareVersions,
  looseVersion,
  parseConstraint,
  satisfies,
  strictVersion,
  versionText,
} from '../../go/semver.ts';
import { GoError } from '../../go/value.ts';

/** The tags that are versions, newest first; `_` stands for `+`. Go: registry.Client.Tags. */
export const versionTags = (tags: readonly string[]): string[] =>
  tags
    .flatMap((tag) => strictVersion(tag.replaceAll('_', '+')) ?? [])
    .sort((a, b) => compareVersions(b, a))
    .map(versionText);

/** The first of the tags that meets a version or constraint; without one, the first release. Go: GetTagMatchingVersionOrConstraint. */
export function matchingTag(tags: readonly string[], wanted: string): string {
  if (wanted !== '' && tags.includes(wanted)) return wanted;
  const constraint = parseConstraint(wanted === '' ? '*' : wanted);
  const found = tags.find((tag) => {
    const version = looseVersion(tag);
    return version !== undefined && satisfies(constraint, version);
  });
  if (found === undefined) throw new GoError(`could not locate a version matching provided version string ${wanted}`);
  return found;
}
