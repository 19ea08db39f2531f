import type { Command } from 'commander';
import { TshelmError } from '../../support/errors.ts';
import { isNear } from '../../support/near.ts';
import { splitOnce } from '../../support/text.ts';
import { FlagOption } from './flag-option.ts';
import { foreignFlags } from './foreign-flags.ts';

/**
 * Rewrites a command line of Go's pflag grammar into one that commander reads without guessing: every flag becomes
 * `--name=value`, and every other word is put behind `--`. So `--wait mychart` keeps its chart, `--debug=false`,
 * `-nprod`, `-n=prod` and `-Aq` are legal, and flags may appear anywhere.
 *
 * `command` is the innermost command; `words` are the words behind its name, flags of its parents among them.
 * Errors (`bad-flag`) are worded as pflag words them.
 */
export function normalizeArguments(command: Command, words: readonly string[]): string[] {
  const flags: string[] = [];
  const positionals: string[] = [];
  const known = flagTable(command);
  typedLines.set(command, words);
  let index = 0;
  const nextWord = (): string | undefined => words[++index];
  const isUnknown = (word: string): boolean => ignoring.has(command) && !isKnown(word, known);
  // One that is all that was said is what was asked for, whoever's flag it is.
  const isWord = (word: string): boolean =>
    naming.has(command) && word !== '--help' && word.startsWith('--') && (words.length === 1 || !isKnown(word, known));
  for (; index < words.length; index++) {
    const word = words[index] as string;
    if (word === '--') {
      positionals.push(...words.slice(index + 1));
      break;
    }
    if (isWord(word)) positionals.push(word);
    else if (word.startsWith('-') && word !== '-' && isUnknown(word)) {
      // Its argument goes with it, as pflag's UnknownFlags strips them.
      if (!word.includes('=') && words[index + 1]?.startsWith('-') === false) index += 1;
    } else if (word.startsWith('--')) flags.push(longFlag(word, known, nextWord));
    else if (word.startsWith('-') && word !== '-') flags.push(...shortFlags(word, known, nextWord));
    else positionals.push(word);
  }
  return [...flags, '--', ...positionals];
}

const typedLines = new WeakMap<Command, readonly string[]>();

/** What was last read for a command, as it was typed. */
export const typedLine = (command: Command): readonly string[] => typedLines.get(command) ?? [];

const ignoring = new WeakSet<Command>();

/** Has flags that the command does not know left out instead of refused. */
export function ignoreUnknownFlags(command: Command): Command {
  ignoring.add(command);
  return command;
}

const naming = new WeakSet<Command>();

/** Has the names of flags that the command does not know taken for its arguments: `explain --timeout`. */
export function takeFlagsAsWords(command: Command): Command {
  naming.add(command);
  return command;
}

const isKnown = (word: string, known: FlagTable): boolean =>
  ['--help', '-h'].includes(word) || known.has(word.startsWith('--') ? splitOnce(word, '=')[0] : word.slice(0, 2));

type FlagTable = ReadonlyMap<string, FlagOption>;

/** The flags of a command and the program's own, by `--name` and `-n`; those of `search` are none of `search repo`. */
export function flagTable(command: Command): FlagTable {
  const table = new Map<string, FlagOption>();
  for (const option of [...command.options, ...programOf(command).options]) {
    if (!(option instanceof FlagOption)) continue;
    for (const name of [option.long, option.short]) if (name && !table.has(name)) table.set(name, option);
  }
  return table;
}

export const programOf = (command: Command): Command => (command.parent === null ? command : programOf(command.parent));

function longFlag(word: string, known: FlagTable, nextWord: () => string | undefined): string {
  const [name, value] = splitOnce(word, '=');
  if (name === '--help') return '--help';
  if (name.length < 3) throw badFlag(`bad flag syntax: ${word}`);
  const option = known.get(name);
  if (option === undefined)
    throw badFlag(`unknown flag: ${name}${hintForMissingFlag(name, known) ?? nearestFlag(name, known)}`);
  if (value !== undefined) return `${name}=${value}`;
  if (option.alone !== undefined) return `${name}=${option.alone}`;
  const next = nextWord();
  if (next === undefined) throw badFlag(`flag needs an argument: ${name}`);
  return `${name}=${next}`;
}

/** `-Aq`, `-nprod`, `-n=prod`, `-n prod`. */
function shortFlags(word: string, known: FlagTable, nextWord: () => string | undefined): string[] {
  const flags: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] as string;
    if (letter === 'h' && !known.has('-h')) {
      flags.push('--help');
      continue;
    }
    const option = known.get(`-${letter}`);
    if (option === undefined) throw badFlag(`unknown shorthand flag: '${letter}' in -${word.slice(at)}`);
    const rest = word.slice(at + 1);
    if (rest.startsWith('=')) return [...flags, `${option.long}=${rest.slice(1)}`];
    if (option.alone === undefined) {
      const value = rest === '' ? nextWord() : rest;
      if (value === undefined) throw badFlag(`flag needs an argument: '${letter}' in -${word.slice(at)}`);
      return [...flags, `${option.long}=${value}`];
    }
    flags.push(`${option.long}=${option.alone}`);
  }
  return flags;
}

const early = new WeakSet<Command>();

/** Lets the flags of its subcommands stand before their names, as helmfile's global flags do. */
export function takeFlagsBeforeSubcommand(command: Command): void {
  early.add(command);
}

/** Where the words are that are neither flags nor values of the program's own flags; those before them name the command. */
export function positionalIndexes(program: Command, words: readonly string[], from = 0): number[] {
  const later = early.has(program) ? program.commands.flatMap((one) => [...flagTable(one)]) : [];
  const known = new Map([...later, ...flagTable(program)]);
  const indexes: number[] = [];
  for (let index = from; index < words.length; index++) {
    const word = words[index] as string;
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') indexes.push(index);
    else if (takesNextWord(word, known)) index += 1;
  }
  return indexes;
}

/**
 * Where the word is that names the command. A flag before it that the program does not know takes the next word for
 * its value, since it may be one of the command: `--set a=b template ./chart`. Go: cobra's Find and stripFlags.
 */
export function commandIndex(program: Command, words: readonly string[]): number | undefined {
  const known = flagTable(program);
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string;
    if (word === '--') return undefined;
    if (!word.startsWith('-') || word === '-') return index;
    if (takesNextWord(word, known) || mayTakeNextWord(word, known)) index += 1;
  }
  return undefined;
}

const mayTakeNextWord = (word: string, known: FlagTable): boolean =>
  /^(?:--[^=]+|-.)$/.test(word) && !known.has(word) && !['--help', '-h', '--version'].includes(word);

function takesNextWord(word: string, known: FlagTable): boolean {
  if (word.includes('=') || (!word.startsWith('--') && word.length !== 2)) return false;
  const option = known.get(word);
  return option !== undefined && option.alone === undefined;
}

/** What to do without a flag of Helm's that is for charts from elsewhere; undefined for any other flag. */
function hintForMissingFlag(name: string, known: FlagTable): string | undefined {
  if (known.has('--state-values-file') && foreignFlags[name] !== undefined) return `\n${foreignFlags[name]}`;
  if (!known.has('--values')) return undefined;
  if (name === '--dependency-update') return '\nFetch the subcharts first with `helm dependency update CHART`';
  return flagsOfDownloads.has(name)
    ? '\nCHART must be a directory or .tgz archive on this machine; fetch it first with `helm pull`'
    : undefined;
}

const flagsOfDownloads: ReadonlySet<string> = new Set(
  'ca-file cert-file content-cache devel insecure-skip-tls-verify key-file keyring pass-credentials password plain-http registry-config repo repository-cache repository-config username verify version'
    .split(' ')
    .map((name) => `--${name}`),
);

function nearestFlag(name: string, known: FlagTable): string {
  const near = [...known.keys()].find((other) => other.startsWith('--') && isNear(name, other));
  return near === undefined ? '' : `\nDid you mean ${near}?`;
}

const badFlag = (message: string): TshelmError => new TshelmError('bad-flag', { message });
