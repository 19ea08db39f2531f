import { Command } from 'commander';
import { type ChartInputs, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import type { ChartBatches } from '../../plan/dag.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { drawnOutputFlag } from '../flags/flags.ts';
import { offlineFlag } from '../flags/source-flags.ts';
import { kindOf } from '../terminal/io.ts';

const ownFlags = { ...drawnOutputFlag, ...offlineFlag };
const dagFlags = { ...ownFlags, ...chartInputFlags };

export interface DagRequest extends ChartInputs {
  readonly chart: string;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runDag): Command =>
  flagCommand('dag', dagFlags, { usage: '[CHART] [flags]', words: { exactly: 1 } }, ([chart = ''], flags) =>
    run({ chart, ...chartInputs(flags), flags }, context),
  ).description('show the order in which a chart and its subcharts are deployed with --wait=ordered');

async function runDag(request: DagRequest, context: CliContext): Promise<void> {
  const { flags } = request;
  const { io } = context;
  const { checkDependencies } = await import('../../chart/checks.ts');
  const { loadRequest } = await import('../sources/load-request.ts');
  const { prepareChart } = await import('../../render/release.ts');
  const { chartBatches, chartUnit } = await import('../../plan/dag.ts');
  const { formatted } = await import('../terminal/format.ts');
  const { chart, values } = await loadRequest({ ...request, reference: request.chart }, context);
  checkDependencies(chart);
  const prepared = prepareChart(chart, values).chart;
  if (flags.output === 'html') {
    const { chartOrderPage } = await import('../../show/page/page.ts');
    io.stdout.write(chartOrderPage(chartUnit(chart, prepared)), 'page');
    return;
  }
  const batches = chartBatches(chart, prepared);
  io.stdout.write(
    flags.output === 'table' ? needLines(batches) + batchLines(batches, '') : formatted(batches, flags.output),
    kindOf(flags.output),
  );
  if (flags.output !== 'table' || declaresOrder(batches)) return;
  const { givenChart, nextPlainCommand } = await import('../errors/next-command.ts');
  const look = await nextPlainCommand(['plan', request.chart, ...(givenChart(context)?.flags ?? [])], context);
  io.stderr.write(`nothing declares an order of charts; to see the order of resource groups: ${look}\n`, 'folded');
}

/** Charts alone are drawn here; what a chart says of its own objects is seen once it is rendered. */
const declaresOrder = ({ batches, units, needs = [] }: ChartBatches): boolean =>
  batches.length > 1 || needs.length > 0 || Object.keys(units).length > 0;

const needLines = ({ needs = [] }: ChartBatches): string =>
  needs.map(({ text, why }) => `needs ${text} (${why})\n`).join('');

/** One numbered line for each batch, with what its charts wait for and the subcharts' own below it. */
const batchLines = ({ batches, units, because = {} }: ChartBatches, indent: string): string =>
  batches
    .map((names, index) => {
      const reasons = names.flatMap((name) =>
        because[name] === undefined ? [] : `${indent}   ${name} ← ${because[name].join(', ')}\n`,
      );
      const nested = names.filter((name) => units[name] !== undefined);
      const below = nested.map(
        (name) => `${indent}   ${name}:\n${batchLines(units[name] as ChartBatches, `${indent}     `)}`,
      );
      return `${indent}${index + 1}. ${names.join(', ')}\n${reasons.join('')}${below.join('')}`;
    })
    .join('');
