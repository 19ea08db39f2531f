import { looseVersion, parseConstraint, satisfies } from '../../go/semver.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { GoError } from '../../go/value.ts';
import { noSignatures } from '../archive-signatures.ts';
import { type ChartAccess, type ChartSources, getOptionsOf, versionOf } from '../chart-access.ts';
import type { ChartScheme, LocatedArchive } from '../chart-scheme.ts';
import { shownUrl } from '../http/shown-url.ts';
import { filesBy } from '../http/web-scheme.ts';
import { parseGitUrl, pinnedGitUrl } from './reference.ts';

type Read = NonNullable<ChartScheme['read']>;

const readByGit: Read = (url, options, { git }) => git.read(url, options);

/** A reference of the user names the folder of a chart; --version says what it must be. */
async function locate(url: string, access: ChartAccess, { http }: ChartSources): Promise<LocatedArchive> {
  const chart = await http.git.chart(url, getOptionsOf(access));
  const wanted = versionOf(access);
  if (chart.version !== '' && !isWanted(chart.version, wanted))
    throw new GoError(`${shownUrl(chart.url)} has version ${chart.version}, not ${quote(wanted)}`);
  return {
    key: '',
    name: chart.archiveName,
    url: shownUrl(chart.url),
    origin: chart.url,
    pinnedUrl: chart.url,
    fetch: () => chart.fetch(),
    fetchProvenance: () => Promise.reject(new GoError('a chart in a git repository has no provenance file')),
    fetchSignatures: () => Promise.resolve(noSignatures),
  };
}

function isWanted(version: string, wanted: string): boolean {
  if (wanted === '' || version === wanted) return true;
  const parsed = looseVersion(version);
  return parsed !== undefined && satisfies(parseConstraint(wanted), parsed);
}

/** A git repository, by the program git. */
export const gitScheme: ChartScheme = {
  read: readByGit,
  // The same commit gives the same archive, but for dependencies that it names by a range.
  keepsArchives: false,
  files: filesBy(readByGit),
  pinned: (repositoryUrl, archiveUrl) => pinnedGitUrl(repositoryUrl, parseGitUrl(archiveUrl).ref),
  versions: { locate },
};
