import type { Command } from 'commander';
import type { CommandTree } from '../command-tree.ts';
import type { CliContext } from '../context.ts';
import type { DefaultFlag } from '../defaults/files.ts';
import { defaultsFiles, userFile } from '../defaults/find.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';
import { formatFlag } from '../flags/flags.ts';
import { kindOf } from '../terminal/io.ts';

const configFlags = formatFlag('output', ['text', 'json', 'yaml']);

export interface ConfigRequest {
  readonly flags: GivenFlags<typeof configFlags>;
}

/** `config`: the defaults of flags, and the files that they come from. */
export const command = (context: CliContext, tree: CommandTree, run = runConfig): Command =>
  flagCommand('config', configFlags, { usage: '[flags]', words: { exactly: 0 } }, (_words, flags) =>
    run({ flags }, context, tree),
  ).description('show the defaults of flags that tshelm.yaml of the project and of the user set');

async function runConfig({ flags: { output } }: ConfigRequest, { io }: CliContext, tree: CommandTree): Promise<void> {
  const { readDefaults } = await import('../defaults/files.ts');
  const { checkDefaults } = await import('../defaults/check.ts');
  const defaults = readDefaults(defaultsFiles(io));
  await checkDefaults(defaults, tree);
  if (output === 'text') {
    io.stdout.write(defaults.length === 0 ? noneText(userFile(io.env)) : defaults.map(lineOf).join(''));
    return;
  }
  const { formatted } = await import('../terminal/format.ts');
  const data = defaults.map(({ command, flag, values, place }) => ({ command, flag, values, place }));
  io.stdout.write(formatted(data, output), kindOf(output));
}

const noneText = (file: string): string =>
  `no defaults: there is neither a tshelm.yaml in this folder or above it nor ${file}\n`;

const lineOf = ({ command, flag, values, place }: DefaultFlag): string =>
  `${command === undefined ? 'all commands' : `tshelm ${command}`}: ${values.map((value) => `--${flag}=${value}`).join(' ')}  (${place})\n`;
