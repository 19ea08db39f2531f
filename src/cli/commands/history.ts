import { Command } from 'commander';
import { type HistoryOptions, historyFlags } from '../../actions/options/readings.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import type { Release } from '../../release/types.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags, type Request } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { chartLabel } from '../output/release-text.ts';
import { ansicTime, timeCell } from '../output/time.ts';
import { type Cell, fittedTable } from '../terminal/fitted-table.ts';
import { formatted } from '../terminal/format.ts';
import { type Io, kindOf } from '../terminal/io.ts';

const ownFlags = {
  ...outputFlag,
  'show-rollback-revision': { type: 'bool', description: 'show the rollback revision column in table output' },
} satisfies Record<string, FlagSpec>;

const flagsOfCommand = { ...historyFlags, ...ownFlags };

export const command = (context: CliContext, run = runHistory): Command =>
  flagCommand(
    'history',
    flagsOfCommand,
    { usage: 'RELEASE_NAME [flags]', words: { exactly: 1 } },
    ([name = ''], flags) => run({ options: { ...optionsOf(historyFlags, flags), name }, flags }, context),
  )
    .alias('hist')
    .description('fetch release history');

async function runHistory(
  { options, flags }: Request<HistoryOptions, typeof ownFlags>,
  context: CliContext,
): Promise<void> {
  const { history } = await import('../../actions/history.ts');
  const revisions = await history(options, await context.open(flags));
  context.io.stdout.write(
    flags.output === 'table'
      ? historyTable(revisions, flags, context.io)
      : formatted(revisions.map(element), flags.output),
    kindOf(flags.output),
  );
}

function historyTable(
  revisions: readonly Release[],
  { showRollbackRevision }: GivenFlags<typeof ownFlags>,
  io: Io,
): string {
  const rollback = (text: string): string[] => (showRollbackRevision ? [text] : []);
  const header = ['REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION', ...rollback('ROLLBACK'), 'DESCRIPTION'];
  const rows = revisions.map((release) => [
    String(release.version),
    updatedCell(release.info.lastDeployed ?? '0001-01-01T00:00:00Z'),
    release.info.status,
    chartLabel(release),
    release.chart.metadata.appVersion ?? '',
    ...rollback(release.info.rollbackRevision ? String(release.info.rollbackRevision) : ''),
    release.info.description ?? '',
  ]);
  return fittedTable([header, ...rows], io);
}

const updatedCell = (time: string): Cell => timeCell(time, ansicTime(time));

const element = (release: Release) => ({
  revision: release.version,
  updated: release.info.lastDeployed,
  status: release.info.status,
  chart: chartLabel(release),
  app_version: release.chart.metadata.appVersion ?? '',
  rollback_revision: release.info.rollbackRevision || undefined,
  description: release.info.description ?? '',
});
