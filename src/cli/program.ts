import { Command, CommanderError, type Option } from 'commander';
import { TshelmError } from '../support/errors.ts';
import { isNear } from '../support/near.ts';
import { normalizeArguments, positionalIndexes } from './argv.ts';
import type { CliContext } from './context.ts';
import { FlagOption } from './flag-option.ts';
import { addFlags, globalFlags } from './flags.ts';

type CommandFactory = (context: CliContext) => Command;

/** A command as the list of commands shows it; its module is loaded only when it is the one that runs. */
interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly load: () => Promise<CommandFactory>;
}

const commands: readonly CommandEntry[] = [
  {
    name: 'dag',
    summary: 'show in which order a chart and its subcharts are deployed',
    load: async () => (await import('./commands/dag.ts')).dagCommand,
  },
  {
    name: 'diff',
    summary: 'show what an upgrade or a rollback would change in the cluster',
    load: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  {
    name: 'drift',
    summary: 'show what in the cluster is not as a release left it, and who changed it',
    load: async () => (await import('./commands/drift.ts')).driftCommand,
  },
  {
    name: 'get',
    summary: 'download extended information of a named release',
    load: async () => (await import('./commands/get.ts')).getCommand,
  },
  {
    name: 'history',
    aliases: ['hist'],
    summary: 'fetch release history',
    load: async () => (await import('./commands/history.ts')).historyCommand,
  },
  {
    name: 'install',
    summary: 'install a chart',
    load: async () => (await import('./commands/install.ts')).installCommand,
  },
  {
    name: 'lint',
    summary: 'examine a chart for possible issues',
    load: async () => (await import('./commands/lint.ts')).lintCommand,
  },
  {
    name: 'list',
    aliases: ['ls'],
    summary: 'list releases',
    load: async () => (await import('./commands/list.ts')).listCommand,
  },
  {
    name: 'plan',
    summary: 'show in which order a release would be deployed',
    load: async () => (await import('./commands/plan.ts')).planCommand,
  },
  {
    name: 'rehearse',
    summary: 'run a deployment in a sandbox on simulated time and show how long it takes',
    load: async () => (await import('./commands/rehearse.ts')).rehearseCommand,
  },
  {
    name: 'rollback',
    summary: 'roll back a release to a previous revision',
    load: async () => (await import('./commands/rollback.ts')).rollbackCommand,
  },
  {
    name: 'sandbox',
    summary: 'run the embedded sandbox cluster as a server',
    load: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  },
  {
    name: 'show',
    aliases: ['inspect'],
    summary: 'show information of a chart',
    load: async () => (await import('./commands/show.ts')).showCommand,
  },
  {
    name: 'status',
    summary: 'display the status of the named release',
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  {
    name: 'template',
    summary: 'locally render templates',
    load: async () => (await import('./commands/template.ts')).templateCommand,
  },
  {
    name: 'test',
    summary: 'run tests for a release',
    load: async () => (await import('./commands/test.ts')).testCommand,
  },
  {
    name: 'uninstall',
    aliases: ['del', 'delete', 'un'],
    summary: 'uninstall a release',
    load: async () => (await import('./commands/uninstall.ts')).uninstallCommand,
  },
  {
    name: 'upgrade',
    summary: 'upgrade a release',
    load: async () => (await import('./commands/upgrade.ts')).upgradeCommand,
  },
  {
    name: 'version',
    summary: 'print the tshelm version information',
    load: async () => (await import('./commands/version.ts')).versionCommand,
  },
];

/** Runs one command line. Errors are thrown, `help` asked for is printed. */
export async function runProgram(words: readonly string[], context: CliContext): Promise<void> {
  const program = rootCommand(context);
  const indexes = positionalIndexes(program, words);
  const [name, ...path] = indexes.map((index) => words[index] as string);
  if (name === undefined || name === 'help') {
    context.io.stdout.write(await helpText(program, path, context));
    normalizeArguments(program, words);
    return;
  }
  const found = findCommand(name);
  program.addCommand(setUp((await found.load())(context), context));
  const [command, depth] = innermost(program, [name, ...path]);
  const commandWords = new Set(indexes.slice(0, depth));
  const rest = words.filter((_word, index) => !commandWords.has(index));
  await program.parseAsync([...commandPath(command), ...normalizeArguments(command, rest)], { from: 'user' });
}

function rootCommand(context: CliContext): Command {
  const program = setUp(new Command('tshelm'), context);
  addFlags(program, globalFlags);
  return program.description('A Helm-compatible deploy tool for Kubernetes.');
}

/** Output through the context's streams, errors as exceptions, flags in help as Helm prints them; for subcommands too. */
function setUp(command: Command, context: CliContext): Command {
  command
    .exitOverride()
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .configureOutput({ writeOut: (text) => context.io.stdout.write(text), writeErr: () => undefined })
    .configureHelp({ optionTerm, optionDescription, showGlobalOptions: true, helpWidth: 120 });
  for (const option of command.options) warnOfUse(command, option, context);
  for (const subcommand of command.commands) setUp(subcommand, context);
  return command;
}

function warnOfUse(command: Command, option: Option, { io }: CliContext): void {
  if (!(option instanceof FlagOption) || option.deprecated === undefined) return;
  const warning = `Flag ${option.long} has been deprecated, ${option.deprecated}\n`;
  command.on(`option:${option.name()}`, () => io.stderr.write(warning));
}

const optionTerm = (option: { flags: string }): string =>
  option instanceof FlagOption
    ? `${option.short === undefined ? '    ' : `${option.short}, `}${option.long} ${option.placeholder}`.trimEnd()
    : option.flags;

function optionDescription(option: { description: string; defaultValue?: unknown }): string {
  const value = option.defaultValue;
  const shown = typeof value === 'string' || typeof value === 'number' ? ` (default ${value})` : '';
  return option.description + (option.description.includes('(default') ? '' : shown);
}

function findCommand(name: string): CommandEntry {
  const found = commands.find((command) => command.name === name || command.aliases?.includes(name));
  if (found !== undefined) return found;
  const near = commands.filter((command) => isNear(command.name, name) || command.name.startsWith(name));
  const hint = near.length === 0 ? '' : `\nDid you mean this?\n${near.map((one) => `\t${one.name}\n`).join('')}`;
  const message = `unknown command ${JSON.stringify(name)} for "tshelm"\n${hint === '' ? '' : `${hint}\n`}Run 'tshelm --help' for usage.`;
  throw new TshelmError('unknown-command', { message });
}

async function helpText(program: Command, path: readonly string[], context: CliContext): Promise<string> {
  if (path[0] !== undefined) {
    program.addCommand(setUp((await findCommand(path[0]).load())(context), context));
    return innermost(program, path)[0].helpInformation();
  }
  for (const { name, summary } of commands) program.addCommand(new Command(name).description(summary));
  return program.helpInformation();
}

/** The command that the words name, and how many of them name it. */
function innermost(program: Command, path: readonly string[]): [Command, number] {
  let command = program;
  for (const [depth, word] of path.entries()) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) return [command, depth];
    command = next;
  }
  return [command, path.length];
}

const commandPath = (command: Command): string[] =>
  command.parent === null ? [] : [...commandPath(command.parent), command.name()];

/** Whether commander ended the run because help was asked for and printed. */
export const isHelpShown = (thrown: unknown): boolean =>
  thrown instanceof CommanderError && thrown.code.startsWith('commander.help');
