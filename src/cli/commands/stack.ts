import { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { ignoreUnknownFlags, takeFlagsBeforeSubcommand } from '../flags/argv.ts';
import { groupUsage, helpOfGroup } from '../flags/flag-command.ts';
import { addFlags } from '../flags/flags.ts';
import { ownFlags, type StackFlags } from '../stack/flags.ts';
import { type StackVerb, stackVerbs } from '../stack/verbs.ts';

export interface StackRequest {
  readonly verb: keyof typeof stackVerbs;
  /** Those of the verb. */
  readonly flags: unknown;
}

/** Runs a verb of `stack`; tests take its place to see what the flags became. */
export type RunStack = (request: StackRequest, context: CliContext) => Promise<void>;

/** `tshelm stack VERB`: each verb is a subcommand with the flags of its row in the table. */
export function command(context: CliContext, run: RunStack = runStack): Command {
  const command = new Command('stack')
    .description('manage many releases at once, as described by helmfile.yaml, helmfile.yaml.gotmpl or helmfile.d')
    .usage(groupUsage);
  for (const [name, verb] of Object.entries<StackVerb>(stackVerbs) as [StackRequest['verb'], StackVerb][]) {
    const subcommand = addFlags(new Command(name), verb.flags as Readonly<Record<string, FlagSpec>>)
      .description(verb.description)
      .argument('[words...]')
      .usage('[flags]')
      .action(async (words: string[], _flags, self: Command) => {
        requireArguments(self, words, { exactly: 0 });
        await run({ verb: name, flags: ownFlags(self.optsWithGlobals(), context.io.env) }, context);
      });
    if (verb.alias !== undefined) subcommand.alias(verb.alias);
    command.addCommand(subcommand);
  }
  takeFlagsBeforeSubcommand(command);
  // Those of a verb that is not there: the error is about the verb.
  ignoreUnknownFlags(command);
  return command.argument('[words...]', '').action((words: string[]) => {
    const [name] = words;
    const instead = name === undefined ? undefined : insteadOf.get(name);
    if (instead !== undefined) throw unknownVerb(`${name}`, instead);
    return helpOfGroup(command, name, context);
  });
}

/** A verb of helmfile that is not one here says what does its work. */
function unknownVerb(name: string, instead: string): TshelmError {
  return new TshelmError('unknown-command', {
    message: `unknown command ${JSON.stringify(name)} for "tshelm stack"\n${instead}`,
  });
}

const insteadOf = new Map([
  [
    'cache',
    '`tshelm stack` does not cache files from git or the web; charts are cached in the folder that `tshelm env` shows',
  ],
  ['charts', 'use `tshelm stack sync`'],
  ['create', 'write a helmfile.yaml; tshelm explain stack shows an example'],
  ['delete', 'use `tshelm stack destroy`'],
  ['doctor', 'use `tshelm stack diff` or `tshelm stack plan`'],
  ['init', 'there is nothing to install: Helm and its plugins are not needed'],
  ['print-env', '`tshelm stack build` prints the values of the environment under renderedvalues'],
  ['unittest', 'use `tshelm unittest` with the folder of each chart'],
  ['version', 'use `tshelm version`'],
]);

/** helmfile's exit code where no release matches. */
const nothingMatches = 3;

const runStack: RunStack = async ({ verb, flags }, context) => {
  const { run } = await (stackVerbs[verb] as StackVerb).load();
  try {
    await run(flags as never, context);
  } catch (thrown) {
    if (!(thrown instanceof TshelmError) || thrown.code !== 'stack-empty') throw thrown;
    if ((flags as StackFlags).allowNoMatchingRelease) return;
    context.endWith(nothingMatches);
    throw thrown;
  }
};
