import { join } from 'node:path';
import { ignoreNotices, type Notify, warn } from '../../chart/notice.ts';
import { cleanPath } from '../../go/path.ts';
import { compileRegexp } from '../../go/regexp.ts';
import { compareVersions, parseConstraint, satisfies } from '../../go/semver.ts';
import { GoError } from '../../go/value.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import { indexPath } from './find-chart.ts';
import { type IndexVersion, readIndexFile } from './index-file.ts';
import type { RepositoryEntry } from './repositories.ts';

export interface SearchOptions {
  /** What to look for; undefined for every chart. */
  readonly keyword?: string | undefined;
  /** Whether the keyword is a regular expression. */
  readonly isRegexp?: boolean | undefined;
  /** Every version that fits, not only the newest. */
  readonly allVersions?: boolean | undefined;
  /** Which versions count; undefined for releases that are no prereleases. */
  readonly constraint?: string | undefined;
  readonly isDevel?: boolean | undefined;
  readonly onNotice?: Notify | undefined;
}

export interface FoundChart {
  /** `REPOSITORY/CHART`. */
  readonly name: string;
  readonly chart: IndexVersion;
}

interface Candidate extends FoundChart {
  /** What is in the repository's index, as it is searched. */
  readonly line: () => string;
}

const separator = '\v';
const worstScore = 25;

/**
 * The charts of the cached indexes that have a keyword in their name, description or keywords: the nearer to the start,
 * the earlier. Go: search.Index, cmd.searchRepoOptions. Fails with `bad-constraint`, `bad-keyword`.
 */
export function searchRepositories(
  repositories: readonly RepositoryEntry[],
  repositoryCache: string,
  options: SearchOptions,
): readonly FoundChart[] {
  const { allVersions = false, constraint, isDevel = false, onNotice = ignoreNotices } = options;
  const candidates = repositories.flatMap(({ name }) => candidatesOf(name, indexPath(repositoryCache, name), onNotice));
  const matches = matcher(options);
  const scored = candidates
    .map((candidate) => ({ candidate, score: matches(candidate) }))
    .filter((one): one is { candidate: Candidate; score: number } => one.score !== undefined);
  scored.sort((a, b) => a.score - b.score || compareFound(a.candidate, b.candidate));
  const fitting = versionFilter(constraint || (isDevel ? '>0.0.0-0' : '>0.0.0'));
  const found = new Set<string>();
  return scored
    .map(({ candidate: { name, chart } }) => ({ name, chart }))
    .filter(({ name, chart }) => {
      if ((!allVersions && found.has(name)) || !fitting(chart)) return false;
      found.add(name);
      return true;
    });
}

/** By name, the newest version first. */
const compareFound = (a: FoundChart, b: FoundChart): number =>
  compareText(a.name, b.name) || compareVersions(b.chart.semver, a.chart.semver);

/** Every version is one: an older one may be the newest that fits, or be nearer to the keyword. */
function candidatesOf(repository: string, path: string, onNotice: Notify): Candidate[] {
  try {
    const index = readIndexFile(path, onNotice);
    return index.names.flatMap((name) => {
      const versions = index.versions(name) ?? [];
      // Of versions of one name the last one stays: Helm's map has one place for each.
      const chosen = [...new Map(versions.map((one) => [one.version, one])).values()];
      return chosen.map((chart) => ({
        name: cleanPath(join(repository, name)),
        chart,
        line: () => searchedLine(repository, chart),
      }));
    });
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    onNotice(warn('repo is corrupt or missing', { repo: repository, error: cause.message }));
    return [];
  }
}

const searchedLine = (repository: string, { name, description, keywords }: IndexVersion): string =>
  [name, `${repository}/${name}`, description, keywords.join(' ')].join(separator);

/** The score of a candidate: in which of its parts the keyword is; undefined where in none. */
function matcher({ keyword, isRegexp = false }: SearchOptions): (candidate: Candidate) => number | undefined {
  if (keyword === undefined) return () => 0;
  const find = isRegexp ? regexpFinder(keyword) : literalFinder(keyword);
  return ({ line }) => {
    const { text, at } = find(line());
    if (at < 0) return undefined;
    const score = text.slice(0, at).split(separator).length - 1;
    return score < worstScore ? score : undefined;
  };
}

type Finder = (line: string) => { readonly text: string; readonly at: number };

function literalFinder(keyword: string): Finder {
  const term = keyword.toLowerCase();
  return (line) => {
    const text = line.toLowerCase();
    return { text, at: text.indexOf(term) };
  };
}

function regexpFinder(keyword: string): Finder {
  try {
    const regexp = compileRegexp(keyword);
    return (line) => ({ text: line, at: regexp.search(line) });
  } catch (cause) {
    throw new TshelmError('bad-keyword', { message: messageOf(cause), cause });
  }
}

function versionFilter(text: string): (chart: IndexVersion) => boolean {
  try {
    const constraint = parseConstraint(text);
    return ({ semver }) => satisfies(constraint, semver);
  } catch (cause) {
    const message = `an invalid version/constraint format: ${messageOf(cause)}`;
    throw new TshelmError('bad-constraint', { message, cause });
  }
}
