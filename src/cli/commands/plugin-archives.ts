import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { flagCommand } from '../flags/flag-command.ts';
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
  flagCommand('package', pluginPackageFlags, { usage: '[PATH] [flags]', words: { exactly: 1 } }, ([path = ''], flags) =>
    run.package({ path, flags }, context),
  ).description('package a plugin directory into a plugin archive');

export const pluginVerifyForm = (context: CliContext, run: typeof archiveRuns): Command =>
  flagCommand('verify', pluginVerifyFlags, { usage: '[PATH] [flags]', words: { exactly: 1 } }, ([path = ''], flags) =>
    run.verify({ path, flags }, context),
  ).description('verify that a plugin at the given path has been signed and is valid');
