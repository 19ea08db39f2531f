import type { Command } from 'commander';
import { boolOf } from '../../change/option-rows.ts';
import { atoi } from '../../go/strconv/strconv.ts';
import { type TrustOptions, unaskedSigner } from '../../source/chart-access.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { isNear, nearest } from '../../support/near.ts';
import { shellWord } from '../../support/text.ts';
import { flagTable, typedLine } from './argv.ts';
import type { FlagOption } from './flag-option.ts';

export interface WordRule {
  readonly exactly?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Checks the number of arguments as Helm does, with its words. */
export function requireArguments(
  command: Command,
  given: readonly string[],
  { exactly, atLeast = 0, atMost = Number.POSITIVE_INFINITY }: WordRule,
): void {
  if (exactly === 0) refuseMisspeltSubcommand(command, given);
  const fails = (count: number, words: string): TshelmError => {
    const demand = count === 0 ? 'accepts no arguments' : `${words} ${count} argument${count === 1 ? '' : 's'}`;
    const usage = `Usage:  ${fullName(command)} ${command.usage()}`;
    const message = `"${fullName(command)}" ${demand}\n\n${detachedValue(command, given)}${missingName(command, given)}${usage}`;
    return new TshelmError('wrong-arguments', { message });
  };
  if (exactly !== undefined && given.length !== exactly) throw fails(exactly, 'requires');
  if (given.length < atLeast) throw fails(atLeast, 'requires at least');
  if (given.length > atMost) throw fails(atMost, 'accepts at most');
}

/** Of a command that takes no arguments and has subcommands: `sandbox rest`. Errors: `unknown-command`. */
function refuseMisspeltSubcommand(command: Command, [word]: readonly string[]): void {
  const names = command.commands.map((one) => one.name());
  const meant = word === undefined ? undefined : nearest(word, names);
  if (word !== undefined && meant !== undefined) throw unknownCommand(word, fullName(command), [meant]);
}

/** What the flags about trust say must be so before anything is done. Errors: `bad-arguments`, `trust-policy-invalid`. */
export async function checkTrustFlags(
  command: Command,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { trustPolicy } = command.opts<TrustOptions>();
  if (flagOf(command, 'verify') !== undefined) requireVerification(command);
  const policy = trustPolicy || env['TSHELM_TRUST_POLICY'];
  if (policy && flagOf(command, 'trustPolicy') !== undefined)
    await (await import('../../source/trust/policy.ts')).readTrustPolicy(policy);
}

/** `--trusted-root` for the option `trustedRoot`. */
const flagOf = (command: Command, option: string): string | undefined =>
  command.options.find((one) => one.attributeName() === option)?.long ?? undefined;

function requireVerification(command: Command): void {
  const given = command.opts<TrustOptions & { readonly verifyImages?: boolean }>();
  const isSaid = command.getOptionValueSource('verify') === 'cli';
  // The files of a stack may ask, but for what fills charts/.
  const mayBeInFiles = /^stack (?!deps)/.test(pathOf(command));
  if (given.verifyImages === true || (!isSaid && mayBeInFiles)) return;
  const signer = unaskedSigner({ ...given, verify: isSaid ? given.verify : undefined });
  if (signer === undefined) return;
  const ways = ['--verify=sigstore', flagOf(command, 'verifyImages')].filter((way) => way !== undefined);
  const message = `${flagOf(command, signer)} names a signer, but sigstore signatures are not checked: add ${ways.join(' or ')}`;
  throw new TshelmError('bad-arguments', { message });
}

function detachedValue(command: Command, given: readonly string[]): string {
  const flag = detachedFlag(command, given);
  if (flag !== undefined) return `Did you mean ${flag}?\n\n`;
  const table = flagTable(command);
  const hints = pairwise(typedLine(command)).flatMap(([name, word]) =>
    given.includes(word) && table.get(name)?.alone !== undefined ? (table.get(name)?.instead ?? []) : [],
  );
  return hints.map((line) => `${line}\n\n`).join('');
}

/**
 * What is meant where an argument is the value of an option that takes its value behind `=` alone: `--wait ordered`,
 * `--logs app=web`. `given` are the arguments of the line.
 */
export function detachedFlag(command: Command, given: readonly string[]): string | undefined {
  const table = flagTable(command);
  for (const [flag, word] of pairwise(typedLine(command))) {
    const option = table.get(flag);
    if (option?.alone === undefined || !given.includes(word)) continue;
    const value = valueMeant(option, word);
    if (value !== undefined) return `${option.long}=${shellWord(value)}`;
  }
  return undefined;
}

/** A word that an option would take. One that takes words of its own choosing alone may be misspelt. */
function valueMeant(option: FlagOption, word: string): string | undefined {
  if (option.type === 'bool') return boolOf(word) === undefined ? undefined : word;
  if (option.words.length === 0 || option.words.includes(word)) return word;
  return nearest(word, option.words);
}

const pairwise = (words: readonly string[]): readonly (readonly [string, string])[] =>
  words.slice(1).map((word, at) => [words[at] as string, word]);

/**
 * Helm takes a word behind `--wait` for one more release, and one behind a revision for nothing. Beside a name it is
 * refused: the release would be gone, or rolled back without order. `words` are the arguments of the line. Errors:
 * `bad-arguments`.
 */
export function refuseDetachedValue(command: Command, words: readonly string[]): void {
  const most = new Map([
    ['uninstall', 1],
    ['rollback', 2],
  ]).get(pathOf(command));
  if (most === undefined || words.length <= most) return;
  const table = flagTable(command);
  for (const [flag, word] of pairwise(typedLine(command))) {
    const option = table.get(flag);
    if (option?.alone === undefined || !option.words.includes(word)) continue;
    const message = `${word} is taken for an argument, not for the value of ${option.long}`;
    throw new TshelmError('bad-arguments', { message });
  }
}

/** The way out where the only argument is a path or a URL, and is in the place of the release's name: `upgrade ./shop`. */
function missingName(command: Command, given: readonly string[]): string {
  const [chart] = given;
  if (given.length !== 1 || !chart?.includes('/') || !command.usage().startsWith('[RELEASE] [CHART]')) return '';
  return `The name of the release is missing: ${fullName(command)} RELEASE ${chart}\n\n`;
}

/** A revision that is an argument. Errors: `bad-arguments`. */
export function readRevision(text: string): number {
  try {
    return Number(atoi(text));
  } catch (cause) {
    const message = `could not convert revision to a number: ${messageOf(cause)}`;
    throw new TshelmError('bad-arguments', { message, cause });
  }
}

/** `tshelm repo add` */
export const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;

/** `repo`, `add`: the names behind the program's. */
export const namesBehindProgram = (command: Command): readonly string[] =>
  command.parent === null ? [] : [...namesBehindProgram(command.parent), command.name()];

/** The same in one text: `repo add`. */
export const pathOf = (command: Command): string => namesBehindProgram(command).join(' ');

/** Errors: `unknown-command`, worded as cobra words it, with the names that may be meant. */
export function unknownCommand(name: string, group: string, names: readonly string[]): TshelmError {
  const alike = names.filter((one) => isNear(one, name) || one.startsWith(name));
  const near = alike.length > 0 ? alike : [nearest(name, names) ?? []].flat();
  const hint = near.length === 0 ? '' : `\nDid you mean this?\n${near.map((one) => `\t${one}\n`).join('')}\n`;
  const message = `unknown command ${JSON.stringify(name)} for "${group}"\n${hint}Run '${group} --help' for usage.`;
  return new TshelmError('unknown-command', { message });
}
