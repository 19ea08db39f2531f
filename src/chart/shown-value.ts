import { GoInt, type Value } from '../go/value.ts';
import { isSecretName } from '../support/secret-names.ts';
import { valueIn } from './tables.ts';

const longest = 60;

/**
 * A value as it may be told beside its place: `8080`, `"two"`. Undefined of maps and lists, of long texts, and of what may
 * be a secret by its keys, by the `name` beside it (`{name: DB_PASSWORD, value: x}`), or by its form.
 */
export function shownValue(values: Value, keys: readonly string[]): string | undefined {
  const holder = keys.at(-1) === 'value' ? valueIn(values, keys.slice(0, -1)) : undefined;
  const names = [...keys, holder instanceof Map ? holder.get('name') : undefined];
  if (names.some((name) => typeof name === 'string' && isSecretName(name))) return undefined;
  const value = valueIn(values, keys);
  if (value instanceof GoInt) return String(value.value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value.length > longest || value.includes('\n')) return undefined;
  return seemsSecret.test(value) ? undefined : JSON.stringify(value);
}

/** A password in a URL, or so many letters and digits that no word can be read in them. */
const seemsSecret = /:\/\/[^/\s]*:[^/\s]*@|(?=[A-Za-z+=]*\d)(?=[\d+=]*[A-Za-z])[A-Za-z0-9+=]{20,}/;
