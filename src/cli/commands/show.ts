import { Command } from 'commander';
import { accessFlags } from '../../actions/options/chart.ts';
import { type FlagSpec, type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { ShowSection } from '../../chart/show.ts';
import type { ChartAccess } from '../../source/chart-access.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { addFlags } from '../flags/flags.ts';
import { offlineFlag } from '../flags/source-flags.ts';
import type { GlobalFlags } from '../settings.ts';

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
  readonly flags: GlobalFlags & FlagsOf<typeof valuesFlags & typeof offlineFlag>;
}

export function showCommand(context: CliContext, run = runShow): Command {
  const command = new Command('show').description('show information of a chart').alias('inspect').usage('[command]');
  for (const section of Object.keys(descriptions) as ShowSection[]) {
    const subcommand = addFlags(new Command(section), {
      ...accessFlags,
      ...offlineFlag,
      ...(section === 'values' && valuesFlags),
    })
      .description(descriptions[section])
      .argument('[chart...]')
      .usage('[CHART] [flags]')
      .action(async (words: string[], _flags, self: Command) => {
        requireArguments(self, words, { exactly: 1 });
        const flags = self.optsWithGlobals<ShowRequest['flags'] & FlagsOf<typeof accessFlags>>();
        await run({ section, chart: words[0] as string, access: optionsOf(accessFlags, flags), flags }, context);
      });
    command.addCommand(subcommand);
  }
  // As in Helm, an unknown name is no mistake here.
  return command.argument('[words...]', '').action(() => context.io.stdout.write(command.helpInformation()));
}

async function runShow({ section, chart: reference, access, flags }: ShowRequest, context: CliContext): Promise<void> {
  const { jsonpath = '' } = flags;
  const { showText, showValuesAt } = await import('../../chart/show.ts');
  const { loadShownChart } = await import('../sources/load-request.ts');
  const chart = await loadShownChart({ reference, access, flags }, context);
  context.io.stdout.write(jsonpath === '' ? showText(chart, section) : showValuesAt(chart, jsonpath), 'data');
}
