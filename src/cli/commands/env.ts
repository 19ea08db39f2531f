import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import type { GlobalFlags } from '../settings.ts';
import { helmEnvironment } from '../sources/helm-environment.ts';

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
