import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { addFlags } from '../flags/flags.ts';
import {
  type PluginPackageRequest,
  type PluginVerifyRequest,
  pluginPackageFlags,
  pluginVerifyFlags,
} from '../flags/plugin-flags.ts';

export const archiveRuns = {
  async package(request: PluginPackageRequest, context: CliContext): Promise<void> {
    const { packagePlugin } = await import('../plugins/plugin-archives.ts');
    await packagePlugin(request, context);
  },
  async verify(request: PluginVerifyRequest, context: CliContext): Promise<void> {
    const { verifyPlugin } = await import('../plugins/plugin-archives.ts');
    await verifyPlugin(request, context);
  },
};

export const pluginPackageForm = (context: CliContext, run: typeof archiveRuns): Command =>
  addFlags(new Command('package'), pluginPackageFlags)
    .description('package a plugin directory into a plugin archive')
    .argument('[path...]')
    .usage('[PATH] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 1 });
      const flags = command.optsWithGlobals<PluginPackageRequest['flags']>();
      await run.package({ path: words[0] as string, flags }, context);
    });

export const pluginVerifyForm = (context: CliContext, run: typeof archiveRuns): Command =>
  addFlags(new Command('verify'), pluginVerifyFlags)
    .description('verify that a plugin at the given path has been signed and is valid')
    .argument('[path...]')
    .usage('[PATH] [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 1 });
      const flags = command.optsWithGlobals<PluginVerifyRequest['flags']>();
      await run.verify({ path: words[0] as string, flags }, context);
    });
