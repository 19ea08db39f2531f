import { Command } from 'commander';
import { type ChartInputs, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import { type AdoptOptions, adoptFlags } from '../../actions/options/moves.ts';
import { optionsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { outputFlag } from '../flags/flags.ts';
import { saveMoveFlags } from '../flags/saved-plan-flags.ts';
import { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';

const ownFlags = { ...outputFlag, ...saveMoveFlags, ...dependencyUpdateFlag, ...offlineFlag };
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
  const { dependencyUpdate } = flags;
  const own = { ...access, ...(dependencyUpdate && { dependencyUpdate }) };
  const { moveOrSave } = await import('../saved-plan/moves.ts');
  const request = { kind: 'adopt', options, chart: { chart, values } } as const;
  await moveOrSave(request, { flags, chart: { reference, access: own, chart, given, values } }, context);
}
