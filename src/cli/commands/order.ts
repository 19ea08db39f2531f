import type { Command } from 'commander';
import { type ChartInputs, capabilityFlags, chartInputFlags, chartInputs } from '../../actions/options/chart.ts';
import type { GivenCapabilities } from '../../actions/rendering/given-capabilities.ts';
import { type FlagSpec, optionsOf } from '../../change/option-rows.ts';
import type { MeasuredRun } from '../../plan/suggested/measured-run.ts';
import type { CliContext } from '../context.ts';
import { commandGroup, flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';
import { wrapped } from '../terminal/fit.ts';
import type { Output } from '../terminal/io.ts';

const ownFlags = {
  ...dependencyUpdateFlag,
  ...offlineFlag,
  'from-run': {
    type: 'string',
    placeholder: 'release',
    description: 'also read the pods of this release, to find workloads that restarted until another one was ready',
  },
} satisfies Record<string, FlagSpec>;
const suggestFlags = { ...capabilityFlags, ...chartInputFlags, ...ownFlags };

export interface SuggestRequest extends ChartInputs {
  readonly words: readonly string[];
  readonly capabilities: GivenCapabilities;
  readonly flags: GivenFlags<typeof ownFlags>;
}

export const command = (context: CliContext, run = runSuggest): Command =>
  commandGroup(
    'order',
    'work on the order of a chart that declares none',
    [
      flagCommand('suggest', suggestFlags, { usage: '[NAME] [CHART] [flags]', words: { atLeast: 1 } }, (words, flags) =>
        run(
          {
            words,
            capabilities: optionsOf(capabilityFlags, flags),
            ...chartInputs(flags),
            flags,
          },
          context,
        ),
      ).description('suggest an order file, from the hosts, databases and migrations that a chart names'),
    ],
    context,
  );

/** Prints the order file; how to look at it goes beside it. */
async function runSuggest(request: SuggestRequest, context: CliContext): Promise<void> {
  const { suggestOrder } = await import('../../actions/suggest-order.ts');
  const { loadRequest } = await import('../sources/load-request.ts');
  const { io } = context;
  const { nameAndChart } = await import('../../actions/name-and-chart.ts');
  const { fromRun } = request.flags;
  const { name, chart: reference } = nameAndChart(request.words, { defaultName: fromRun ?? 'release-name' });
  const { chart, values } = await loadRequest({ ...request, reference }, context);
  const run = await runOf(request.flags, context);
  const namespace = await context.namespace(request.flags);
  const options = { ...request.capabilities, name, namespace, run, now: io.now };
  const { text, warnings } = await suggestOrder(chart, values, options);
  for (const warning of warnings) io.stderr.write(`${warning}\n`);
  io.stdout.write(foldedComments(text, io.stdout), 'data');
  const { givenChart, nextPlainCommand } = await import('../errors/next-command.ts');
  const given = [...request.words, ...(givenChart(context)?.flags ?? [])];
  const look = await nextPlainCommand(['plan', ...given, '--order', 'order.yaml'], context);
  const hint = 'save it as order.yaml and look at it:';
  const isWide = io.stderr.isTerminal && hint.length + look.length + 1 > (io.stderr.columns ?? 80);
  io.stderr.write(`${hint}${isWide ? '\n  ' : ' '}${look}\n`);
}

/** The file as it is for pipes; on a terminal its comments are broken between words, so that it can be pasted still. */
function foldedComments(text: string, { isTerminal, columns }: Output): string {
  if (!isTerminal || !columns) return text;
  return text
    .split('\n')
    .map((line) => {
      const [, start, comment = ''] = /^( *# )(.*)$/.exec(line) ?? [];
      if (start === undefined) return line;
      return wrapped(comment, Math.max(leastComment, columns - 1 - start.length))
        .map((part) => start + part)
        .join('\n');
    })
    .join('\n');
}

const leastComment = 20;

async function runOf(flags: SuggestRequest['flags'], context: CliContext): Promise<MeasuredRun | undefined> {
  const { fromRun: name } = flags;
  if (name === undefined) return undefined;
  const { measuredRun } = await import('../../actions/measured-run.ts');
  const live = await context.open(flags);
  return measuredRun(name, live);
}
