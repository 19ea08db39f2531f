import { Command } from 'commander';
import type { ChartBatches } from '../../plan/dag.ts';
import { requireArguments } from '../arguments.ts';
import { type ChartFlags, valueOptions } from '../chart-flags.ts';
import type { CliContext } from '../context.ts';
import type { FlagSpec, OutputFormat } from '../flag-option.ts';
import { addFlags, outputFlag, valueFlags } from '../flags.ts';

export interface DagFlags extends ChartFlags {
  readonly output: OutputFormat;
}

const dagFlags = { ...outputFlag, ...valueFlags } satisfies Record<string, FlagSpec>;

export const dagCommand = (context: CliContext, run = runDag): Command =>
  addFlags(new Command('dag'), dagFlags)
    .description('show in which order a chart and its subcharts are deployed with --wait=ordered')
    .argument('[words...]')
    .usage('[CHART] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 1 });
      await run(words[0] as string, command.optsWithGlobals<DagFlags>(), context);
    });

async function runDag(reference: string, flags: DagFlags, context: CliContext): Promise<void> {
  const { io } = context;
  const { checkDependencies } = await import('../../chart/checks.ts');
  const { loadRequest } = await import('../load-request.ts');
  const { prepareChart } = await import('../../render/release.ts');
  const { chartBatches } = await import('../../plan/dag.ts');
  const { formatted } = await import('../output/format.ts');
  const { chart, values } = await loadRequest(reference, valueOptions(flags), context);
  checkDependencies(chart);
  const batches = chartBatches(chart, prepareChart(chart, values).chart);
  io.stdout.write(flags.output === 'table' ? batchLines(batches, '') : formatted(batches, flags.output));
}

/** One numbered line for each batch, with the subcharts' own below it. */
const batchLines = ({ batches, units }: ChartBatches, indent: string): string =>
  batches
    .map((names, index) => {
      const nested = names.filter((name) => units[name] !== undefined);
      const below = nested.map(
        (name) => `${indent}   ${name}:\n${batchLines(units[name] as ChartBatches, `${indent}     `)}`,
      );
      return `${indent}${index + 1}. ${names.join(', ')}\n${below.join('')}`;
    })
    .join('');
