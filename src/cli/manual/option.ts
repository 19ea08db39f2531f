import { addTo } from '../../support/group-by.ts';
import type { CommandTree } from '../command-tree.ts';
import { type PageFlag, pagesOf } from '../docs/pages.ts';
import { termOfFlag } from '../flags/flag-option.ts';

/** What help says of an option, and which commands take it. */
export interface OptionPage {
  readonly markdown: string;
  /** Of all options. */
  readonly names: readonly string[];
}

/** The page of an option, from what the commands declare; '' for one that no command has. `name` is without `--`. */
export async function optionPage(name: string, tree: CommandTree): Promise<OptionPage> {
  const pages = await pagesOf(tree);
  const names = [...new Set(pages.flatMap((page) => page.flags.map((flag) => flag.name)))];
  const commandsOf = new Map<string, string[]>();
  for (const [at, { name: command, flags }] of pages.entries()) {
    const text = flags.filter((flag) => flag.name === name).map(flagText)[0];
    if (text === undefined) continue;
    // The first page is the program's: its options are of every command.
    addTo(commandsOf, text, at === 0 ? 'every command' : command.split(' ').slice(1).join(' '));
  }
  const texts = [...commandsOf].map(([text, commands]) => `${text}\n\nTaken by: ${commands.join(', ')}.\n`);
  return { markdown: texts.length === 0 ? '' : `# --${name}\n${texts.join('\n')}`, names };
}

function flagText({ name, short, placeholder, description, defaultText }: PageFlag): string {
  const term = `${short === undefined ? '' : `-${short}, `}${termOfFlag(`--${name}`, placeholder)}`;
  const isShown = !['', 'false'].includes(defaultText) && !description.includes('(default');
  return `\`${term}\`: ${description}${isShown ? ` (default ${defaultText})` : ''}.`.replace(/\.\.$/, '.');
}
