import { isDigits, isInteger } from '../support/text.ts';

/** `helm.sh/hook-weight` as Go's strconv.Atoi reads it; undefined where that refuses it, which Helm takes for 0. */
export function hookWeight(text: string): number | undefined {
  if (!isInteger(text)) return undefined;
  const weight = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, weight) === weight ? Number(weight) : undefined;
}

/** `helm.sh/hook-delete-timeout`; undefined where it is no whole number from 0, or one that is too large. */
export function hookDeleteSeconds(text: string): number | undefined {
  const seconds = isDigits(text) ? Number(text) : Number.NaN;
  return seconds <= mostSeconds ? seconds : undefined;
}

/** `helm.sh/hook-timeout`; the same, and more than 0. */
export const hookSeconds = (text: string): number | undefined => hookDeleteSeconds(text) || undefined;

/** As for `activeDeadlineSeconds` of a Pod: 68 years. */
const mostSeconds = 2 ** 31 - 1;
