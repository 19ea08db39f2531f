import { Command } from 'commander';
import { type StatusOptions, statusFlags } from '../../actions/options/readings.ts';
import { optionsOf } from '../../change/option-rows.ts';
import type { ObjectTable } from '../../cluster/types.ts';
import { textWidth } from '../../show/table.ts';
import { compareText } from '../../support/order.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type Request } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { helm3Flags } from '../flags/helm3-flags.ts';
import { helmColors } from '../output/helm-colors.ts';
import { releaseOutput } from '../output/release-output.ts';
import { releaseText } from '../output/release-text.ts';
import { tellWayIntoSandbox } from '../output/sandbox-note.ts';
import { fittedTable } from '../terminal/fitted-table.ts';
import type { Io } from '../terminal/io.ts';

const flagsOfCommand = { ...statusFlags, ...outputFlag, ...helm3Flags.status };

export const command = (context: CliContext, run = runStatus): Command =>
  flagCommand(
    'status',
    flagsOfCommand,
    { usage: 'RELEASE_NAME [flags]', words: { exactly: 1 } },
    ([name = ''], flags) => run({ options: { ...optionsOf(statusFlags, flags), name }, flags }, context),
  ).description('display the status of the named release');

async function runStatus(
  { options, flags }: Request<StatusOptions, typeof outputFlag>,
  context: CliContext,
): Promise<void> {
  const { relatedPodsGroup, resourceTables, status } = await import('../../actions/status.ts');
  const session = await context.open(flags);
  const { release, resources, podLists } = await status(options, session);
  const colors = helmColors(session.settings, context.io);
  const { io } = context;
  if (!options.showResources && flags.output === 'table') {
    context.io.stdout.write(releaseText(release, { colors, io }), colors.kind);
    return tellWayIntoSandbox(release, flags, context);
  }
  if (flags.output !== 'table') {
    const lists = podLists.map((items) => ({ apiVersion: 'v1', items, kind: 'PodList', metadata: {} }));
    const shown =
      lists.length === 0 ? resources : new Map<string, readonly unknown[]>([...resources, [relatedPodsGroup, lists]]);
    context.io.stdout.write(releaseOutput(release, flags.output, { withoutChart: true, resources: shown }), 'data');
    return;
  }
  const tables = await resourceTables(resources, session);
  const resourcesText = resourceTableText(tables, context.io);
  context.io.stdout.write(releaseText(release, { resources: resourcesText, colors, io }), colors.kind);
  await tellWayIntoSandbox(release, flags, context);
}

/** The live objects of a release, a table for each kind, with the columns that `kubectl get` shows. */
const resourceTableText = (tables: ReadonlyMap<string, ObjectTable>, io: Io): string =>
  [...tables]
    .sort(([a], [b]) => compareText(a, b))
    .filter(([, table]) => table.rows.length > 0)
    .map(
      ([group, { columns, rows }]) => `==> ${group}\n${fittedTable([columns, ...rows], io, { layout: alignedText })}\n`,
    )
    .join('');

/** Columns three spaces apart, as kubectl prints them. */
function alignedText(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, textWidth(cell))));
  const lines = rows.map((row) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - textWidth(cell))),
  );
  return lines.map((cells) => `${cells.join('   ').trimEnd()}\n`).join('');
}
