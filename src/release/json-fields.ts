import { type GoMap, goInt64, type Value } from '../go/value.ts';
import { asObject, type Fields } from '../support/json.ts';

export const objectField = (json: Fields, key: string): Fields => asObject(json[key]);

export const listField = (json: Fields, key: string): readonly unknown[] =>
  Array.isArray(json[key]) ? (json[key] as unknown[]) : [];

export const textListField = (json: Fields, key: string): readonly string[] =>
  listField(json, key).filter((item) => typeof item === 'string');

export const textField = (json: Fields, key: string): string => optionalText(json, key) ?? '';

export const optionalText = (json: Fields, key: string): string | undefined =>
  typeof json[key] === 'string' ? json[key] : undefined;

export const integerField = (json: Fields, key: string): number =>
  typeof json[key] === 'number' ? Math.trunc(json[key]) : 0;

export const bytesField = (json: Fields, key: string): Uint8Array => Buffer.from(textField(json, key), 'base64');

/**
 * Values as Go's encoding/json reads them into `map[string]any`: every number becomes a float64. A bigint stays an integer
 * where Go would write that float64 with other digits.
 */
export const valuesField = (json: Fields, key: string): GoMap => toValue(objectField(json, key)) as GoMap;

export function toValue(json: unknown): Value {
  if (typeof json === 'bigint') return isFloatText(json) ? Number(json) : goInt64(json);
  if (Array.isArray(json)) return json.map(toValue);
  if (typeof json !== 'object' || json === null) return json as Value;
  return new Map(Object.entries(json).map(([key, item]) => [key, toValue(item)]));
}

/** Whether the digits are those that Go, and JavaScript, write for a float64; or too many for an int64. */
const isFloatText = (integer: bigint): boolean =>
  String(Number(integer)) === String(integer) || BigInt.asIntN(64, integer) !== integer;
