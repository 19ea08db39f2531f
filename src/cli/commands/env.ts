import { Command } from 'commander';
import { requireArguments } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { helmEnvironment } from '../helm-environment.ts';
import type { GlobalFlags } from '../settings.ts';

/** `env [NAME]`: all variables, or the value of one; a name that Helm does not know has none. */
export const envCommand = (context: CliContext): Command =>
  new Command('env')
    .description('helm client environment information')
    .argument('[name...]')
    .usage('[flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { atMost: 1 });
      const variables = await helmEnvironment(command.optsWithGlobals<GlobalFlags>(), context);
      const [name] = words;
      const text =
        name === undefined
          ? variables.map(([key, value]) => `${key}="${value}"\n`).join('')
          : `${new Map(variables).get(name) ?? ''}\n`;
      context.io.stdout.write(text);
    });
