import { Command, Help } from 'commander';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import { TshelmError } from '../../support/errors.ts';
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

/** A command, and what it does with its words and flags. Errors: `wrong-arguments`, in Helm's words; `bad-arguments`. */
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
      requireVerification(command);
      await act(words, command.optsWithGlobals(), command);
    });

/** Who names a signer takes what is fetched for verified: that must have been asked for. */
function requireVerification(command: Command): void {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  const verifying = command.options.filter(({ long }) => long === '--verify' || long === '--verify-images');
  if (verifying.length === 0 || verifying.some((option) => isGiven(option.attributeName()))) return;
  const named = command.options.find((option) => signerNames.has(option.long ?? '') && isGiven(option.attributeName()));
  if (named === undefined) return;
  const ways = verifying.map(({ long }) => (long === '--verify' ? '--verify=sigstore' : long)).join(' or ');
  throw new TshelmError('bad-arguments', {
    message: `${named.long} names a signer, but no signature is checked: add ${ways}`,
  });
}

const signerNames: ReadonlySet<string> = new Set([
  '--key',
  '--certificate-identity',
  '--certificate-identity-regexp',
  '--certificate-oidc-issuer',
  '--certificate-oidc-issuer-regexp',
]);

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
