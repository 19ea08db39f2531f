import { sortedEntries } from '../../support/order.ts';
import { writeJson } from './json.ts';

type Fields = readonly (readonly [name: string, json: string | undefined])[];

/** A JSON object with its fields in the given order, as Go writes a struct; undefined fields are left out. */
export const jsonObject = (fields: Fields): string => `{${jsonFields(fields).join(',')}}`;

/** The fields of such an object, each as `"name":json`. */
export const jsonFields = (fields: Fields): readonly string[] =>
  fields.flatMap(([name, json]) => (json === undefined ? [] : [`"${name}":${json}`]));

export const jsonList = (items: readonly string[]): string => `[${items.join(',')}]`;

export const jsonText = (text: string): string => writeJson(text);

type Omittable = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** Go's `omitempty`: undefined for what Go leaves out (empty text, 0, false, no items). */
export function omitEmpty(value: Omittable | undefined): string | undefined {
  if (value === undefined || value === '' || value === 0 || value === false) return undefined;
  if (typeof value === 'string') return jsonText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isList(value)) return value.length === 0 ? undefined : jsonList(value.map(jsonText));
  const entries = sortedEntries(value);
  return entries.length === 0 ? undefined : writeJson(new Map(entries));
}

const isList = (value: readonly string[] | Readonly<Record<string, string>>): value is readonly string[] =>
  Array.isArray(value);
