import type { ServerAccess } from '../../actions/options/chart.ts';
import { tableText } from '../../show/table.ts';
import type { TrustOptions } from '../../source/chart-access.ts';
import type { DependencyEvent, DependencyTools, Verifying } from '../../source/dependency/tools.ts';
import { shownUrl } from '../../source/http/shown-url.ts';
import { sourceDateEpoch } from '../../source/package/stamp.ts';
import { defaultKeyring } from '../../source/provenance/keyring.ts';
import { messageOf } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { DependencyRequests } from '../flags/dependency-flags.ts';
import type { GlobalFlags } from '../settings.ts';
import { fittedTable } from '../terminal/fitted-table.ts';
import { noticesPrinter } from './notices.ts';
import { refreshedText } from './repositories.ts';
import { sourcesOf } from './sources.ts';

/** What `dependency build|list|update` do and print. */

export async function runBuild({ chart, flags }: DependencyRequests['build'], context: CliContext): Promise<void> {
  const { buildDependencies } = await import('../../source/dependency/manager.ts');
  const verifying = flags.verify ? 'if-signed' : 'never';
  await withDependencyTools({ ...flags, verifying }, context, (tools) => buildDependencies(chart, tools));
}

export async function runUpdate({ chart, flags }: DependencyRequests['update'], context: CliContext): Promise<void> {
  const { updateDependencies } = await import('../../source/dependency/manager.ts');
  const verifying = flags.verify ? 'always' : 'never';
  const { recursive } = flags;
  await withDependencyTools({ ...flags, verifying }, context, (tools) =>
    updateDependencies(chart, tools, { recursive }),
  );
}

export async function runList({ chart, flags }: DependencyRequests['list'], context: CliContext): Promise<void> {
  const { listDependencies } = await import('../../source/dependency/status.ts');
  const { io } = context;
  const { rows, warnings } = await listDependencies(chart, noticesPrinter(context));
  if (rows === undefined) {
    const { join } = await import('node:path');
    io.stdout.write(`WARNING: no dependencies at ${join(chart, 'charts')}\n`);
    return;
  }
  const table = rows.map(({ dependency: { name, version = '', repository = '' }, status }) => [
    name,
    version,
    shownUrl(repository),
    status,
  ]);
  const layout = (all: readonly (readonly string[])[]): string => tableText(all, flags.maxColWidth);
  io.stdout.write(fittedTable([['NAME', 'VERSION', 'REPOSITORY', 'STATUS'], ...table], io, { layout }));
  io.stdout.write(`\n${warnings.map((warning) => `${warning}\n`).join('')}`);
}

export interface DependencyToolFlags extends GlobalFlags, ServerAccess, TrustOptions {
  readonly skipRefresh?: boolean | undefined;
  readonly verifying: Verifying;
  /** Where it is told how it goes; default standard output. */
  readonly messageStream?: 'stdout' | 'stderr' | 'nowhere' | undefined;
}

/** Runs work with what dependencies are fetched with, and ends the connections. */
export async function withDependencyTools<T>(
  flags: DependencyToolFlags,
  context: CliContext,
  work: (tools: DependencyTools) => Promise<T>,
): Promise<T> {
  const { io, secrets } = context;
  const { messageStream = 'stdout' } = flags;
  const isDebug = context.settings(flags).debug;
  const write = (text: string): void => {
    if (text !== '' && messageStream !== 'nowhere') io[messageStream].write(secrets.redact(text));
  };
  const call = {
    ...flags,
    keyring: flags.keyring ?? defaultKeyring(io.env),
    epoch: sourceDateEpoch(io.env),
    onEvent: (event: DependencyEvent) => write(eventText(event, isDebug)),
    // Helm's registry client says what it pulls, also where its package command keeps quiet.
    tell: (text: string) => io[messageStream === 'nowhere' ? 'stdout' : messageStream].write(secrets.redact(text)),
  };
  return sourcesOf(flags, context).withDependencyTools(call, work);
}

function eventText(event: DependencyEvent, isDebug: boolean): string {
  switch (event.kind) {
    case 'refreshing':
      return event.isUnmanaged
        ? 'Getting updates for unmanaged Helm repositories...\n'
        : 'Hang tight while we grab the latest from your chart repositories...\n';
    case 'refreshed':
      return refreshedText(event.refreshed);
    case 'all-refreshed':
      return 'Update Complete. ⎈Happy Helming!⎈\n';
    case 'saving':
      return `Saving ${event.count} charts\n`;
    case 'in-charts':
      return `Dependency ${event.name} did not declare a repository. Assuming it exists in the charts directory\n`;
    case 'archiving':
      return isDebug ? `Archiving ${event.name} from repo ${event.repository}\n` : '';
    case 'downloading':
      return `Downloading ${event.name} from repo ${shownUrl(event.repository)}\n`;
    case 'downloaded-already':
      return `Already downloaded ${event.name} from repo ${shownUrl(event.repository)}\n`;
    case 'unverified':
      return `WARNING: Verification not found for ${event.reference}: ${messageOf(event.error)}\n`;
    case 'failed':
      return `Save error occurred:  ${messageOf(event.error)}\n`;
    case 'cleaning':
      return 'Deleting outdated charts\n';
    case 'kept':
      return `Could not verify ${event.path} for deletion: ${messageOf(event.error)} (Skipping)\n`;
    case 'subchart':
      return `Updating the dependencies of ${event.path}\n`;
  }
}
