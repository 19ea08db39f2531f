import { Command } from 'commander';
import { type ChartInputs, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import { type AdoptOptions, adoptFlags } from '../../actions/options/moves.ts';
import { optionsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';
import { writeMove } from '../output/write-move.ts';

const ownFlags = { ...outputFlag, ...dependencyUpdateFlag, ...offlineFlag };
const flagsOfCommand = { ...adoptFlags, ...chartInputFlags, ...ownFlags };

export interface AdoptRequest extends ChartInputs {
  readonly chart: string;
  readonly options: AdoptOptions;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runAdopt): Command =>
  flagCommand(
    'adopt',
    flagsOfCommand,
    { usage: 'RELEASE CHART KIND/NAME [...] [flags]', words: { atLeast: 3 } },
    ([name = '', chart = '', ...objects], flags) =>
      run(
        { chart, options: { ...optionsOf(adoptFlags, flags), name, objects }, ...chartInputs(flags), flags },
        context,
      ),
  ).description('make objects that are in the cluster part of a release, as its chart renders them');

async function runAdopt(
  { chart: reference, options, values: given, access, flags }: AdoptRequest,
  context: CliContext,
): Promise<void> {
  const { loadRequest, messageStreamFor } = await import('../sources/load-request.ts');
  context.useChart(reference);
  const named = { reference, values: given, access, flags, messageStream: messageStreamFor(flags.output) };
  const { chart, values } = await loadRequest(named, context);
  const { adopt } = await import('../../actions/adopt.ts');
  context.interruption();
  const result = await adopt(chart, values, options, await context.open(flags));
  writeMove(result, { output: flags.output, dryRun: options.dryRun }, context);
}
