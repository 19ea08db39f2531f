import { writeJson } from '../go/json/json.ts';
import type { GoMap } from '../go/value.ts';

/** Where two sets of values differ: of each place its keys from the outermost, in their order. Lists count as a whole. */
export function differingKeys(one: GoMap, other: GoMap, above: readonly string[] = []): readonly (readonly string[])[] {
  const keys = [...new Set([...one.keys(), ...other.keys()])].sort();
  return keys.flatMap((key) => {
    const [a, b] = [one.get(key), other.get(key)];
    const path = [...above, key];
    if (a instanceof Map && b instanceof Map) return differingKeys(a, b, path);
    const isSame = a !== undefined && b !== undefined && writeJson(a) === writeJson(b);
    return isSame ? [] : [path];
  });
}
