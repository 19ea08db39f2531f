import { valueIn } from '../chart/tables.ts';
import type { ReadField, Scope } from './influences.ts';
import { distinct, type Keys, withValueAt } from './refused-values.ts';

/** So many values are tried at most. */
const maxTried = 60;

/** Whether a rendered field says nothing. */
export const isEmptyField = (text: string | undefined): boolean => text === undefined || /^(?:null|\s*)$/.test(text);

/**
 * Of values that templates name the first one that is empty, or not set, and fills a field that is empty once it is set;
 * undefined where none does, or the field is not empty.
 */
export function valueThatFills(read: ReadField, { values }: Scope, named: readonly Keys[]): Keys | undefined {
  if (!isEmptyField(read(values))) return undefined;
  const fills = (keys: Keys): boolean => {
    try {
      return !isEmptyField(read(withValueAt(values, keys, 'x')));
    } catch {
      // What cannot be rendered tells nothing.
      return false;
    }
  };
  return distinct(named)
    .filter((keys) => isNothing(valueIn(values, keys)))
    .slice(0, maxTried)
    .find(fills);
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';
