import { Command, type Option } from 'commander';
import { checkDriverName } from '../release/drivers.ts';
import { compareText } from '../support/order.ts';
import type { CommandEntry, CommandTree } from './command-tree.ts';
import type { CliContext } from './context.ts';
import { defaultsFiles } from './defaults/find.ts';
import { checkTrustFlags, namesBehindProgram, pathOf, refuseDetachedValue, unknownCommand } from './flags/arguments.ts';
import { commandIndex, normalizeArguments, positionalIndexes } from './flags/argv.ts';
import { FlagOption } from './flags/flag-option.ts';
import { addFlags, globalFlags, klogFlags } from './flags/flags.ts';

/** A command whose module exports it as `command`. */
const entry = (
  name: string,
  module: () => Promise<{ readonly command: (context: CliContext) => Command }>,
  summary: string,
  aliases: readonly string[] = [],
): CommandEntry => ({ name, summary, aliases, load: async () => (await module()).command });

/** By what they are for, as help lists them. */
const commandGroups: Readonly<Record<string, readonly CommandEntry[]>> = {
  Deploy: [
    entry('install', () => import('./commands/install.ts'), 'install a chart'),
    entry('upgrade', () => import('./commands/upgrade.ts'), 'upgrade a release'),
    entry('rollback', () => import('./commands/rollback.ts'), 'roll back a release to a previous revision'),
    entry('uninstall', () => import('./commands/uninstall.ts'), 'uninstall a release', ['del', 'delete', 'un']),
    entry('test', () => import('./commands/test.ts'), 'run tests for a release'),
    entry('apply', () => import('./commands/apply.ts'), 'apply a plan saved with tshelm plan --out'),
    entry('move', () => import('./commands/move.ts'), 'make objects of one release belong to another'),
    entry('rename', () => import('./commands/rename.ts'), 'give a release another name or namespace'),
    entry('adopt', () => import('./commands/adopt.ts'), 'make objects that are in the cluster part of a release'),
  ],
  Look: [
    entry('list', () => import('./commands/list.ts'), 'list releases', ['ls']),
    entry('status', () => import('./commands/status.ts'), 'display the status of the named release'),
    entry('logs', () => import('./commands/logs.ts'), 'show what the pods of a release write'),
    entry('history', () => import('./commands/history.ts'), 'fetch release history', ['hist']),
    entry('get', () => import('./commands/get.ts'), 'download extended information of a named release'),
    entry(
      'drift',
      () => import('./commands/drift.ts'),
      'show where the cluster no longer matches a release, and who changed it',
    ),
    entry('doctor', () => import('./commands/doctor.ts'), 'find out what keeps deploys from working'),
    entry('health', () => import('./commands/health.ts'), 'show which rule judges an object, and what it says of it'),
  ],
  'Plan and check': [
    entry('plan', () => import('./commands/plan.ts'), 'show what an install or upgrade would do, object by object'),
    entry('diff', () => import('./commands/diff.ts'), 'show what an upgrade or a rollback would change in the cluster'),
    entry(
      'check',
      () => import('./commands/check.ts'),
      'find what a cluster would refuse in a chart, before deploying it',
    ),
    entry('lint', () => import('./commands/lint.ts'), 'examine a chart for possible issues'),
    entry('template', () => import('./commands/template.ts'), 'locally render templates'),
    entry('dag', () => import('./commands/dag.ts'), 'show the order in which a chart and its subcharts are deployed'),
    entry('order', () => import('./commands/order.ts'), 'work on the order of a chart that declares none'),
    entry(
      'rehearse',
      () => import('./commands/rehearse.ts'),
      'run a deployment in a sandbox with simulated time, and show how long it takes',
    ),
    {
      ...entry('unittest', () => import('./commands/unittest.ts'), 'run the unit tests of charts'),
      yieldsToPlugin: 'as helm',
    },
    entry('images', () => import('./commands/images.ts'), 'list the images that a chart would run with these values'),
    entry('show-plan', () => import('./commands/show-plan.ts'), 'show a plan saved with tshelm plan --out'),
  ],
  Charts: [
    entry('create', () => import('./commands/create.ts'), 'create a new chart with the given name'),
    entry('show', () => import('./commands/show.ts'), 'show information of a chart', ['inspect']),
    entry('search', () => import('./commands/search.ts'), 'search for a keyword in charts'),
    entry(
      'pull',
      () => import('./commands/pull.ts'),
      'download a chart from a repository and (optionally) unpack it in local directory',
      ['fetch'],
    ),
    entry('push', () => import('./commands/push.ts'), 'push a chart to remote'),
    entry('package', () => import('./commands/package.ts'), 'package a chart directory into a chart archive'),
    entry(
      'verify',
      () => import('./commands/verify.ts'),
      'verify that a chart at the given path has been signed and is valid',
    ),
    entry('dependency', () => import('./commands/dependency.ts'), "manage a chart's dependencies", [
      'dep',
      'dependencies',
    ]),
    entry('repo', () => import('./commands/repo.ts'), 'add, list, remove, update, and index chart repositories'),
    {
      ...entry('secrets', () => import('./commands/secrets.ts'), 'encrypt, decrypt and edit files of values with sops'),
      yieldsToPlugin: 'always',
    },
    entry('registry', () => import('./commands/registry.ts'), 'login to or logout from a registry'),
  ],
  Stacks: [
    entry('stack', () => import('./commands/stack.ts'), 'manage many releases at once, as described by helmfile.yaml'),
  ],
  'tshelm itself': [
    {
      name: 'config',
      summary: 'show the defaults of flags that tshelm.yaml sets',
      load: async () => {
        const { command } = await import('./commands/config.ts');
        return (context, run?: Parameters<typeof command>[2]) => command(context, commandTree(context), run);
      },
    },
    entry(
      'completion',
      () => import('./commands/completion.ts'),
      'generate autocompletion scripts for the specified shell',
    ),
    entry('lsp', () => import('./commands/lsp.ts'), 'help editors with charts, by the Language Server Protocol'),
    entry('env', () => import('./commands/env.ts'), 'helm client environment information'),
    {
      name: 'explain',
      summary: 'explain a code or an option, or show a page of the documentation',
      load: async () => {
        const { command } = await import('./commands/explain.ts');
        return (context) => command(context, commandTree(context));
      },
    },
    entry('options', () => import('./commands/options.ts'), 'list the options that every command takes'),
    entry(
      'mcp',
      () => import('./commands/mcp.ts'),
      'serve charts and releases to agents, by the Model Context Protocol',
    ),
    entry('plugin', () => import('./commands/plugin.ts'), 'install, list, or uninstall Helm plugins'),
    entry('sandbox', () => import('./commands/sandbox.ts'), 'run the embedded sandbox cluster as a server'),
    entry('version', () => import('./commands/version.ts'), 'print the helm version information'),
    {
      name: 'migrate',
      summary: 'say which lines of scripts and CI files work with tshelm',
      load: async () => {
        const { command } = await import('./commands/migrate.ts');
        return (context, run?: Parameters<typeof command>[2]) => command(context, commandTree(context), run);
      },
    },
    {
      name: 'docs',
      summary: 'generate documentation as markdown or man pages',
      hidden: true,
      load: async () => {
        const { command } = await import('./commands/docs.ts');
        return (context, run?: Parameters<typeof command>[2]) => command(context, commandTree(context), run);
      },
    },
  ],
};

export const commands: readonly CommandEntry[] = Object.values(commandGroups)
  .flat()
  .sort((a, b) => compareText(a.name, b.name));

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
    await showHelp(program, path, context);
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
  if (mayBePlugin(name, context) && (await runPluginIfAny(name, words, indexes, context))) return;
  const wrapped = name === 'secrets' ? entryOf(path[0] ?? '') : undefined;
  // `secrets upgrade …` of helm-secrets: every command decrypts the files that it reads.
  if (wrapped !== undefined) return runProgram(words.toSpliced(indexes[0] as number, 1), context);
  const found = findCommand(name, context);
  const top = setUp((await found.load())(context), context);
  program.addCommand(top);
  // What comes after a flag of the command itself is no subcommand: `plan --action upgrade`.
  const ofCommand = positionalIndexes(top, words, named);
  const [command, depth] = innermost(program, [name, ...ofCommand.slice(1).map((index) => words[index] as string)]);
  const commandWords = new Set(ofCommand.slice(0, depth));
  const rest = words.filter((_word, index) => !commandWords.has(index));
  const normalized = normalizeArguments(command, rest);
  if (asksForHelp(normalized)) return context.help(command);
  const end = normalized.indexOf('--');
  context.useLine({ command, flags: normalized.slice(0, end), words: normalized.slice(end + 1) });
  const defaults = await defaultWords(command, normalized, context);
  refuseDetachedValue(command, normalized.slice(end + 1));
  program.hook('preAction', (_program, acting) => checkTrustFlags(acting, context.io.env));
  await program.parseAsync([...namesBehindProgram(command), ...defaults, ...normalized], { from: 'user' });
}

/**
 * What tshelm.yaml says where the line and the environment say nothing. Programs that call `helm` get none of it, nor do
 * `config`, which shows the file, and `explain`, which helps with its mistakes.
 */
async function defaultWords(command: Command, normalized: readonly string[], context: CliContext): Promise<string[]> {
  if (nameOf(context) === 'helm' || ['config', 'explain'].includes(pathOf(command))) return [];
  const files = defaultsFiles(context.io);
  if (files.project === undefined && files.own === undefined) return [];
  const { readDefaults } = await import('./defaults/files.ts');
  const defaults = readDefaults(files);
  const [{ checkDefaults }, { defaultsFor }] = await Promise.all([
    import('./defaults/check.ts'),
    import('./defaults/given.ts'),
  ]);
  await checkDefaults(defaults, commandTree(context));
  const given = normalized.slice(0, normalized.indexOf('--'));
  const applied = defaultsFor(command, pathOf(command), given, { defaults, env: context.io.env });
  context.useDefaults(applied);
  return applied.flatMap(({ words }) => words);
}

/** Whether --help is among the flags: what follows `--` is none. */
const asksForHelp = (normalized: readonly string[]): boolean =>
  normalized.slice(0, normalized.indexOf('--')).includes('--help');

/** Runs the plugin that has this command; tells whether there is one. */
async function runPluginIfAny(
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
export const nameOf = ({ io }: CliContext): string =>
  /[/\\]helm\d?(\.exe)?$/.test(`/${io.program}`) ? 'helm' : 'tshelm';

/** Errors as exceptions, and warnings of flags through the context's streams; for subcommands too. */
function setUp(command: Command, context: CliContext): Command {
  command
    .exitOverride()
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .configureOutput({ writeErr: () => undefined });
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

/** All commands, each loaded when it is asked for. */
export const commandTree = (context: CliContext): CommandTree => ({
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

/** Whether a plugin of that name is asked first. */
function mayBePlugin(name: string, context: CliContext): boolean {
  const found = entryOf(name);
  if (found === undefined) return true;
  const { yieldsToPlugin } = found;
  return yieldsToPlugin === 'always' || (yieldsToPlugin === 'as helm' && nameOf(context) === 'helm');
}

function findCommand(name: string, context: CliContext): CommandEntry {
  const found = entryOf(name);
  if (found !== undefined) return found;
  throw unknownCommand(
    name,
    nameOf(context),
    commands.filter(({ hidden }) => !hidden).map((one) => one.name),
  );
}

/** Help of the program, or of the command or plugin that the words name. */
async function showHelp(program: Command, path: readonly string[], context: CliContext): Promise<void> {
  const { writeHelp } = await import('./help/help.ts');
  const [name] = path;
  if (name === undefined) {
    await addSummaries(program, context);
    return writeHelp(program, context);
  }
  if (mayBePlugin(name, context)) {
    const { pluginHelp, pluginOf } = await import('./plugins/plugin-command.ts');
    const plugin = pluginOf(name, context);
    if (plugin !== undefined) return context.io.stdout.write(pluginHelp(plugin, nameOf(context)));
  }
  program.addCommand(setUp((await findCommand(name, context).load())(context), context));
  writeHelp(innermost(program, path)[0], context);
}

/** All commands by their names and summaries alone, none of them loaded. */
async function addSummaries(program: Command, context: CliContext): Promise<void> {
  const { pluginCommands } = await import('./plugins/plugin-command.ts');
  const shown = Object.entries(commandGroups).map(
    ([group, entries]) => [group, entries.filter(({ hidden }) => !hidden)] as const,
  );
  for (const [group, entries] of [...shown, ['Plugins', pluginCommands(context)] as const])
    for (const { name, summary } of entries)
      program.addCommand(new Command(name).description(summary).helpGroup(group));
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
