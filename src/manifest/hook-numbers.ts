import { isDigits, isInteger } from '../support/text.ts';

/** `helm.sh/hook-weight` as Go's strconv.Atoi reads it; undefined where that refuses it, which Helm takes for 0. */
export function hookWeight(text: string): number | undefined {
  if (!isInteger(text)) return undefined;
  const weight = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, weight) === weight ? Number(weight) : undefined;
}

/** `helm.sh/hook-delete-timeout`; undefined where it is no whole number from 0. */
export const hookDeleteSeconds = (text: string): number | undefined => (isDigits(text) ? Number(text) : undefined);

/** `helm.sh/hook-timeout`; undefined where it is no whole number from 1. */
export const hookSeconds = (text: string): number | undefined => hookDeleteSeconds(text) || undefined;
