import { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { buildFlags, type DependencyRequests, listFlags, updateFlags } from '../flags/dependency-flags.ts';
import { addFlags } from '../flags/flags.ts';

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

export function dependencyCommand(context: CliContext, runs = dependencyRuns): Command {
  const command = new Command('dependency')
    .aliases(['dep', 'dependencies'])
    .description("manage a chart's dependencies")
    .usage('[command]');
  const subcommand = (name: string, description: string, flags: Record<string, FlagSpec>): Command =>
    addFlags(new Command(name), flags).description(description).argument('[chart...]').usage('CHART [flags]');
  command.addCommand(
    subcommand('build', 'rebuild the charts/ directory based on the Chart.lock file', buildFlags).action(
      async (words: string[], _flags, self: Command) => {
        const flags = self.optsWithGlobals<DependencyRequests['build']['flags']>();
        await runs.build({ chart: await chartOf(self, words), flags }, context);
      },
    ),
  );
  command.addCommand(
    subcommand('list', 'list the dependencies for the given chart', listFlags)
      .alias('ls')
      .action(async (words: string[], _flags, self: Command) => {
        const flags = self.optsWithGlobals<DependencyRequests['list']['flags']>();
        await runs.list({ chart: await chartOf(self, words), flags }, context);
      }),
  );
  command.addCommand(
    subcommand('update', 'update charts/ based on the contents of Chart.yaml', updateFlags)
      .alias('up')
      .action(async (words: string[], _flags, self: Command) => {
        const flags = self.optsWithGlobals<DependencyRequests['update']['flags']>();
        await runs.update({ chart: await chartOf(self, words), flags }, context);
      }),
  );
  // As in Helm, an unknown name is no mistake here.
  return command.argument('[words...]').action(() => context.io.stdout.write(command.helpInformation()));
}

/** The working directory where none is named. */
async function chartOf(command: Command, words: readonly string[]): Promise<string> {
  requireArguments(command, words, { atMost: 1 });
  const { cleanPath } = await import('../../go/path.ts');
  return cleanPath(words[0] ?? '.');
}
