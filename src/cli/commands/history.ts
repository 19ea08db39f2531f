import { Command } from 'commander';
import type { HistoryOptions } from '../../actions/history.ts';
import { type FlagRows, type FlagSpec, type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { Release } from '../../release/types.ts';
import { tableText } from '../../show/table.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { addFlags, outputFlag } from '../flags/flags.ts';
import { chartLabel } from '../output/release-text.ts';
import { ansicTime } from '../output/time.ts';
import type { GlobalFlags } from '../settings.ts';
import { formatted } from '../terminal/format.ts';
import { kindOf } from '../terminal/io.ts';

const optionFlags = {
  max: {
    type: 'int',
    option: 'max',
    default: 256,
    description: 'maximum number of revision to include in history',
  },
} satisfies FlagRows<HistoryOptions>;

const ownFlags = {
  ...outputFlag,
  'show-rollback-revision': { type: 'bool', description: 'show the rollback revision column in table output' },
} satisfies Record<string, FlagSpec>;

const historyFlags = { ...optionFlags, ...ownFlags };

export interface HistoryRequest {
  readonly options: HistoryOptions;
  readonly flags: GlobalFlags & FlagsOf<typeof ownFlags>;
}

export const historyCommand = (context: CliContext, run = runHistory): Command =>
  addFlags(new Command('history').alias('hist'), historyFlags)
    .description('fetch release history')
    .argument('[release...]')
    .usage('RELEASE_NAME [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 1 });
      const flags = command.optsWithGlobals<GlobalFlags & FlagsOf<typeof historyFlags>>();
      await run({ options: { ...optionsOf(optionFlags, flags), name: words[0] as string }, flags }, context);
    });

async function runHistory({ options, flags }: HistoryRequest, context: CliContext): Promise<void> {
  const { history } = await import('../../actions/history.ts');
  const revisions = await history(options, await context.open(flags));
  context.io.stdout.write(
    flags.output === 'table' ? historyTable(revisions, flags) : formatted(revisions.map(element), flags.output),
    kindOf(flags.output),
  );
}

function historyTable(revisions: readonly Release[], { showRollbackRevision }: HistoryRequest['flags']): string {
  const rollback = (text: string): string[] => (showRollbackRevision ? [text] : []);
  const header = ['REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION', ...rollback('ROLLBACK'), 'DESCRIPTION'];
  const rows = revisions.map((release) => [
    String(release.version),
    ansicTime(release.info.lastDeployed ?? '0001-01-01T00:00:00Z'),
    release.info.status,
    chartLabel(release),
    release.chart.metadata.appVersion ?? '',
    ...rollback(release.info.rollbackRevision ? String(release.info.rollbackRevision) : ''),
    release.info.description ?? '',
  ]);
  return tableText([header, ...rows]);
}

const element = (release: Release) => ({
  revision: release.version,
  updated: release.info.lastDeployed,
  status: release.info.status,
  chart: chartLabel(release),
  app_version: release.chart.metadata.appVersion ?? '',
  rollback_revision: release.info.rollbackRevision || undefined,
  description: release.info.description ?? '',
});
