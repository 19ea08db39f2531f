import type { Command } from 'commander';
import { compareText } from '../../support/order.ts';
import type { CommandTree } from '../command-tree.ts';
import { fullName } from '../flags/arguments.ts';
import { FlagOption } from '../flags/flag-option.ts';

/** What the documentation of one command says. */
export interface Page {
  /** `helm get all`. */
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly flags: readonly PageFlag[];
  readonly inherited: readonly PageFlag[];
  readonly parent: PageLink | undefined;
  readonly children: readonly PageLink[];
}

export interface PageLink {
  readonly name: string;
  readonly summary: string;
}

export interface PageFlag {
  readonly name: string;
  readonly short: string | undefined;
  /** What stands for its value; '' for a flag that takes none. */
  readonly placeholder: string;
  readonly type: string;
  readonly description: string;
  /** The value that it has without being given; '' for none. */
  readonly defaultText: string;
  /** What it means when it stands alone. */
  readonly alone: string | undefined;
}

/** One page for the program and for each command that is not hidden. */
export async function pagesOf(tree: CommandTree): Promise<readonly Page[]> {
  const root = tree.root();
  const shown = tree.entries.filter(({ hidden }) => !hidden);
  const inherited = flagsOf(root);
  const pages: Page[] = [];
  for (const { name } of shown) {
    const found = await tree.find([name]);
    if (found !== undefined) pages.push(...pagesBelow(found.command, inherited, linkTo(root)));
  }
  const children = shown.map(({ name, summary }) => ({ name: `${root.name()} ${name}`, summary }));
  const own = { ...linkTo(root), usage: root.name(), parent: undefined, children: sorted(children), inherited: [] };
  return [{ ...own, flags: withHelp(inherited, root.name()) }, ...pages];
}

function pagesBelow(command: Command, inherited: readonly PageFlag[], parent: PageLink): Page[] {
  const own = linkTo(command);
  const flags = flagsOf(command);
  const page: Page = {
    ...own,
    usage: `${own.name} ${command.usage()}`,
    flags: withHelp(flags, command.name()),
    inherited,
    parent,
    children: sorted(command.commands.map(linkTo)),
  };
  const below = sortedFlags([...inherited, ...(command.commands.length > 0 ? flags : [])]);
  return [page, ...command.commands.flatMap((child) => pagesBelow(child, below, own))];
}

const linkTo = (command: Command): PageLink => ({ name: fullName(command), summary: command.description() });

const flagsOf = (command: Command): PageFlag[] =>
  sortedFlags(
    command.options
      .filter((option): option is FlagOption => option instanceof FlagOption && !option.hidden)
      .map(({ long, short, placeholder, type, description, defaultValue, alone }) => ({
        name: (long ?? '').slice(2),
        short: short?.slice(1),
        placeholder,
        type,
        description,
        defaultText: defaultOf(defaultValue),
        alone,
      })),
  );

const defaultOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

const withHelp = (flags: readonly PageFlag[], name: string): PageFlag[] =>
  sortedFlags([
    ...flags,
    {
      name: 'help',
      short: 'h',
      placeholder: '',
      type: 'bool',
      description: `help for ${name}`,
      defaultText: '',
      alone: 'true',
    },
  ]);

const sortedFlags = (flags: readonly PageFlag[]): PageFlag[] => [...flags].sort((a, b) => compareText(a.name, b.name));
const sorted = (links: readonly PageLink[]): PageLink[] => [...links].sort((a, b) => compareText(a.name, b.name));
