import { Command, Help } from 'commander';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import type { GlobalFlags } from '../settings.ts';
import { fullName, requireArguments, unknownCommand, type WordRule } from './arguments.ts';
import { addFlags } from './flags.ts';

/** The flags of a command, with those that every command takes. */
export type GivenFlags<Flags> = GlobalFlags & FlagsOf<Flags>;

/** The options of an action, and the flags that only the terminal knows. */
export interface Request<Options, Flags> {
  readonly options: Options;
  readonly flags: GivenFlags<Flags>;
}

interface Form {
  /** What help shows behind the command's name. */
  readonly usage: string;
  /** How many words it takes; any number where nothing is said. */
  readonly words?: WordRule | undefined;
}

/** A command, and what it does with its words and flags. Errors: `wrong-arguments`, in Helm's words. */
export const flagCommand = <const Flags extends Readonly<Record<string, FlagSpec>>>(
  name: string,
  flags: Flags,
  { usage, words: rule = {} }: Form,
  act: (words: string[], flags: GivenFlags<Flags>, command: Command) => void | Promise<void>,
): Command =>
  addFlags(new Command(name), flags)
    .argument('[words...]')
    .usage(usage)
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, rule);
      await act(words, command.optsWithGlobals(), command);
    });

/** The usage of what is run by its subcommands alone. */
export const groupUsage = 'COMMAND [flags]';

/**
 * A command that is nothing but its subcommands; alone it prints its help. Errors: `unknown-command` for another name, where
 * Helm prints the help and exits with 0.
 */
export function commandGroup(
  name: string,
  description: string,
  subcommands: readonly Command[],
  context: CliContext,
): Command {
  const group = new Command(name).description(description).usage(groupUsage).argument('[words...]');
  for (const subcommand of subcommands) group.addCommand(subcommand);
  return group.action(([word]: string[]) => helpOfGroup(group, word, context));
}

/** What a group does without the name of one of its commands. Errors: `unknown-command`. */
export async function helpOfGroup(group: Command, word: string | undefined, context: CliContext): Promise<void> {
  if (word !== undefined) throw unknownCommand(word, fullName(group), subcommandNames(group));
  await context.help(group);
}

/** Of the subcommands that help shows. */
export const subcommandNames = (group: Command): string[] =>
  new Help().visibleCommands(group).map((command) => command.name());
