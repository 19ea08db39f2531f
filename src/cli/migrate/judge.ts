import { splitOnce } from '../../support/text.ts';
import type { CommandTree } from '../command-tree.ts';
import { commandIndex, flagTable } from '../flags/argv.ts';
import { groupUsage } from '../flags/flag-command.ts';
import type { FlagOption } from '../flags/flag-option.ts';
import { foreignFlags } from '../flags/foreign-flags.ts';
import type { ShellCommand } from './shell-commands.ts';
import table from './table.json' with { type: 'json' };

/**
 * `works`: as it is. `changes`: it works, and something is to be known or to be written instead. `refused`: it ends with
 * an error. `unknown`: no command or flag that tshelm has, perhaps a plugin's.
 */
export type Verdict = 'works' | 'changes' | 'refused' | 'unknown';

/** What there is to say of a part of a line. */
export interface Finding {
  readonly verdict: Verdict;
  /** `--atomic` */
  readonly what: string;
  /** What tshelm does with it. */
  readonly here: string;
  /** What to write instead; '' where it is to be left out. */
  readonly write?: string | undefined;
}

/** A line of docs/from-helm-3.md, or of docs/stack.md, by which commands are judged. */
interface Row {
  readonly here: string;
  readonly verdict?: string;
  readonly write?: string;
}

interface HelmRow extends Row {
  readonly finds?: readonly {
    readonly command?: string;
    readonly flag?: string;
    /** A regular expression for one of the arguments. */
    readonly argument?: string;
    /** Only where this flag is not given. */
    readonly without?: string;
    readonly variable?: string;
    readonly values?: readonly string[];
  }[];
}

interface HelmfileRow extends Row {
  readonly keys?: readonly string[];
  readonly commands?: readonly string[];
  readonly flags?: readonly string[];
}

/** A plugin, and the commands that it adds. */
interface PluginRow extends HelmRow {
  readonly commands: readonly string[];
}

/** An action or an image, by its names. */
interface CiRow extends Row {
  readonly names: readonly string[];
}

const helmRows: readonly HelmRow[] = table.helm;
const pluginRows: readonly PluginRow[] = table.plugins;
const ciRows: readonly CiRow[] = table.ci;
const helmfileRows: readonly HelmfileRow[] = table.helmfile;

const findingOf = (what: string, { here, verdict = 'works', write }: Row): Finding => ({
  verdict: verdict as Verdict,
  what,
  here,
  ...(write !== undefined && { write }),
});

/** A command that is judged by the options of the command of tshelm that stands for it. */
export async function judge(command: ShellCommand, tree: CommandTree): Promise<readonly Finding[]> {
  const { program, words } = command;
  const root = program === 'helm' ? tree.root() : (await tree.find(['stack']))?.command;
  if (root === undefined) throw new Error('internal: there is no command stack');
  const at = commandIndex(root, words);
  if (at === undefined) return isAlone(words) ? [] : [noCommand(words)];
  const names = namesIn(words.slice(at), flagTable(root));
  // `secrets upgrade …` of helm-secrets is the command itself.
  if (program === 'helm' && names[0] === 'secrets' && (await tree.find(names.slice(1))) !== undefined)
    return judge({ ...command, words: words.toSpliced(at, 1) }, tree);
  const path = program === 'helm' ? names : ['stack', ...names];
  const found = await tree.find(path);
  const isFound = found !== undefined && (program === 'helm' || found.depth > 1);
  if (!isFound) return unknownCommand(program, names);
  // `secrets view`, `repo frobnicate`
  const isGroup = found.command.usage() === groupUsage && found.depth > 0;
  if (isGroup && path.length > found.depth) return unknownCommand(program, [path.slice(0, found.depth + 1).join(' ')]);
  const title = path.slice(0, found.depth).join(' ');
  const known = flagTable(found.command);
  const flags = flagsIn(words, known);
  const rest = names.slice(program === 'helm' ? found.depth : found.depth - 1);
  const given = { rest, flags };
  const plugins = pluginRows.flatMap((row) => argumentFindings(row, title, given));
  // What is left out needs no change.
  const rows = program === 'helm' && !plugins.some(({ write }) => write === '') ? helmRows : [];
  return [
    ...plugins,
    ...rows.flatMap((row) => argumentFindings(row, title, given)),
    ...flags.flatMap((flag) => flagFindings(flag, { program, title, known })),
  ];
}

/** The words that are no flags, nor values of the program's own flags. */
const namesIn = (words: readonly string[], known: ReadonlyMap<string, FlagOption>): readonly string[] =>
  words.filter((word, index) => {
    const flag = known.get(words[index - 1] ?? '');
    return !word.startsWith('-') && (flag === undefined || flag.alone !== undefined);
  });

/** `helm --help`, `helmfile --version` */
const isAlone = (words: readonly string[]): boolean =>
  words.every((word) => ['--help', '-h', '--version'].includes(word));

const noCommand = (words: readonly string[]): Finding => ({
  verdict: 'unknown',
  what: words.join(' '),
  here: 'no command is named',
});

function unknownCommand(program: string, [name = '']: readonly string[]): readonly Finding[] {
  if (name.includes('$')) return [{ verdict: 'unknown', what: name, here: 'the command is in a variable' }];
  const row =
    program === 'helmfile'
      ? helmfileRows.find(({ commands }) => commands?.includes(name))
      : pluginRows.find(({ commands }) => commands.includes(name));
  if (row !== undefined) return [findingOf(name, row)];
  const here =
    program === 'helm'
      ? "not a command of Helm's: it runs if a plugin that is installed has it"
      : 'not a command of stack';
  return [{ verdict: 'unknown', what: name, here }];
}

interface GivenWords {
  /** Behind the command's names. */
  readonly rest: readonly string[];
  readonly flags: readonly GivenFlag[];
}

/** Rows about a command as a whole, or about its arguments. */
function argumentFindings(
  { finds = [], ...row }: HelmRow,
  title: string,
  { rest, flags }: GivenWords,
): readonly Finding[] {
  return finds.flatMap(({ command, flag, argument, without }) => {
    if (command !== title || flag !== undefined || flags.some(({ name }) => name === without)) return [];
    const word = argument === undefined ? '' : rest.find((one) => new RegExp(argument).test(one));
    return word === undefined ? [] : [findingOf([title, word].join(' ').trim(), row)];
  });
}

interface GivenFlag {
  readonly name: string;
  readonly option: FlagOption | undefined;
  readonly value: string | undefined;
}

/** The flags among words, with their values; a word that is a value is none. */
function flagsIn(words: readonly string[], known: ReadonlyMap<string, FlagOption>): readonly GivenFlag[] {
  const found: GivenFlag[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--') break;
    if (!/^--?[a-zA-Z]/.test(word)) continue;
    const given = word.startsWith('--') ? [longFlag(word, known)] : shortFlags(word, known);
    const last = given.at(-1);
    if (last?.value === undefined && last?.option !== undefined && last.option.alone === undefined) at += 1;
    found.push(...given);
  }
  return found;
}

function longFlag(word: string, known: ReadonlyMap<string, FlagOption>): GivenFlag {
  const [name, value] = splitOnce(word, '=');
  return { name, option: known.get(name), value };
}

/** `-aq`, `-nprod`, `-n=prod` */
function shortFlags(word: string, known: ReadonlyMap<string, FlagOption>): readonly GivenFlag[] {
  const found: GivenFlag[] = [];
  for (let at = 1; at < word.length; at++) {
    const option = known.get(`-${word[at]}`);
    const isSwitch = option !== undefined && option.alone !== undefined && word[at + 1] !== '=';
    const value = isSwitch || at + 1 === word.length ? undefined : word.slice(at + 1).replace(/^=/, '');
    found.push({ name: option?.long ?? `-${word[at]}`, option, value });
    if (!isSwitch) break;
  }
  return found;
}

interface Judged {
  readonly program: ShellCommand['program'];
  /** `stack apply`, `repo add` */
  readonly title: string;
  readonly known: ReadonlyMap<string, FlagOption>;
}

function flagFindings({ name, option, value }: GivenFlag, { program, title }: Judged): readonly Finding[] {
  const isMeant = (one: NonNullable<HelmRow['finds']>[number]): boolean =>
    one.flag === name &&
    (one.command === undefined || one.command === title) &&
    (one.values === undefined || one.values.includes(value ?? ''));
  const row =
    program === 'helm'
      ? helmRows.find(({ finds = [] }) => finds.some(isMeant))
      : helmfileRows.find(({ flags }) => flags?.includes(name));
  if (row !== undefined) return [findingOf(name, row)];
  if (name.includes('$')) return [];
  if (option === undefined) {
    if (name === '--help' || name === '-h') return [];
    const foreign = program === 'helmfile' ? foreignFlags[name] : undefined;
    return [{ verdict: 'refused', what: name, here: foreign ?? `${title} has no such flag` }];
  }
  if (option.deprecated === undefined) return [];
  return [{ verdict: 'changes', what: name, here: `accepted, with a warning: ${option.deprecated}` }];
}

/** A line of a helmfile.yaml: a key that tshelm reads otherwise, or not at all. */
export function judgeStateLine(line: string): readonly Finding[] {
  const [, key] = /^[\s-]*([A-Za-z]+):/.exec(line) ?? [];
  const row = key === undefined ? undefined : helmfileRows.find(({ keys }) => keys?.includes(key));
  return key === undefined || row === undefined ? [] : [findingOf(key, row)];
}

/** A line of a CI file or a Dockerfile that names an action, an image or an orb: `uses: azure/setup-helm@v4`, `image: alpine/helm:3`, `- helm/install-helm-client`. */
export function judgeCiLine(line: string): readonly Finding[] {
  const [, named] = /(?:\b(?:uses|image|name|container)["']?:|\bFROM)\s+["']?([\w./-]+)/.exec(line) ?? [];
  const [, orb, step] = /^\s*(?:[\w-]+:\s+(circleci\/[\w-]+)@|-\s+(helm\/[\w-]+):?\s*$)/.exec(line) ?? [];
  const name = (step?.replaceAll('_', '-') ?? orb ?? named ?? '').toLowerCase();
  const plain = name.replace(/^(?:docker\.io|index\.docker\.io)\//, '');
  const row = ciRows.find(({ names }) => names.includes(plain));
  return row === undefined ? [] : [findingOf(plain, row)];
}

/** A line that gives one of Helm's variables a value: `HELM_DRIVER=sql`, `HELM_DRIVER: sql`. */
export function judgeVariables(line: string): readonly Finding[] {
  const [, variable, value = ''] = /\b(HELM_[A-Z_]+)\s?[:=]\s?["']?([\w-]*)/.exec(line) ?? [];
  const isMeant = (one: NonNullable<HelmRow['finds']>[number]): boolean =>
    one.variable === variable && one.values?.includes(value) === true;
  const row = variable === undefined ? undefined : helmRows.find(({ finds = [] }) => finds.some(isMeant));
  return row === undefined ? [] : [findingOf(`${variable}=${value}`, row)];
}
