import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { flagCommand, helpOfGroup } from '../flags/flag-command.ts';
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

export function command(context: CliContext, runs = searchRuns): Command {
  const command = addFlags(new Command('search'), registryFlags)
    .description('search for a keyword in charts; with oci://HOST/PATH, list the versions of a chart in a registry')
    .usage('COMMAND | oci://HOST/PATH [flags]');
  command.addCommand(
    flagCommand('hub', hubFlags, { usage: '[KEYWORD] [flags]' }, (keywords, flags) =>
      runs.hub({ keywords, flags }, context),
    ).description('search for charts in the Artifact Hub or your own hub instance'),
  );
  command.addCommand(
    flagCommand('repo', repoFlags, { usage: '[keyword] [flags]' }, (keywords, flags) =>
      runs.repo({ keywords, flags }, context),
    ).description('search repositories for a keyword in charts'),
  );
  return command.argument('[words...]').action(async ([reference]: string[], _flags, self: Command) => {
    if (!reference?.startsWith('oci://')) return helpOfGroup(command, reference, context);
    await runs.registry({ reference, flags: self.optsWithGlobals<SearchRequests['registry']['flags']>() }, context);
  });
}
