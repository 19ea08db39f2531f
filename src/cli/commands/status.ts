import { Command } from 'commander';
import { requireArguments } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import type { OutputFormat } from '../flag-option.ts';
import { addFlags, outputFlag } from '../flags.ts';
import { releaseOutput } from '../output/release-output.ts';
import { releaseText } from '../output/release-text.ts';
import { resourceTableText } from '../output/resource-table.ts';
import type { GlobalFlags } from '../settings.ts';

export interface StatusFlags extends GlobalFlags {
  readonly output: OutputFormat;
  readonly revision?: number;
  readonly showResources: boolean;
}

export const statusCommand = (context: CliContext, run = runStatus): Command =>
  addFlags(new Command('status'), {
    ...outputFlag,
    revision: { type: 'int', description: 'if set, display the status of the named release with revision' },
    'show-resources': {
      type: 'bool',
      default: true,
      description: 'show the resources of the release (default true, as in Helm 4; Helm 3 needs the flag)',
    },
  })
    .description('display the status of the named release')
    .argument('[release...]')
    .usage('RELEASE_NAME [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 1 });
      await run(words[0] as string, command.optsWithGlobals<StatusFlags>(), context);
    });

async function runStatus(name: string, flags: StatusFlags, context: CliContext): Promise<void> {
  const { relatedPodsGroup, resourceTables, status } = await import('../../actions/status.ts');
  const session = await context.open(flags);
  const { showResources, revision } = flags;
  const { release, resources, podLists } = await status({ name, revision, showResources }, session);
  if (!showResources && flags.output === 'table') {
    context.io.stdout.write(releaseText(release));
    return;
  }
  if (flags.output !== 'table') {
    const lists = podLists.map((items) => ({ apiVersion: 'v1', items, kind: 'PodList', metadata: {} }));
    const shown =
      lists.length === 0 ? resources : new Map<string, readonly unknown[]>([...resources, [relatedPodsGroup, lists]]);
    context.io.stdout.write(releaseOutput(release, flags.output, { withoutChart: true, resources: shown }));
    return;
  }
  const tables = await resourceTables(resources, session);
  context.io.stdout.write(releaseText(release, { resources: resourceTableText(tables) }));
}
