import type { Command } from 'commander';
import { atoi } from '../../go/strconv/strconv.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';

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
    const message = `"${fullName(command)}" ${demand}\n\nUsage:  ${fullName(command)} ${command.usage()}`;
    return new TshelmError('wrong-arguments', { message });
  };
  if (exactly !== undefined && given.length !== exactly) throw fails(exactly, 'requires');
  if (given.length < atLeast) throw fails(atLeast, 'requires at least');
  if (given.length > atMost) throw fails(atMost, 'accepts at most');
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
