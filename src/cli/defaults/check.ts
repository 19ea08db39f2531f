import type { Command } from 'commander';
import { messageOf } from '../../support/errors.ts';
import { nearest } from '../../support/near.ts';
import type { CommandTree } from '../command-tree.ts';
import { pathOf } from '../flags/arguments.ts';
import { flagTable } from '../flags/argv.ts';
import type { FlagOption } from '../flags/flag-option.ts';
import { type DefaultFlag, invalid } from './files.ts';

/**
 * What the file of a project cannot set, since anybody may have written it: programs that are run, clusters and users,
 * credentials and trust, files of the user, and consents.
 */
const refusedInProjects =
  /^(?:kube.*|post-renderer.*|registry-config|repository-.*|content-cache|keyring|key|certificate-.*|trusted-root|trust-policy|insecure-ignore-tlog|.*tls.*|plain-http|oci-plain-http|.*-file|username|password|pass-credentials|kustomize-binary|sandbox-dir|untrusted|secret-refs|allow-data-loss|replace.*|force.*|take-ownership|yes|.*-key|identity|output-dir|report|junit|out)$/;

/**
 * Says of all keys and values together what no command would take. Commands are loaded until each key is found: those that
 * most files are about first. Errors: `defaults-invalid`.
 */
export async function checkDefaults(defaults: readonly DefaultFlag[], tree: CommandTree): Promise<void> {
  const known = new KnownCommands(tree);
  const problems: string[] = [];
  for (const one of defaults) {
    const problem = await problemOf(one, known);
    if (problem !== undefined) problems.push(`${one.place}: ${problem}`);
  }
  const [first] = defaults;
  if (first !== undefined && problems.length > 0) throw invalid(problems.join('\n'), first.place);
}

async function problemOf(one: DefaultFlag, known: KnownCommands): Promise<string | undefined> {
  const { command, flag, isOfProject } = one;
  if (isOfProject && refusedInProjects.test(flag))
    return `the file of a project cannot set --${flag}, since anybody may have written it; write it on the command line, or into your own file (tshelm config)`;
  return command === undefined ? problemForAll(one, known) : problemForOne(one, command, known);
}

/** Of a key for all commands: one of them has to have the flag and take the value. */
async function problemForAll(one: DefaultFlag, known: KnownCommands): Promise<string | undefined> {
  const { flag, form } = one;
  const isCommand = (await known.command(flag)) !== undefined;
  if (isCommand && form === 'nothing') return undefined;
  const problems: string[] = [];
  for await (const option of known.options(flag)) {
    const problem = problemOfValues(one, option);
    if (problem === undefined) return undefined;
    problems.push(problem);
  }
  if (problems[0] !== undefined) return problems[0];
  if (isCommand) return `${flag} is a command: write its flags below it, each as a key`;
  return `no command has a flag --${flag}${await hintFor(flag, known)}`;
}

/** Of a flag below a command. */
async function problemForOne(one: DefaultFlag, name: string, known: KnownCommands): Promise<string | undefined> {
  const { flag, form } = one;
  const command = await known.command(name);
  if (command === undefined) return `there is no command ${name}${await hintFor(name, known)}`;
  if (pathOf(command) !== name) return `write ${pathOf(command)} instead of ${name}`;
  const table = flagTable(command);
  const option = table.get(`--${flag}`);
  if (option !== undefined) return problemOfValues(one, option);
  if (form === 'keys' && (await known.command(`${name} ${flag}`)) !== undefined)
    return `write a command of two words as one key: "${name} ${flag}:"`;
  return `tshelm ${name} has no flag --${flag}${meant(flag, flagNames(table))}`;
}

function problemOfValues({ flag, values, form }: DefaultFlag, option: FlagOption): string | undefined {
  if (form === 'keys' || form === 'nothing')
    return 'write the value of a flag as a text, a number, true or false, or a list of these';
  if (form === 'list' && !['strings', 'stringArray', 'stringToString'].includes(option.type))
    return `--${flag} takes one value, not a list`;
  try {
    for (const value of values) option.parseArg?.(value, undefined);
    return undefined;
  } catch (cause) {
    return messageOf(cause);
  }
}

const hintFor = async (word: string, known: KnownCommands): Promise<string> => meant(word, await known.names());

function meant(word: string, names: Iterable<string>): string {
  const name = nearest(word, names);
  return name === undefined ? '' : `; did you mean ${name}?`;
}

const flagNames = (table: ReadonlyMap<string, FlagOption>): readonly string[] =>
  [...table].flatMap(([name, { hidden }]) => (name.startsWith('--') && !hidden ? [name.slice(2)] : []));

/** All commands and their subcommands, each loaded when it is first needed. */
class KnownCommands {
  readonly #tree: CommandTree;
  readonly #loaded: Command[];
  readonly #left: string[];

  constructor(tree: CommandTree) {
    this.#tree = tree;
    this.#loaded = [tree.root()];
    this.#left = ['upgrade', ...tree.entries.map(({ name }) => name).filter((name) => name !== 'upgrade')];
  }

  /** The command of this name, `stack diff`, or of an alias. */
  async command(name: string): Promise<Command | undefined> {
    const words = name.split(' ');
    const found = await this.#tree.find(words);
    return found?.depth === words.length ? found.command : undefined;
  }

  /** What the commands call by this name. */
  async *options(flag: string): AsyncGenerator<FlagOption> {
    for (let at = 0; at < this.#loaded.length || (await this.#loadNext()); at++) {
      const option = flagTable(this.#loaded[at] as Command).get(`--${flag}`);
      if (option !== undefined) yield option;
    }
  }

  /** Of all commands, and of their flags. */
  async names(): Promise<ReadonlySet<string>> {
    while (await this.#loadNext());
    return new Set(this.#loaded.flatMap((command) => [pathOf(command), ...flagNames(flagTable(command))]));
  }

  async #loadNext(): Promise<boolean> {
    const name = this.#left.shift();
    if (name === undefined) return false;
    const found = await this.#tree.find([name]);
    if (found !== undefined) this.#loaded.push(...withSubcommands(found.command));
    return true;
  }
}

const withSubcommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];
