/** JSON as data. Objects are never changed in place: a change is a new object. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json | undefined;
}

/** An object of JSON or YAML whose members nobody has checked. */
export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A token of a JSON pointer as the key that it means: RFC 6901, section 4. */
export const pointerKey = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The keys of a JSON pointer: `/a/x~1y` is `a` and `x/y`. */
export const pointerKeys = (pointer: string): string[] => pointer.split('/').slice(1).map(pointerKey);

/** The object; {} in the place of anything else. */
export const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

export const isJsonObject = (value: unknown): value is JsonObject => isObject(value);

/** The object at `key`; undefined where there is none or something else. */
export function objectAt(parent: JsonObject | undefined, ...keys: readonly string[]): JsonObject | undefined {
  let at: JsonObject | undefined = parent;
  for (const key of keys) {
    const next: Json | undefined = at?.[key];
    at = isJsonObject(next) ? next : undefined;
  }
  return at;
}

/** The value at a path of keys; undefined where the path breaks off. */
export function valueAt(parent: JsonObject | undefined, ...keys: readonly string[]): Json | undefined {
  const last = keys.at(-1) as string;
  return objectAt(parent, ...keys.slice(0, -1))?.[last];
}

/** The objects of a list; [] where there is no list. */
export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

export const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export const numberOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** The entries of a map of strings (labels, annotations); {} where there is none. */
export function textMap(value: Json | undefined): Record<string, string> {
  return isJsonObject(value) ? (value as Record<string, string>) : {};
}

export const cloneJson = (value: Json): Json => structuredClone(value);

/** Deep equality; a key whose value is undefined counts as absent. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  for (const key of Object.keys(a)) if (!equalJson(a[key], b[key])) return false;
  for (const key of Object.keys(b)) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}

/** The object without some of its keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  const rest = { ...object };
  for (const key of keys) delete rest[key];
  return rest;
}

/** The object without the keys whose value is undefined. */
export function compact(object: object): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** JSON with sorted keys, for messages and hashes. */
export function canonicalJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

/** A value in a sentence: texts and numbers as they are, nothing as '', the rest as JSON. */
export function plain(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? canonicalJson(value) : String(value);
}

/** JSON with the characters that Go escapes: <, >, & and the line separators of Unicode. */
export const escapedJson = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
