import type { Value } from '../../go/value.ts';
import { splitOnce } from '../../support/text.ts';
import { keysText } from '../../words/value.ts';
import { setBy } from './given-values.ts';

/** The flag without its values: `--set db.host=…,db.password=…`. */
export function withoutValues(flag: string): string {
  const [name, text = ''] = splitOnce(flag, '=');
  const leaves = leavesOf(setBy(name, text), []);
  return leaves.length === 0 ? name : `${name} ${leaves.map((keys) => `${keysText(keys)}=…`).join(',')}`;
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
