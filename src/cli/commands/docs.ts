import { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import type { CommandTree } from '../command-tree.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';

const docsFlags = {
  dir: { type: 'string', default: './', description: 'directory to which documentation is written' },
  'generate-headers': { type: 'bool', description: 'generate standard headers for markdown files' },
  type: {
    type: 'string',
    default: 'markdown',
    description: 'the type of documentation to generate (markdown, man, bash)',
  },
} satisfies Record<string, FlagSpec>;

export interface DocsRequest {
  readonly flags: GivenFlags<typeof docsFlags>;
}

/** `docs`, hidden as in Helm: a page for each command. */
export const command = (context: CliContext, tree: CommandTree, run = runOn(tree)): Command =>
  flagCommand('docs', docsFlags, { usage: '[flags]', words: { exactly: 0 } }, (_words, flags) =>
    run({ flags }, context),
  ).description('generate documentation as markdown or man pages');

const runOn =
  (tree: CommandTree) =>
  async ({ flags }: DocsRequest, { io }: CliContext): Promise<void> => {
    const { writeDocs } = await import('../docs/write.ts');
    const { dir, type, generateHeaders = false } = flags;
    await writeDocs(tree, { dir, type, generateHeaders, now: io.now(), env: io.env });
  };
