import { tableText } from '../../show/table.ts';
import { helmPaths } from '../../source/paths.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { SearchRequests } from '../flags/search-flags.ts';
import { fittedTable } from '../terminal/fitted-table.ts';
import { formatted } from '../terminal/format.ts';
import { noticesPrinter } from './notices.ts';
import { sourcesOf } from './sources.ts';

/** What `search repo` and `search hub` do and print. */

export async function runSearchRepo({ keywords, flags }: SearchRequests['repo'], context: CliContext): Promise<void> {
  const { searchRepositories } = await import('../../source/repository/search.ts');
  const { readRepositories } = await import('../../source/repository/repositories.ts');
  const { repositoryConfig, repositoryCache } = helmPaths(context.io.env, flags);
  const repositories = readRepositories(repositoryConfig)?.repositories ?? [];
  if (repositories.length === 0) throw new TshelmError('no-repositories', { message: 'no repositories configured' });
  const found = searchRepositories(repositories, repositoryCache, {
    keyword: keywords.length === 0 ? undefined : keywords.join(' '),
    isRegexp: flags.regexp,
    allVersions: flags.versions,
    constraint: flags.version,
    isDevel: flags.devel,
    onNotice: noticesPrinter(context),
  });
  const rows = found.map(({ name, chart: { version, appVersion, description } }) => ({
    name,
    version,
    app_version: appVersion,
    description,
  }));
  const header = ['NAME', 'CHART VERSION', 'APP VERSION', 'DESCRIPTION'];
  const table = () => [header, ...rows.map((row) => [row.name, row.version, row.app_version, row.description])];
  print(rows, table, flags, context);
}

export async function runSearchHub({ keywords, flags }: SearchRequests['hub'], context: CliContext): Promise<void> {
  const { searchHub } = await import('../../source/hub.ts');
  const http = sourcesOf(flags, context).http();
  const found = await searchHub(flags.endpoint, keywords.join(' '), http).finally(() => http.close());
  const rows = found.map(({ url, version, appVersion, description, repository }) => ({
    url,
    version,
    app_version: appVersion,
    description,
    repository: { url: repository.url, name: repository.name },
  }));
  const shown = <T>(column: T): T[] => (flags.listRepoUrl ? [column] : []);
  const header = ['URL', 'CHART VERSION', 'APP VERSION', 'DESCRIPTION', ...shown('REPO URL')];
  const table = () => [
    header,
    ...rows.map((row) => [row.url, row.version, row.app_version, row.description, ...shown(row.repository.url)]),
  ];
  print(rows, table, flags, context);
}

/** The versions of a chart in a registry, the newest first, then its tags that are none. Helm has nothing like it. */
export async function runSearchRegistry(
  { reference, flags }: SearchRequests['registry'],
  context: CliContext,
): Promise<void> {
  const { listTags } = await import('../../source/oci/locate.ts');
  const { parseConstraint, parseVersion, satisfies } = await import('../../go/semver.ts');
  const sources = await sourcesOf(flags, context).open(flags);
  const constraint = flags.version === undefined ? undefined : parseConstraint(flags.version);
  const { tags, others } = sources.isOffline
    ? await cachedTags(reference, sources.paths.contentCache)
    : await listTags(reference, sources.registry);
  const versions = tags.filter((tag) => constraint === undefined || satisfies(constraint, parseVersion(tag)));
  const rows = [
    ...versions.map((version) => ({ name: reference, version, tag: version.replaceAll('+', '_') })),
    ...(constraint === undefined ? others : []).map((tag) => ({ name: reference, version: '', tag })),
  ];
  const table = () => [['NAME', 'CHART VERSION', 'TAG'], ...rows.map(({ name, version, tag }) => [name, version, tag])];
  print(rows, table, flags, context);
}

async function cachedTags(reference: string, contentCache: string) {
  const { cachedVersions } = await import('../../source/locate-offline.ts');
  const { offlineError } = await import('../../source/http/client.ts');
  const tags = cachedVersions(reference, contentCache);
  if (tags.length === 0) throw offlineError(reference);
  return { tags, others: [] };
}

interface ShownFlags {
  readonly failOnNoResult?: boolean;
  readonly maxColWidth: number;
  readonly output: 'table' | 'json' | 'yaml';
}

function print(
  rows: readonly object[],
  table: () => readonly (readonly string[])[],
  { failOnNoResult, maxColWidth, output }: ShownFlags,
  { io }: CliContext,
): void {
  if (rows.length === 0 && failOnNoResult) throw new TshelmError('no-results', { message: 'no results found' });
  if (output !== 'table') io.stdout.write(formatted(rows, output), 'data');
  else if (rows.length === 0) io.stdout.write('No results found\n');
  else io.stdout.write(fittedTable(table(), io, { layout: (all) => tableText(all, maxColWidth) }));
}
