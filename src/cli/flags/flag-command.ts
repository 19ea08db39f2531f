import { Command } from 'commander';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { CliContext } from '../context.ts';
import type { GlobalFlags } from '../settings.ts';
import { requireArguments, type WordRule } from './arguments.ts';
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

/** A command that is nothing but its subcommands: as in Helm, an unknown name is no mistake but prints the help. */
export function commandGroup(name: string, description: string, subcommands: readonly Command[], { io }: CliContext) {
  const group = new Command(name).description(description).usage('[command]').argument('[words...]');
  for (const subcommand of subcommands) group.addCommand(subcommand);
  return group.action(() => {
    io.stdout.write(group.helpInformation());
  });
}
