import type { Command } from 'commander';
import { messageOf } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import { splitOnce } from '../../support/text.ts';
import type { CommandTree } from '../command-tree.ts';
import type { CliContext } from '../context.ts';
import { pathOf } from '../flags/arguments.ts';
import { flagTable, normalizeArguments, positionalIndexes } from '../flags/argv.ts';
import { FlagOption } from '../flags/flag-option.ts';
import type { GlobalFlags } from '../settings.ts';
import { argumentsOf, valuesOf } from './arguments.ts';
import type { CompletionContext } from './choices.ts';
import {
  type Completions,
  directives,
  directiveText,
  files,
  fixedChoices,
  isActiveHelp,
  nothing,
} from './directive.ts';

/**
 * `__complete WORD... TYPED`, what shells ask through the scripts of `completion` and through those that Helm wrote:
 * the choices for TYPED, one a line, then `:` and the directive. Without descriptions for `__completeNoDesc`.
 */
export async function runComplete(words: readonly string[], tree: CommandTree, context: CliContext): Promise<void> {
  const [asked, ...line] = words;
  const { choices, directive } = await completionsOf(line, tree, context);
  const isPlain = asked === '__completeNoDesc' || context.io.env['HELM_COMPLETION_DESCRIPTIONS'] === 'false';
  const hasHelp = context.io.env['HELM_ACTIVE_HELP'] !== '0' && context.io.env['COBRA_ACTIVE_HELP'] !== '0';
  for (const choice of choices.filter((one) => hasHelp || !isActiveHelp(one))) {
    const [firstLine = ''] = (isPlain ? splitOnce(choice, '\t')[0] : choice).split('\n');
    context.io.stdout.write(`${firstLine.trim()}\n`, 'data');
  }
  context.io.stdout.write(`:${directive}\n`);
  context.io.stderr.write(`Completion ended with directive: ${directiveText(directive)}\n`);
}

async function completionsOf(line: readonly string[], tree: CommandTree, context: CliContext): Promise<Completions> {
  const typed = line.at(-1) ?? '';
  const whole = line.slice(0, -1);
  const root = tree.root();
  const indexes = positionalIndexes(root, whole);
  const path = indexes.map((index) => whole[index] as string);
  if (path[0] === 'help' && !typed.startsWith('-')) return helpTopics(path.slice(1), typed, tree, context);
  const found = await tree.find(path);
  if (found === undefined && indexes.length > 0) {
    const plugged = await pluginCompletions(whole, indexes, typed, context);
    if (plugged !== undefined) return plugged;
    context.io.stderr.write(`[Error] unable to find a command for arguments: [${whole.join(' ')}]\n`);
    return files;
  }
  const command = found?.command ?? root;
  const named = new Set(indexes.slice(0, found?.depth ?? 0));
  const words = whole.filter((_word, index) => !named.has(index));
  try {
    return await completionsFor(command, words, typed, { root, tree, context });
  } catch (thrown) {
    context.io.stderr.write(`[Error] ${messageOf(thrown)}\n`);
    return files;
  }
}

/** What `help` tells of: the commands, and those below them. */
async function helpTopics(
  path: readonly string[],
  typed: string,
  tree: CommandTree,
  context: CliContext,
): Promise<Completions> {
  const found = path.length === 0 ? undefined : await tree.find(path);
  if (path.length > 0 && found?.depth !== path.length) return nothing;
  const topics = found === undefined ? await entriesOf(tree, context) : subcommandsOf(found.command);
  return { choices: topics.filter((choice) => choice.startsWith(typed)), directive: directives.noFiles };
}

/** Of a plugin, where the first word is its command. */
async function pluginCompletions(
  whole: readonly string[],
  [at = 0]: readonly number[],
  typed: string,
  context: CliContext,
): Promise<Completions | undefined> {
  const { pluginOf } = await import('../plugins/plugin-command.ts');
  const plugin = pluginOf(whole[at] ?? '', context);
  if (plugin === undefined) return undefined;
  const { completePlugin } = await import('./plugin-completion.ts');
  return completePlugin(plugin, { words: whole.filter((_word, index) => index !== at), typed }, context);
}

interface Surroundings {
  readonly root: Command;
  readonly tree: CommandTree;
  readonly context: CliContext;
}

/** Follows cobra's getCompletions: the value of a flag, the name of a flag, a subcommand, an argument. */
async function completionsFor(
  command: Command,
  words: readonly string[],
  typed: string,
  { root, tree, context }: Surroundings,
): Promise<Completions> {
  const valued = flagAt(command, words, typed);
  const { args, flags } = readWords(command, root, valued?.isSeparate ? words.slice(0, -1) : words);
  if (flags['help'] === true) return nothing;
  const completing: CompletionContext = { path: pathOf(command), args, typed: valued?.typed ?? typed, flags, context };
  if (valued !== undefined) return valueChoices(valued.option, completing);
  if (typed.startsWith('-') && !words.includes('--')) return fixedChoices(flagNames(command, root, words, typed));
  const subcommands = command === root ? await entriesOf(tree, context) : subcommandsOf(command);
  const named = args.length > 0 ? [] : subcommands.filter((choice) => choice.startsWith(typed));
  const { choices, directive } = (await argumentsOf[pathOf(command)]?.(completing)) ?? files;
  return {
    choices: [...named, ...choices] as const,
    directive: directive | (subcommands.length > 0 ? directives.noFiles : 0),
  };
}

interface FlagAtCursor {
  readonly option: FlagOption;
  readonly typed: string;
  /** `--name VALUE`, and not `--name=VALUE`. */
  readonly isSeparate: boolean;
}

/** The flag whose value is at the cursor. */
function flagAt(command: Command, words: readonly string[], typed: string): FlagAtCursor | undefined {
  if (words.includes('--')) return undefined;
  const known = flagTable(command);
  const named = (word: string): FlagOption | undefined =>
    known.get(word.startsWith('--') ? word : `-${word.at(-1) ?? ''}`);
  const at = typed.indexOf('=');
  if (typed.startsWith('-')) {
    const option = at < 0 ? undefined : named(typed.slice(0, at));
    return option && { option, typed: typed.slice(at + 1), isSeparate: false };
  }
  const last = words.at(-1) ?? '';
  if (!last.startsWith('-') || last === '-' || last.includes('=')) return undefined;
  const option = named(last);
  return option === undefined || option.alone !== undefined ? undefined : { option, typed, isSeparate: true };
}

/** The arguments and the values of the flags, the global ones included. Errors: `bad-flag`. */
function readWords(command: Command, root: Command, words: readonly string[]) {
  const normalized = normalizeArguments(command, words);
  const end = normalized.indexOf('--');
  const flags = normalized.slice(0, end);
  const values: Record<string, unknown> = { ...root.opts(), ...command.opts(), help: flags.includes('--help') };
  for (const flag of flags) {
    const [name, text] = splitOnce(flag, '=');
    const option = flagTable(command).get(name);
    if (option !== undefined && text !== undefined)
      values[option.attributeName()] = option.parseArg?.(text, undefined as never) ?? text;
  }
  return { args: normalized.slice(end + 1), flags: values as GlobalFlags & Record<string, unknown> };
}

function valueChoices(option: FlagOption, completing: CompletionContext): Completions | Promise<Completions> {
  if (option.type === 'format') return fixedChoices(formats);
  const own = valuesOf[option.name()]?.(completing);
  return own ?? (option.words.length === 0 ? files : fixedChoices(option.words));
}

const formats = [
  'json\tOutput result in JSON format',
  'table\tOutput result in human-readable format',
  'yaml\tOutput result in YAML format',
];

/** Flags that are not given yet, or may be given again: the global ones first. */
function flagNames(command: Command, root: Command, words: readonly string[], typed: string): string[] {
  const normalized = normalizeArguments(command, words);
  const given = new Set(normalized.map((word) => splitOnce(word, '=')[0]));
  const own = command === root ? [] : optionsOf(command);
  const help = { long: '--help', short: '-h', description: `help for ${command.name()}` };
  const all = [...sortedFlags(optionsOf(root)), ...sortedFlags([...own, help])];
  return all
    .filter((option) => !given.has(option.long) || (option instanceof FlagOption && repeatableTypes.has(option.type)))
    .flatMap(({ long, short, description }) =>
      [long, short].filter((name) => name?.startsWith(typed)).map((name) => `${name}\t${description}`),
    );
}

const repeatableTypes: ReadonlySet<string> = new Set(['strings', 'stringArray', 'stringToString']);

interface NamedFlag {
  readonly long: string;
  readonly short?: string | undefined;
  readonly description: string;
}

const optionsOf = (command: Command): NamedFlag[] =>
  command.options.filter((option): option is FlagOption & NamedFlag => option instanceof FlagOption && !option.hidden);
const sortedFlags = (flags: readonly NamedFlag[]): NamedFlag[] =>
  [...flags].sort((a, b) => compareText(a.long, b.long));

async function entriesOf({ entries }: CommandTree, context: CliContext): Promise<string[]> {
  const { pluginCommands } = await import('../plugins/plugin-command.ts');
  return [
    ...[...entries.filter(({ hidden }) => !hidden), ...pluginCommands(context)].map(
      ({ name, summary }) => `${name}\t${summary}`,
    ),
    'help\tHelp about any command',
  ].sort(compareText);
}

const subcommandsOf = (command: Command): string[] =>
  command.commands.map((one) => `${one.name()}\t${one.description()}`).sort(compareText);
