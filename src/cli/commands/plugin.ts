import { delimiter } from 'node:path';
import type { Command } from 'commander';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { InstallPlace } from '../../plugin/install.ts';
import type { Plugin } from '../../plugin/types.ts';
import { helmPaths } from '../../source/paths.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { helmDiffVersion } from '../../support/version.ts';
import type { CliContext } from '../context.ts';
import { commandGroup, flagCommand } from '../flags/flag-command.ts';
import { type InstallFlags, pluginInstallFlags } from '../flags/plugin-flags.ts';
import type { GlobalFlags } from '../settings.ts';
import { installedPlugins, pluginEnvironment } from '../sources/plugins.ts';
import { fittedTable } from '../terminal/fitted-table.ts';
import { archiveRuns, pluginPackageForm, pluginVerifyForm } from './plugin-archives.ts';

const listFlags = { type: { type: 'string', description: 'Plugin type' } } satisfies Record<string, FlagSpec>;

interface PluginRequest<Flags> {
  readonly words: readonly string[];
  readonly flags: GlobalFlags & Flags;
}

const runs = {
  ...archiveRuns,
  install,
  list,
  uninstall: forEach('uninstall', uninstallOne),
  update: forEach('update', updateOne),
};

export const command = (context: CliContext, run = runs): Command =>
  commandGroup(
    'plugin',
    'install, list, or uninstall Helm plugins',
    [
      installForm(context, run),
      listForm(context, run),
      pluginPackageForm(context, run),
      eachForm(context, 'uninstall', ['rm', 'remove'], run),
      eachForm(context, 'update', ['up'], run),
      pluginVerifyForm(context, run),
    ],
    context,
  );

const installForm = (context: CliContext, run: typeof runs): Command =>
  flagCommand(
    'install',
    pluginInstallFlags,
    { usage: '[options] <path|url> [flags]', words: { exactly: 1 } },
    (words, flags) => run.install({ words, flags }, context),
  )
    .alias('add')
    .description('install a Helm plugin');

const listForm = (context: CliContext, run: typeof runs): Command =>
  flagCommand('list', listFlags, { usage: '[flags]' }, (words, flags) => run.list({ words, flags }, context))
    .alias('ls')
    .description('list installed Helm plugins');

type EachRun = (plugin: Plugin, flags: GlobalFlags, context: CliContext) => Promise<void>;

const eachForm = (context: CliContext, name: 'uninstall' | 'update', aliases: string[], run: typeof runs): Command =>
  flagCommand(name, {}, { usage: '<plugin>... [flags]' }, async (words, flags) => {
    if (words.length === 0) {
      throw new TshelmError('wrong-arguments', { message: `please provide plugin name to ${name}` });
    }
    await run[name]({ words, flags }, context);
  })
    .aliases(aliases)
    .description(`${name} one or more Helm plugins`);

/** All that can be done is done; what could not is reported together. */
function forEach(verb: 'uninstall' | 'update', run: EachRun) {
  return ({ words, flags }: PluginRequest<object>, context: CliContext): Promise<void> =>
    runEach(words, { verb, run, flags }, context);
}

interface EachRequest {
  readonly verb: 'uninstall' | 'update';
  readonly run: EachRun;
  readonly flags: GlobalFlags;
}

async function runEach(
  names: readonly string[],
  { verb, run, flags }: EachRequest,
  context: CliContext,
): Promise<void> {
  const plugins = installedPlugins({}, flags, context);
  const problems: string[] = [];
  for (const name of names) {
    const plugin = plugins.find((one) => one.name === name);
    if (plugin === undefined) problems.push(`plugin: ${name} not found`);
    else {
      try {
        await run(plugin, flags, context);
        context.io.stdout.write(`${verb === 'update' ? 'Updated' : 'Uninstalled'} plugin: ${name}\n`);
      } catch (thrown) {
        problems.push(`failed to ${verb} plugin ${name}, got error (${messageOf(thrown)})`);
      }
    }
  }
  if (problems.length > 0) throw new TshelmError('plugin-failed', { message: problems.join('\n') });
}

async function uninstallOne(plugin: Plugin, flags: GlobalFlags, context: CliContext): Promise<void> {
  const { removePlugin } = await import('../../plugin/install.ts');
  const { runPluginHook } = await import('../../plugin/run.ts');
  removePlugin(plugin);
  await runPluginHook(plugin, 'delete', await pluginEnvironment(flags, context));
}

async function updateOne(plugin: Plugin, flags: GlobalFlags, context: CliContext): Promise<void> {
  const { updatePlugin } = await import('../../plugin/install.ts');
  const { runPluginHook } = await import('../../plugin/run.ts');
  const updated = await updatePlugin(plugin, context.interruption());
  await runPluginHook(updated, 'update', await pluginEnvironment(flags, context));
}

/** The plugins that tshelm does the work of: what calls them needs no other. */
const builtIn = [{ name: 'diff', version: helmDiffVersion, repository: /(?:^|[/:])helm-diff(?:\.git)?\/?$/ }] as const;

async function list({ flags }: PluginRequest<FlagsOf<typeof listFlags>>, context: CliContext): Promise<void> {
  const { signingStatus } = await import('../../plugin/install.ts');
  const plugins = installedPlugins({ type: flags.type }, flags, context);
  const rows = plugins.map((plugin) => [
    plugin.name,
    plugin.version,
    plugin.type,
    plugin.apiVersion,
    signingStatus(plugin),
    plugin.sourceUrl || 'unknown',
  ]);
  const own = builtIn
    .filter(({ name }) => !plugins.some((plugin) => plugin.name === name))
    .filter(() => !flags.type || flags.type === 'cli/v1')
    .map(({ name, version }) => [name, version, 'cli/v1', 'legacy', 'built in', 'unknown']);
  const header = ['NAME', 'VERSION', 'TYPE', 'APIVERSION', 'PROVENANCE', 'SOURCE'];
  context.io.stdout.write(fittedTable([header, ...rows, ...own], context.io));
}

async function install({ words, flags }: PluginRequest<InstallFlags>, context: CliContext): Promise<void> {
  const [source = ''] = words;
  const { io } = context;
  const paths = helmPaths(io.env, flags);
  const [plugins = paths.plugins] = paths.plugins.split(delimiter);
  const place: InstallPlace = { plugins, cache: paths.cacheHome, signal: context.interruption() };
  const plugin = await installFrom(source, flags, place, context);
  const { runPluginHook } = await import('../../plugin/run.ts');
  await runPluginHook(plugin, 'install', await pluginEnvironment(flags, context));
  io.stdout.write(`Installed plugin: ${plugin.name}\n`);
}

async function installFrom(
  source: string,
  flags: InstallFlags,
  place: InstallPlace,
  context: CliContext,
): Promise<Plugin> {
  const { pluginSource, installDirectory, installRepository } = await import('../../plugin/install.ts');
  const own = builtIn.find(({ repository }) => repository.test(source));
  const found = pluginSource(source);
  if (own !== undefined && found.kind === 'repository')
    return (await import('../plugins/built-in-plugin.ts')).writePluginStub(own, place);
  const { stdout } = context.io;
  switch (found.kind) {
    case 'directory':
      stdout.write('Installing plugin from local directory (development mode)\n');
      return installDirectory(found.path, place);
    case 'repository':
      if (flags.verify) {
        const message = 'plugin source does not support verification. Use --verify=false to skip verification';
        throw new TshelmError('plugin-refused', { message });
      }
      await (await import('../plugins/packed-plugin.ts')).checkUnsigned(found.url, flags, context);
      stdout.write('WARNING: Skipping plugin signature verification\n');
      if (found.password) context.secrets.add(found.password);
      return installRepository(found, flags.version ?? '', place);
    case 'archive':
    case 'oci':
    case 'url': {
      const { installPackedPlugin } = await import('../plugins/packed-plugin.ts');
      return installPackedPlugin(found, flags, place, context);
    }
  }
}
