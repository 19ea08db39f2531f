import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { buildFlags, type DependencyRequests, listFlags, updateFlags } from '../flags/dependency-flags.ts';
import { commandGroup, flagCommand } from '../flags/flag-command.ts';

export type DependencyRuns = {
  readonly [Name in keyof DependencyRequests]: (
    request: DependencyRequests[Name],
    context: CliContext,
  ) => Promise<void>;
};

const dependencyRuns: DependencyRuns = {
  build: async (request, context) => (await import('../sources/dependencies.ts')).runBuild(request, context),
  list: async (request, context) => (await import('../sources/dependencies.ts')).runList(request, context),
  update: async (request, context) => (await import('../sources/dependencies.ts')).runUpdate(request, context),
};

export function command(context: CliContext, runs = dependencyRuns): Command {
  const form = { usage: 'CHART [flags]', words: { atMost: 1 } };
  const subcommands = [
    flagCommand('build', buildFlags, form, async (words, flags) =>
      runs.build({ chart: await chartOf(words), flags }, context),
    ).description('rebuild the charts/ directory based on the Chart.lock file'),
    flagCommand('list', listFlags, form, async (words, flags) =>
      runs.list({ chart: await chartOf(words), flags }, context),
    )
      .alias('ls')
      .description('list the dependencies for the given chart'),
    flagCommand('update', updateFlags, form, async (words, flags) =>
      runs.update({ chart: await chartOf(words), flags }, context),
    )
      .alias('up')
      .description('update charts/ based on the contents of Chart.yaml'),
  ];
  return commandGroup('dependency', "manage a chart's dependencies", subcommands, context).aliases([
    'dep',
    'dependencies',
  ]);
}

/** The working directory where none is named. */
async function chartOf([chart = '.']: readonly string[]): Promise<string> {
  const { cleanPath } = await import('../../go/path.ts');
  return cleanPath(chart);
}
