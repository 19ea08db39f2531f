import { shownValue } from '../../chart/shown-value.ts';
import type { Value } from '../../go/value.ts';
import { splitOnce } from '../../support/text.ts';
import { keysText } from '../../words/value.ts';
import { setBy } from './given-values.ts';

/** Whether a log may keep the values of a flag (`--set=db.host=a,db.port=1`). */
export function isPublic(flag: string): boolean {
  const { values, leaves } = readFlag(flag);
  return leaves.length > 0 && leaves.every((keys) => shownValue(values, keys) !== undefined);
}

/** The flag without its values: `--set db.host=…,db.password=…`. */
export function withoutValues(flag: string): string {
  const { name, leaves } = readFlag(flag);
  return leaves.length === 0 ? name : `${name} ${leaves.map((keys) => `${keysText(keys)}=…`).join(',')}`;
}

function readFlag(flag: string) {
  const [name, text = ''] = splitOnce(flag, '=');
  const values = setBy(name, text);
  return { name, values, leaves: leavesOf(values, []) };
}

/** The keys of everything but maps and lists; a null says nothing. */
function leavesOf(value: Value, keys: readonly string[]): readonly (readonly string[])[] {
  if (value === null) return [];
  const members =
    value instanceof Map
      ? [...value]
      : Array.isArray(value)
        ? value.map((one, at) => [String(at), one] as const)
        : undefined;
  return members === undefined ? [keys] : members.flatMap(([key, one]) => leavesOf(one, [...keys, key]));
}
