import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPluginCompletion } from '../../plugin/run.ts';
import type { Plugin } from '../../plugin/types.ts';
import { readPlainYaml } from '../../yaml/index.ts';
import type { CliContext } from '../context.ts';
import { splitWords } from '../plugins/plugin-command.ts';
import { pluginEnvironment } from '../sources/plugins.ts';
import { type Completions, directives, files } from './directive.ts';

/** What a plugin's completion.yaml tells of one of its commands. */
interface PluginWords {
  readonly name: string;
  readonly validArgs: readonly string[];
  readonly flags: readonly string[];
  /** undefined where the file names none: then the plugin's program is asked. */
  readonly commands: readonly PluginWords[] | undefined;
}

/**
 * The choices of a plugin's command line: those of its completion.yaml, and what its program `plugin.complete` prints,
 * which may end with `:` and a directive. Go: loadCompletionForPlugin, pluginDynamicComp.
 */
export async function completePlugin(
  plugin: Plugin,
  { words, typed }: { readonly words: readonly string[]; readonly typed: string },
  context: CliContext,
): Promise<Completions> {
  const { flags, rest } = splitWords(words);
  const { command, path, args } = innermost(readWords(plugin), rest);
  const known = fromFile(command, args, typed);
  if (command.commands !== undefined || (command.validArgs.length > 0 && !typed.startsWith('-'))) return known;
  const own = plugin.config.ignoreFlags ? [] : [...args, typed];
  const env = await pluginEnvironment(flags, context);
  const printed = await runPluginCompletion(plugin, { env, args: [...path, ...own] });
  const { choices, directive } = readPrinted(printed ?? '');
  return { choices: [...known.choices, ...choices] as const, directive };
}

function fromFile(
  { commands = [], validArgs, flags }: PluginWords,
  args: readonly string[],
  typed: string,
): Completions {
  const begins = (choice: string): boolean => choice.startsWith(typed);
  if (typed.startsWith('-')) return { choices: flags.map(dashed).filter(begins), directive: directives.noFiles };
  if (args.length > 0) return files;
  const choices = [...commands.map(({ name }) => name), ...validArgs].filter(begins);
  return { choices, directive: commands.length + validArgs.length > 0 ? directives.noFiles : 0 };
}

const dashed = (flag: string): string => (flag.length === 1 ? `-${flag}` : `--${flag}`);

/** The lines, without the last where it is a directive. */
function readPrinted(text: string): Completions {
  const lines = text.split('\n').filter((line) => line !== '');
  const last = lines.at(-1) ?? '';
  return /^:-?\d+$/.test(last)
    ? { choices: lines.slice(0, -1), directive: Number(last.slice(1)) }
    : { choices: lines, directive: 0 };
}

/** The command that the words name, the names of those below the plugin's own, and the words that are left. */
function innermost(top: PluginWords, words: readonly string[]) {
  const path: string[] = [];
  const args: string[] = [];
  let command = top;
  for (const word of words) {
    const isName = args.every((arg) => arg.startsWith('-'));
    const next = isName ? command.commands?.find(({ name }) => name === word) : undefined;
    if (next === undefined) args.push(word);
    else {
      command = next;
      path.push(word);
    }
  }
  return { command, path, args };
}

function readWords({ name, directory }: Plugin): PluginWords {
  try {
    return { ...wordsOf(readPlainYaml(readFileSync(join(directory, 'completion.yaml'), 'utf8'))), name };
  } catch {
    return { name, validArgs: [], flags: [], commands: undefined };
  }
}

function wordsOf(value: unknown): PluginWords {
  const { name, validArgs, flags, commands } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return {
    name: String(name ?? ''),
    validArgs: textsOf(validArgs),
    flags: textsOf(flags),
    commands: Array.isArray(commands) ? commands.map(wordsOf).filter((one) => one.name !== '') : undefined,
  };
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
