import type { Command } from 'commander';
import { atoi } from '../../go/strconv/strconv.ts';
import { type TrustOptions, unaskedSigner } from '../../source/chart-access.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { isNear } from '../../support/near.ts';
import { FlagOption } from './flag-option.ts';

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

/** What the flags about trust say must be so before anything is done. Errors: `bad-arguments`, `trust-policy-invalid`. */
export async function checkTrustFlags(
  command: Command,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { trustPolicy } = command.opts<TrustOptions>();
  if (flagOf(command, 'verify') !== undefined) requireVerification(command);
  const policy = trustPolicy || env['TSHELM_TRUST_POLICY'];
  if (policy && flagOf(command, 'trustPolicy') !== undefined)
    (await import('../../source/trust/policy.ts')).readTrustPolicy(policy);
}

/** `--trusted-root` for the option `trustedRoot`. */
const flagOf = (command: Command, option: string): string | undefined =>
  command.options.find((one) => one.attributeName() === option)?.long ?? undefined;

function requireVerification(command: Command): void {
  const given = command.opts<TrustOptions & { readonly verifyImages?: boolean }>();
  const isSaid = command.getOptionValueSource('verify') === 'cli';
  // The files of a stack may ask.
  if (given.verifyImages === true || (!isSaid && pathOf(command).startsWith('stack '))) return;
  const signer = unaskedSigner({ ...given, verify: isSaid ? given.verify : undefined });
  if (signer === undefined) return;
  const ways = ['--verify=sigstore', flagOf(command, 'verifyImages')].filter((way) => way !== undefined);
  const message = `${flagOf(command, signer)} names a signer, but no signature of sigstore is checked: add ${ways.join(' or ')}`;
  throw new TshelmError('bad-arguments', { message });
}

function detachedValue(command: Command, given: readonly string[]): string {
  const flag = detachedFlag(command, given);
  return flag === undefined ? '' : `Did you mean ${flag}?\n\n`;
}

/** What is meant where an argument is the value of an option that takes its value behind `=` alone: `--wait ordered`. */
export function detachedFlag(command: Command, given: readonly string[]): string | undefined {
  for (const option of command.options) {
    if (!(option instanceof FlagOption) || option.alone === undefined) continue;
    const value = option.words.find((word) => given.includes(word));
    if (value === undefined || command.getOptionValueSource(option.attributeName()) !== 'cli') continue;
    return `${option.long}=${value}`;
  }
  return undefined;
}

/**
 * Helm takes a word behind `--wait` for one more release, and one behind a revision for nothing. Beside a name it is
 * refused: the release would be gone, or rolled back without order. `given` is the line as it was typed, `words` are its
 * arguments. Errors: `bad-arguments`.
 */
export function refuseDetachedValue(command: Command, given: readonly string[], words: readonly string[]): void {
  const most = new Map([
    ['uninstall', 1],
    ['rollback', 2],
  ]).get(pathOf(command));
  if (most === undefined || words.length <= most) return;
  for (const option of command.options) {
    if (!(option instanceof FlagOption) || option.alone === undefined) continue;
    const value = given.find((word, index) => given[index - 1] === option.long && option.words.includes(word));
    if (value === undefined) continue;
    const message = `${value} is taken for an argument behind ${option.long}: did you mean ${option.long}=${value}?`;
    throw new TshelmError('bad-arguments', { message });
  }
}

/** The way out where the only argument is a path or a URL, and stands where the name of the release does: `upgrade ./shop`. */
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
  const near = names.filter((one) => isNear(one, name) || one.startsWith(name));
  const hint = near.length === 0 ? '' : `\nDid you mean this?\n${near.map((one) => `\t${one}\n`).join('')}\n`;
  const message = `unknown command ${JSON.stringify(name)} for "${group}"\n${hint}Run '${group} --help' for usage.`;
  return new TshelmError('unknown-command', { message });
}
