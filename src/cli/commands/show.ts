import { Command } from 'commander';
import type { ShowSection } from '../../chart/show.ts';
import { requireArguments } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import type { FlagSpec } from '../flag-option.ts';
import { addFlags } from '../flags.ts';
import type { GlobalFlags } from '../settings.ts';

export interface ShowFlags extends GlobalFlags {
  readonly jsonpath?: string;
}

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

export function showCommand(context: CliContext, run = runShow): Command {
  const command = new Command('show').description('show information of a chart').alias('inspect').usage('[command]');
  for (const section of Object.keys(descriptions) as ShowSection[]) {
    const subcommand = addFlags(new Command(section), section === 'values' ? valuesFlags : {})
      .description(descriptions[section])
      .argument('[chart...]')
      .usage('[CHART] [flags]')
      .action(async (words: string[], _flags, self: Command) => {
        requireArguments(self, words, { exactly: 1 });
        await run(section, words[0] as string, self.optsWithGlobals<ShowFlags>(), context);
      });
    command.addCommand(subcommand);
  }
  // As in Helm, an unknown name is no mistake here.
  return command.argument('[words...]', '').action(() => context.io.stdout.write(command.helpInformation()));
}

async function runShow(
  section: ShowSection,
  reference: string,
  { jsonpath = '' }: ShowFlags,
  context: CliContext,
): Promise<void> {
  const { showText, showValuesAt } = await import('../../chart/show.ts');
  const { loadShownChart } = await import('../load-request.ts');
  const chart = await loadShownChart(reference, context);
  context.io.stdout.write(jsonpath === '' ? showText(chart, section) : showValuesAt(chart, jsonpath));
}
