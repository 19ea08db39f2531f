import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { addFlags } from '../flags/flags.ts';
import { hubFlags, registryFlags, repoFlags, type SearchRequests } from '../flags/search-flags.ts';

export type SearchRuns = {
  readonly [Name in keyof SearchRequests]: (request: SearchRequests[Name], context: CliContext) => Promise<void>;
};

const searchRuns: SearchRuns = {
  repo: async (request, context) => (await import('../sources/searches.ts')).runSearchRepo(request, context),
  registry: async (request, context) => (await import('../sources/searches.ts')).runSearchRegistry(request, context),
  hub: async (request, context) => (await import('../sources/searches.ts')).runSearchHub(request, context),
};

export function searchCommand(context: CliContext, runs = searchRuns): Command {
  const command = addFlags(new Command('search'), registryFlags)
    .description('search for a keyword in charts; with oci://HOST/PATH, list the versions of a chart in a registry')
    .usage('[command] | oci://HOST/PATH [flags]');
  command.addCommand(
    addFlags(new Command('hub'), hubFlags)
      .description('search for charts in the Artifact Hub or your own hub instance')
      .argument('[keywords...]')
      .usage('[KEYWORD] [flags]')
      .action(async (keywords: string[], _flags, self: Command) => {
        await runs.hub({ keywords, flags: self.optsWithGlobals<SearchRequests['hub']['flags']>() }, context);
      }),
  );
  command.addCommand(
    addFlags(new Command('repo'), repoFlags)
      .description('search repositories for a keyword in charts')
      .argument('[keywords...]')
      .usage('[keyword] [flags]')
      .action(async (keywords: string[], _flags, self: Command) => {
        await runs.repo({ keywords, flags: self.optsWithGlobals<SearchRequests['repo']['flags']>() }, context);
      }),
  );
  // As in Helm, an unknown name is no mistake here.
  return command.argument('[words...]').action(async ([reference]: string[], _flags, self: Command) => {
    if (!reference?.startsWith('oci://')) return context.io.stdout.write(command.helpInformation());
    await runs.registry({ reference, flags: self.optsWithGlobals<SearchRequests['registry']['flags']>() }, context);
  });
}
