import { Command } from 'commander';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { addFlags } from '../flags/flags.ts';
import { type PackageRequest, packageFlags } from '../flags/package-flags.ts';

export const packageCommand = (context: CliContext, run = runPackage): Command =>
  addFlags(new Command('package'), packageFlags)
    .description('package a chart directory into a chart archive')
    .argument('[paths...]')
    .usage('[CHART_PATH] [...] [flags]')
    .action(async (paths: string[], _flags, command: Command) => {
      if (paths.length === 0)
        throw new TshelmError('wrong-arguments', { message: 'need at least one argument, the path to the chart' });
      await run({ paths, flags: command.optsWithGlobals<PackageRequest['flags']>() }, context);
    });

async function runPackage({ paths, flags }: PackageRequest, context: CliContext): Promise<void> {
  const { runPackageOf } = await import('../sources/packaging.ts');
  await runPackageOf({ paths, flags }, context);
}
