import { shownUrl } from '../../source/http/shown-url.ts';
import { MissingOffline } from '../../source/missing-offline.ts';
import { type HelmPaths, helmPaths } from '../../source/paths.ts';
import type { RepositoryEntry } from '../../source/repository/repositories.ts';
import type { Refreshed } from '../../source/repository/update.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { type RepoRequests, timeoutFlag } from '../flags/repo-flags.ts';
import type { GlobalFlags } from '../settings.ts';
import { fittedTable } from '../terminal/fitted-table.ts';
import { formatted } from '../terminal/format.ts';
import { noticesPrinter } from './notices.ts';
import { sourcesOf } from './sources.ts';

/** What `repo add|index|list|remove|update` do and print. */

const pathsOf = (flags: GlobalFlags, { io }: CliContext): HelmPaths => helmPaths(io.env, flags);

/** Repositories that are gone for good, and where their charts are now. */
const deletedRepositories: readonly (readonly [string, string])[] = [
  ['//kubernetes-charts.storage.googleapis.com', 'https://charts.helm.sh/stable'],
  ['//kubernetes-charts-incubator.storage.googleapis.com', 'https://charts.helm.sh/incubator'],
];

export async function runAdd({ name, url, flags }: RepoRequests['add'], context: CliContext): Promise<void> {
  const [, successor] = deletedRepositories.find(([deleted]) => url.includes(deleted)) ?? [];
  if (successor !== undefined && !flags.allowDeprecatedRepos) {
    const message = `repo ${JSON.stringify(url)} is no longer available; try ${JSON.stringify(successor)} instead`;
    throw new TshelmError('repository-deleted', { message });
  }
  const password = await passwordOf(flags, context);
  const entry = {
    name,
    url,
    username: flags.username ?? '',
    password,
    certFile: flags.certFile ?? '',
    keyFile: flags.keyFile ?? '',
    caFile: flags.caFile ?? '',
    insecureSkipTlsVerify: flags.insecureSkipTlsVerify ?? false,
    passCredentialsAll: flags.passCredentials ?? false,
  };
  await addEntry(entry, flags, context);
}

/** Adds a repository to Helm's list, and says so. */
export async function addEntry(
  entry: RepositoryEntry,
  flags: GlobalFlags & { readonly forceUpdate?: boolean; readonly timeout?: number },
  context: CliContext,
): Promise<void> {
  const { addRepository } = await import('../../source/repository/add.ts');
  const { repositoryConfig, repositoryCache } = pathsOf(flags, context);
  if (entry.password !== '') context.secrets.add(entry.password);
  const http = sourcesOf(flags, context).http();
  const result = await addRepository(entry, {
    repositoryConfig,
    repositoryCache,
    http,
    forceUpdate: flags.forceUpdate,
    timeoutMs: flags.timeout ?? timeoutFlag.timeout.default,
    onNotice: noticesPrinter(context),
  }).finally(() => http.close());
  const shown = JSON.stringify(entry.name);
  context.io.stdout.write(
    result === 'known'
      ? `${shown} already exists with the same configuration, skipping\n`
      : `${shown} has been added to your repositories\n`,
  );
}

async function passwordOf(flags: RepoRequests['add']['flags'], context: CliContext): Promise<string> {
  if (flags.password || !flags.username) return flags.password ?? '';
  if (flags.passwordStdin) {
    const bytes = await context.io.readStdin();
    return Buffer.from(bytes)
      .toString('utf8')
      .replace(/\r?\n$/, '');
  }
  const { askHidden } = await import('../terminal/hidden-answer.ts');
  return askHidden('Password: ', context.io);
}

export async function runIndex({ folder, flags }: RepoRequests['index'], context: CliContext): Promise<void> {
  const { indexDirectory } = await import('../../source/repository/index-directory.ts');
  await indexDirectory(folder, {
    url: flags.url ?? '',
    merge: flags.merge,
    asJson: flags.json ?? false,
    now: context.io.now(),
    onNotice: noticesPrinter(context),
  });
}

export async function runList({ flags }: RepoRequests['list'], context: CliContext): Promise<void> {
  const { knownRepositories } = await import('../../source/repository/repositories.ts');
  const { io } = context;
  const repositories = listed(() => knownRepositories(pathsOf(flags, context).repositoryConfig));
  if (flags.output !== 'table') {
    io.stdout.write(
      formatted(
        repositories.map(({ name, url }) => ({ name, url })),
        flags.output,
      ),
      'data',
    );
  } else if (repositories.length === 0) {
    io.stderr.write('no repositories to show\n');
  } else {
    const rows = repositories.map(({ name, url }) => [name, url]);
    const hasHeader = !flags.noHeaders;
    io.stdout.write(fittedTable(hasHeader ? [['NAME', 'URL'], ...rows] : rows, io, { hasHeader }));
  }
}

/** As in Helm, a file that cannot be read has no repositories in it. */
function listed<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof TshelmError) return [];
    throw error;
  }
}

export async function runRemove({ names, flags }: RepoRequests['remove'], context: CliContext): Promise<void> {
  const { removeRepositories } = await import('../../source/repository/remove.ts');
  await removeRepositories(names, pathsOf(flags, context), (name) =>
    context.io.stdout.write(`${JSON.stringify(name)} has been removed from your repositories\n`),
  );
}

export async function runUpdate({ names, flags }: RepoRequests['update'], context: CliContext): Promise<void> {
  const { chosenRepositories, refreshAll } = await import('../../source/repository/update.ts');
  const { readRepositories } = await import('../../source/repository/repositories.ts');
  const { io } = context;
  const { repositoryConfig, repositoryCache } = pathsOf(flags, context);
  const chosen = chosenRepositories(readRepositories(repositoryConfig)?.repositories ?? [], names);
  for (const { password } of chosen) if (password !== '') context.secrets.add(password);
  const http = sourcesOf(flags, context).http();
  const missing = new MissingOffline();
  if (!http.isOffline) io.stdout.write('Hang tight while we grab the latest from your chart repositories...\n');
  const failed = await refreshAll(chosen, {
    http,
    repositoryCache,
    timeoutMs: flags.timeout,
    onNotice: noticesPrinter(context),
    onRefreshed: (refreshed) =>
      io.stdout.write(
        context.secrets.redact(http.isOffline ? cachedText(refreshed, missing) : refreshedText(refreshed)),
      ),
  }).finally(() => http.close());
  missing.throwIfAny();
  if (failed.length > 0) {
    const urls = failed.map(({ url }) => shownUrl(url)).join(' ');
    throw new TshelmError('update-failed', { message: `failed to update the following repositories: [${urls}]` });
  }
  if (http.isOffline) return;
  io.stdout.write('Update Complete. ⎈Happy Helming!⎈\n');
}

/** What is said of a repository that is not asked. */
function cachedText(refreshed: Refreshed, missing: MissingOffline): string {
  if (refreshed.kind === 'failed') return missing.add(refreshed.error) ? '' : refreshedText(refreshed);
  return `...Using the cached index of the ${JSON.stringify(refreshed.repository.name)} chart repository\n`;
}

/** What is said when a repository has been asked; a repository of `dependency update` alone is named by its URL. */
export function refreshedText(refreshed: Refreshed): string {
  const { name, url } = refreshed.repository;
  const isUnmanaged = name.startsWith('helm-manager-');
  const shown = JSON.stringify(isUnmanaged ? shownUrl(url) : name);
  if (refreshed.kind === 'refreshed') return `...Successfully got an update from the ${shown} chart repository\n`;
  const place = isUnmanaged ? '' : ` (${shownUrl(url)})`;
  return `...Unable to get an update from the ${shown} chart repository${place}:\n\t${messageOf(refreshed.error)}\n`;
}
