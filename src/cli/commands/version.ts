import { Command } from 'commander';
import { requireArguments } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { addFlags } from '../flags.ts';
import { helmVersion, tshelmVersion } from '../version.ts';

export const versionCommand = (context: CliContext): Command =>
  addFlags(new Command('version'), { short: { type: 'bool', description: 'print the version number' } })
    .description('print the tshelm version information')
    .argument('[none...]')
    .usage('[flags]')
    .action((words: string[], flags: { short?: boolean }, command: Command) => {
      requireArguments(command, words, { exactly: 0 });
      const full = `tshelm ${tshelmVersion} (compatible with Helm ${helmVersion}; Node ${process.version})`;
      context.io.stdout.write(`${flags.short ? `v${tshelmVersion}` : full}\n`);
    });
