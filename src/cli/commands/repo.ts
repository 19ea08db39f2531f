import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { addFlags } from '../flags/flags.ts';
import { addFlagSpecs, indexFlags, listFlags, type RepoRequests, updateFlags } from '../flags/repo-flags.ts';

export type RepoRuns = {
  readonly [Name in keyof RepoRequests]: (request: RepoRequests[Name], context: CliContext) => Promise<void>;
};

const repoRuns: RepoRuns = {
  add: async (request, context) => (await import('../sources/repositories.ts')).runAdd(request, context),
  index: async (request, context) => (await import('../sources/repositories.ts')).runIndex(request, context),
  list: async (request, context) => (await import('../sources/repositories.ts')).runList(request, context),
  remove: async (request, context) => (await import('../sources/repositories.ts')).runRemove(request, context),
  update: async (request, context) => (await import('../sources/repositories.ts')).runUpdate(request, context),
};

export function repoCommand(context: CliContext, runs = repoRuns): Command {
  const command = new Command('repo')
    .description('add, list, remove, update, and index chart repositories')
    .usage('[command]');
  command.addCommand(
    addFlags(new Command('add'), addFlagSpecs)
      .description('add a chart repository')
      .argument('[words...]')
      .usage('[NAME] [URL] [flags]')
      .action(async (words: string[], _flags, self: Command) => {
        requireArguments(self, words, { exactly: 2 });
        const [name, url] = words as [string, string];
        await runs.add({ name, url, flags: self.optsWithGlobals<RepoRequests['add']['flags']>() }, context);
      }),
  );
  command.addCommand(
    addFlags(new Command('index'), indexFlags)
      .description('generate an index file given a directory containing packaged charts')
      .argument('[words...]')
      .usage('[DIR] [flags]')
      .action(async (words: string[], _flags, self: Command) => {
        requireArguments(self, words, { exactly: 1 });
        await runs.index({ folder: words[0] as string, flags: self.optsWithGlobals() }, context);
      }),
  );
  command.addCommand(
    addFlags(new Command('list').alias('ls'), listFlags)
      .description('list chart repositories')
      .argument('[words...]')
      .usage('[flags]')
      .action(async (words: string[], _flags, self: Command) => {
        requireArguments(self, words, { exactly: 0 });
        await runs.list({ flags: self.optsWithGlobals<RepoRequests['list']['flags']>() }, context);
      }),
  );
  addCommandsOfNames(command, context, runs);
  // As in Helm, an unknown name is no mistake here.
  return command.argument('[words...]').action(() => context.io.stdout.write(command.helpInformation()));
}

function addCommandsOfNames(command: Command, context: CliContext, runs: RepoRuns): void {
  command.addCommand(
    new Command('remove')
      .alias('rm')
      .description('remove one or more chart repositories')
      .argument('[names...]')
      .usage('[REPO1 [REPO2 ...]] [flags]')
      .action(async (names: string[], _flags, self: Command) => {
        requireArguments(self, names, { atLeast: 1 });
        await runs.remove({ names, flags: self.optsWithGlobals() }, context);
      }),
  );
  command.addCommand(
    addFlags(new Command('update').alias('up'), updateFlags)
      .description('update information of available charts locally from chart repositories')
      .argument('[names...]')
      .usage('[REPO1 [REPO2 ...]] [flags]')
      .action(async (names: string[], _flags, self: Command) => {
        await runs.update({ names, flags: self.optsWithGlobals<RepoRequests['update']['flags']>() }, context);
      }),
  );
}
