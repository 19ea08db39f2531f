import { messageOf } from '../../../src/support/errors.ts';
import { NoCounterpart } from './go-values.ts';
import type { RecordedCall } from './records.ts';

/** What Go answered and what tshelm answers, in one form. */
export interface Answers {
  readonly go: unknown;
  readonly ours: unknown;
}

/** Asks tshelm what a test of Helm asked Helm. Throws NoCounterpart where tshelm cannot be asked that. */
export type Twin = (call: RecordedCall) => Answers | Promise<Answers>;

/** The twins by the operations that they stand for: `strvals.Parse`. */
export type Twins = Readonly<Record<string, Twin>>;

/** A result, or the text of the error. */
export interface Outcome {
  readonly value?: unknown;
  readonly error?: string | undefined;
}

/** What a function gives; its value is of no matter where it fails. */
export async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof NoCounterpart) throw error;
    return { error: messageOf(error) };
  }
}

/** The findings of a schema, and the names in one, come in the order of Go's maps, another one in each run. */
export const inOrder = (text: string | undefined): string | undefined =>
  text
    ?.split('\n')
    .map((line) => line.replaceAll(',', '').split(' ').sort().join(' '))
    .sort()
    .join('\n');

/** The same of what Go gave. */
export const outcome = (value: unknown, error: string | undefined): Outcome =>
  error === undefined ? { value } : { error };
