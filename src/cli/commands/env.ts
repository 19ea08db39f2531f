import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { flagCommand } from '../flags/flag-command.ts';
import { helmEnvironment } from '../sources/helm-environment.ts';

/** `env [NAME]`: all variables, or the value of one; a name that Helm does not know has none. */
export const command = (context: CliContext): Command =>
  flagCommand('env', {}, { usage: '[flags]', words: { atMost: 1 } }, async ([name], flags) => {
    const variables = await helmEnvironment(flags, context);
    const text =
      name === undefined
        ? variables.map(([key, value]) => `${key}="${value}"\n`).join('')
        : `${new Map(variables).get(name) ?? ''}\n`;
    context.io.stdout.write(text);
  }).description('helm client environment information');
