import type { Command } from 'commander';
import { accessFlags } from '../../actions/options/chart.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import type { ShowSection } from '../../chart/show.ts';
import type { ChartAccess } from '../../source/chart-access.ts';
import type { CliContext } from '../context.ts';
import { commandGroup, flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { offlineFlag } from '../flags/source-flags.ts';

const descriptions: Readonly<Record<ShowSection, string>> = {
  all: 'show all information of the chart',
  chart: "show the chart's definition",
  crds: "show the chart's CRDs",
  readme: "show the chart's README",
  values: "show the chart's values",
};

const valuesFlags = {
  jsonpath: { type: 'string', description: 'supply a JSONPath expression to filter the output' },
} satisfies Record<string, FlagSpec>;

export interface ShowRequest {
  readonly section: ShowSection;
  readonly chart: string;
  readonly access: ChartAccess;
  readonly flags: GivenFlags<typeof valuesFlags & typeof offlineFlag>;
}

export function command(context: CliContext, run = runShow): Command {
  const subcommands = (Object.keys(descriptions) as ShowSection[]).map((section) => {
    const flagsOfSection = { ...accessFlags, ...offlineFlag, ...(section === 'values' && valuesFlags) };
    const form = { usage: '[CHART] [flags]', words: { exactly: 1 } };
    return flagCommand(section, flagsOfSection, form, ([chart = ''], flags) =>
      run({ section, chart, access: optionsOf(accessFlags, flags), flags }, context),
    ).description(descriptions[section]);
  });
  return commandGroup('show', 'show information of a chart', subcommands, context).alias('inspect');
}

async function runShow({ section, chart: reference, access, flags }: ShowRequest, context: CliContext): Promise<void> {
  const { jsonpath = '' } = flags;
  const { showText, showValuesAt } = await import('../../chart/show.ts');
  const { loadShownChart } = await import('../sources/load-request.ts');
  const chart = await loadShownChart({ reference, access, flags }, context);
  context.io.stdout.write(jsonpath === '' ? showText(chart, section) : showValuesAt(chart, jsonpath), 'data');
}
