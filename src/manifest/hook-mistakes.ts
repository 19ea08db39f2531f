import { isNear } from '../support/near.ts';
import { isDigits, isInteger } from '../support/text.ts';
import { annotations } from './annotations.ts';
import { hookEvents } from './types.ts';

/** A wrong value of a hook's annotation, and what it means: `helm.sh/hook-weight is "abc", …`. */
export interface HookMistake {
  readonly key: string;
  readonly message: string;
}

const events: readonly string[] = [...hookEvents, 'test-success', 'test-failure', 'crd-install'];
const deletePolicies = ['before-hook-creation', 'hook-succeeded', 'hook-failed'];
const logPolicies = ['hook-succeeded', 'hook-failed'];

/** What is wrong with a hook's annotations (docs/ordering.md, 6): Helm passes over all of it without a word. */
export function hookMistakes(given: Readonly<Record<string, unknown>> = {}): readonly HookMistake[] {
  const text = (key: string): string | undefined => (given[key] === undefined ? undefined : String(given[key] ?? ''));
  const [weight, timeout] = [text(annotations.hookWeight), text(annotations.hookDeleteTimeout)];
  return [
    ...unknownWords(annotations.hook, text(annotations.hook), events, 'the hook is ignored'),
    ...(weight === undefined || weight === '' || hookWeight(weight) !== undefined
      ? []
      : [
          mistake(
            annotations.hookWeight,
            weight,
            `is ${isInteger(weight) ? 'too large' : 'not a whole number'} and counts as 0`,
          ),
        ]),
    ...unknownWords(
      annotations.hookDeletePolicy,
      text(annotations.hookDeletePolicy),
      deletePolicies,
      'the value has no effect',
    ),
    ...unknownWords(
      annotations.hookOutputLogPolicy,
      text(annotations.hookOutputLogPolicy),
      logPolicies,
      'the value has no effect',
    ),
    ...(timeout === undefined || hookDeleteSeconds(timeout) !== undefined
      ? []
      : [mistake(annotations.hookDeleteTimeout, timeout, 'is not a whole number of seconds and counts as 60')]),
  ];
}

/** `helm.sh/hook-weight` as Go's strconv.Atoi reads it; undefined where that refuses it, which Helm takes for 0. */
export function hookWeight(text: string): number | undefined {
  if (!isInteger(text)) return undefined;
  const weight = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, weight) === weight ? Number(weight) : undefined;
}

/** `helm.sh/hook-delete-timeout`; undefined where it is no whole number from 0. */
export const hookDeleteSeconds = (text: string): number | undefined => (isDigits(text) ? Number(text) : undefined);

const mistake = (key: string, value: string, problem: string): HookMistake => ({
  key,
  message: `${key} is ${JSON.stringify(value)}, which ${problem}`,
});

function unknownWords(
  key: string,
  text: string | undefined,
  known: readonly string[],
  effect: string,
): readonly HookMistake[] {
  if (text === undefined) return [];
  const words = text.split(',').map((word) => word.trim().toLowerCase());
  return words
    .filter((word) => !known.includes(word))
    .map((word) => {
      const near = known.find((one) => isNear(one, word));
      const hint = near === undefined ? `use one of ${known.join(', ')}` : `did you mean ${near}?`;
      return { key, message: `${key} has the unknown value ${JSON.stringify(word)}, so ${effect}; ${hint}` };
    });
}
