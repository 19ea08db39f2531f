import { Command } from 'commander';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { flagCommand } from '../flags/flag-command.ts';
import { type PackageRequest, packageFlags } from '../flags/package-flags.ts';

export const command = (context: CliContext, run = runPackage): Command =>
  flagCommand('package', packageFlags, { usage: '[CHART_PATH] [...] [flags]' }, async (paths, flags) => {
    if (paths.length === 0)
      throw new TshelmError('wrong-arguments', { message: 'need at least one argument, the path to the chart' });
    await run({ paths, flags }, context);
  }).description('package a chart directory into a chart archive');

async function runPackage({ paths, flags }: PackageRequest, context: CliContext): Promise<void> {
  const { runPackageOf } = await import('../sources/packaging.ts');
  await runPackageOf({ paths, flags }, context);
}
