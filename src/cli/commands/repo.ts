import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { commandGroup, flagCommand } from '../flags/flag-command.ts';
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

export const command = (context: CliContext, runs = repoRuns): Command =>
  commandGroup(
    'repo',
    'add, list, remove, update, and index chart repositories',
    [
      flagCommand(
        'add',
        addFlagSpecs,
        { usage: '[NAME] [URL] [flags]', words: { exactly: 2 } },
        ([name = '', url = ''], flags) => runs.add({ name, url, flags }, context),
      ).description('add a chart repository'),
      flagCommand('index', indexFlags, { usage: '[DIR] [flags]', words: { exactly: 1 } }, ([folder = ''], flags) =>
        runs.index({ folder, flags }, context),
      ).description('generate an index file given a directory containing packaged charts'),
      flagCommand('list', listFlags, { usage: '[flags]', words: { exactly: 0 } }, (_words, flags) =>
        runs.list({ flags }, context),
      )
        .alias('ls')
        .description('list chart repositories'),
      flagCommand('remove', {}, { usage: '[REPO1 [REPO2 ...]] [flags]', words: { atLeast: 1 } }, (names, flags) =>
        runs.remove({ names, flags }, context),
      )
        .alias('rm')
        .description('remove one or more chart repositories'),
      flagCommand('update', updateFlags, { usage: '[REPO1 [REPO2 ...]] [flags]' }, (names, flags) =>
        runs.update({ names, flags }, context),
      )
        .alias('up')
        .description('update information of available charts locally from chart repositories'),
    ],
    context,
  );
