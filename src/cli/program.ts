import { Command, CommanderError, type Option } from 'commander';
import { checkDriverName } from '../release/drivers.ts';
import { TshelmError } from '../support/errors.ts';
import { isNear } from '../support/near.ts';
import type { CommandEntry, CommandTree } from './command-tree.ts';
import type { CliContext } from './context.ts';
import { commandIndex, normalizeArguments, positionalIndexes, programOf } from './flags/argv.ts';
import { FlagOption } from './flags/flag-option.ts';
import { addFlags, globalFlags, klogFlags } from './flags/flags.ts';

export const commands: readonly CommandEntry[] = [
  {
    name: 'apply',
    summary: 'apply a plan saved with tshelm plan --out',
    load: async () => (await import('./commands/apply.ts')).applyCommand,
  },
  {
    name: 'completion',
    summary: 'generate autocompletion scripts for the specified shell',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
  {
    name: 'create',
    summary: 'create a new chart with the given name',
    load: async () => (await import('./commands/create.ts')).createCommand,
  },
  {
    name: 'dag',
    summary: 'show the order in which a chart and its subcharts are deployed',
    load: async () => (await import('./commands/dag.ts')).dagCommand,
  },
  {
    name: 'dependency',
    aliases: ['dep', 'dependencies'],
    summary: "manage a chart's dependencies",
    load: async () => (await import('./commands/dependency.ts')).dependencyCommand,
  },
  {
    name: 'diff',
    summary: 'show what an upgrade or a rollback would change in the cluster',
    load: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  {
    name: 'docs',
    summary: 'generate documentation as markdown or man pages',
    hidden: true,
    load: async () => {
      const { docsCommand } = await import('./commands/docs.ts');
      return (context, run?: Parameters<typeof docsCommand>[2]) => docsCommand(context, commandTree(context), run);
    },
  },
  {
    name: 'drift',
    summary: 'show where the cluster no longer matches a release, and who changed it',
    load: async () => (await import('./commands/drift.ts')).driftCommand,
  },
  {
    name: 'env',
    summary: 'helm client environment information',
    load: async () => (await import('./commands/env.ts')).envCommand,
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
    name: 'images',
    summary: 'list the images that a chart would run with these values',
    load: async () => (await import('./commands/images.ts')).imagesCommand,
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
    name: 'package',
    summary: 'package a chart directory into a chart archive',
    load: async () => (await import('./commands/package.ts')).packageCommand,
  },
  {
    name: 'plan',
    summary: 'show the order in which a release would be deployed',
    load: async () => (await import('./commands/plan.ts')).planCommand,
  },
  {
    name: 'plugin',
    summary: 'install, list, or uninstall Helm plugins',
    load: async () => (await import('./commands/plugin.ts')).pluginCommand,
  },
  {
    name: 'pull',
    aliases: ['fetch'],
    summary: 'download a chart from a repository and (optionally) unpack it in local directory',
    load: async () => (await import('./commands/pull.ts')).pullCommand,
  },
  {
    name: 'push',
    summary: 'push a chart to remote',
    load: async () => (await import('./commands/push.ts')).pushCommand,
  },
  {
    name: 'registry',
    summary: 'login to or logout from a registry',
    load: async () => (await import('./commands/registry.ts')).registryCommand,
  },
  {
    name: 'rehearse',
    summary: 'run a deployment in a sandbox with simulated time, and show how long it takes',
    load: async () => (await import('./commands/rehearse.ts')).rehearseCommand,
  },
  {
    name: 'repo',
    summary: 'add, list, remove, update, and index chart repositories',
    load: async () => (await import('./commands/repo.ts')).repoCommand,
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
    name: 'search',
    summary: 'search for a keyword in charts',
    load: async () => (await import('./commands/search.ts')).searchCommand,
  },
  {
    name: 'show',
    aliases: ['inspect'],
    summary: 'show information of a chart',
    load: async () => (await import('./commands/show.ts')).showCommand,
  },
  {
    name: 'show-plan',
    summary: 'show a plan saved with tshelm plan --out',
    load: async () => (await import('./commands/show-plan.ts')).showPlanCommand,
  },
  {
    name: 'stack',
    summary: 'manage many releases at once, as described by helmfile.yaml',
    load: async () => (await import('./commands/stack.ts')).stackCommand,
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
    name: 'verify',
    summary: 'verify that a chart at the given path has been signed and is valid',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  {
    name: 'version',
    summary: 'print the helm version information',
    load: async () => (await import('./commands/version.ts')).versionCommand,
  },
];

/** Runs one command line. Errors are thrown, `help` asked for is printed. */
export async function runProgram(words: readonly string[], context: CliContext): Promise<void> {
  const program = rootCommand(context);
  const named = commandIndex(program, words) ?? words.length;
  const indexes = positionalIndexes(program, words, named);
  const [name, ...path] = indexes.map((index) => words[index] as string);
  if (name === undefined && words.includes('--version')) {
    context.io.stdout.write((await import('./commands/version.ts')).ownVersionText());
    return;
  }
  if (name === undefined || name === 'help') {
    normalizeArguments(program, words);
    context.io.stdout.write(await helpText(program, path, context));
    return;
  }
  if (name.startsWith('__complete')) {
    const { runComplete } = await import('./completion/complete.ts');
    const at = indexes[0] as number;
    // Flags before it are flags of the line.
    const line = [name, ...words.slice(0, at), ...words.slice(at + 1)];
    await runComplete(line, commandTree(context), context);
    return;
  }
  checkDriverName(context.io.env['HELM_DRIVER'] ?? '');
  if (entryOf(name) === undefined && (await ranPlugin(name, words, indexes, context))) return;
  const found = findCommand(name, context);
  const top = setUp((await found.load())(context), context);
  program.addCommand(top);
  // What stands after a flag of the command itself is no subcommand: `plan --action upgrade`.
  const ofCommand = positionalIndexes(top, words, named);
  const [command, depth] = innermost(program, [name, ...ofCommand.slice(1).map((index) => words[index] as string)]);
  const commandWords = new Set(ofCommand.slice(0, depth));
  const rest = words.filter((_word, index) => !commandWords.has(index));
  await program.parseAsync([...commandPath(command), ...normalizeArguments(command, rest)], { from: 'user' });
}

/** Runs the plugin that has this command; tells whether there is one. */
async function ranPlugin(
  name: string,
  words: readonly string[],
  [at = 0]: readonly number[],
  context: CliContext,
): Promise<boolean> {
  const { pluginOf, runPluginCommand } = await import('./plugins/plugin-command.ts');
  const plugin = pluginOf(name, context);
  if (plugin === undefined) return false;
  await runPluginCommand(plugin, [...words.slice(0, at), ...words.slice(at + 1)], context);
  return true;
}

function rootCommand(context: CliContext): Command {
  const program = setUp(new Command(nameOf(context)), context);
  addFlags(program, { ...globalFlags, ...klogFlags });
  return program.description('A Helm-compatible deploy tool for Kubernetes.');
}

/** As the user calls it: a link named `helm` speaks of `helm`, as Helm does. */
const nameOf = ({ io }: CliContext): string => (/[/\\]helm\d?(\.exe)?$/.test(`/${io.program}`) ? 'helm' : 'tshelm');

/** Output through the context's streams, errors as exceptions, flags in help as Helm prints them; for subcommands too. */
function setUp(command: Command, context: CliContext): Command {
  command
    .exitOverride()
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .configureOutput({ writeOut: (text) => context.io.stdout.write(text), writeErr: () => undefined })
    .configureHelp({ optionTerm, optionDescription, visibleGlobalOptions, showGlobalOptions: true, helpWidth: 120 });
  for (const option of command.options) warnOfUse(command, option, context);
  for (const subcommand of command.commands) setUp(subcommand, context);
  return command;
}

function warnOfUse(command: Command, option: Option, { io }: CliContext): void {
  if (!(option instanceof FlagOption)) return;
  const { deprecated, warning } = option;
  if (deprecated !== undefined) {
    const text = `Flag ${option.long} has been deprecated, ${deprecated}\n`;
    command.on(`option:${option.name()}`, () => io.stderr.write(text));
  }
  if (warning !== undefined) {
    command.on(`option:${option.name()}`, (text: string) => {
      const line = warning(text);
      if (line !== undefined) io.stderr.write(`${line}\n`);
    });
  }
}

const visibleGlobalOptions = (command: Command): Option[] =>
  command.parent === null ? [] : programOf(command).options.filter(({ hidden }) => !hidden);

const optionTerm = (option: { flags: string }): string =>
  option instanceof FlagOption
    ? `${option.short === undefined ? '    ' : `${option.short}, `}${option.long} ${option.placeholder}`.trimEnd()
    : option.flags;

function optionDescription(option: { description: string; defaultValue?: unknown }): string {
  const value = option.defaultValue;
  const shown = typeof value === 'string' || typeof value === 'number' ? ` (default ${value})` : '';
  return option.description + (option.description.includes('(default') ? '' : shown);
}

/** All commands, each loaded when it is asked for. */
const commandTree = (context: CliContext): CommandTree => ({
  entries: commands,
  root: () => rootCommand(context),
  async find([name, ...path]) {
    const entry = name === undefined ? undefined : entryOf(name);
    if (entry === undefined) return undefined;
    const program = rootCommand(context);
    program.addCommand(setUp((await entry.load())(context), context));
    const [command, depth] = innermost(program, [entry.name, ...path]);
    return { command, depth };
  },
});

const entryOf = (name: string): CommandEntry | undefined =>
  commands.find((command) => command.name === name || command.aliases?.includes(name));

function findCommand(name: string, context: CliContext): CommandEntry {
  const found = entryOf(name);
  if (found !== undefined) return found;
  const near = commands.filter((command) => isNear(command.name, name) || command.name.startsWith(name));
  const hint = near.length === 0 ? '' : `\nDid you mean this?\n${near.map((one) => `\t${one.name}\n`).join('')}`;
  const message = `unknown command ${JSON.stringify(name)} for "${nameOf(context)}"\n${hint === '' ? '' : `${hint}\n`}Run '${nameOf(context)} --help' for usage.`;
  throw new TshelmError('unknown-command', { message });
}

async function helpText(program: Command, path: readonly string[], context: CliContext): Promise<string> {
  if (path[0] !== undefined) {
    if (entryOf(path[0]) === undefined) {
      const { pluginHelp, pluginOf } = await import('./plugins/plugin-command.ts');
      const plugin = pluginOf(path[0], context);
      if (plugin !== undefined) return pluginHelp(plugin, nameOf(context));
    }
    program.addCommand(setUp((await findCommand(path[0], context).load())(context), context));
    return innermost(program, path)[0].helpInformation();
  }
  const { pluginCommands } = await import('./plugins/plugin-command.ts');
  const shown = [...commands.filter(({ hidden }) => !hidden), ...pluginCommands(context)];
  for (const { name, summary } of shown) program.addCommand(new Command(name).description(summary));
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
