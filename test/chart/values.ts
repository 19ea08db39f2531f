import { GoInt, type GoMap, type Value } from '../../src/go/value.ts';

/** Values as the fixtures have them: plain JSON, an int64 as `{ int64: '5' }`. */
export function typedJson(value: Value): unknown {
  if (value instanceof GoInt) return { int64: String(value.value) };
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, typedJson(item)]));
  return Array.isArray(value) ? value.map(typedJson) : value;
}

/** The way back for plain JSON: numbers are float64, as in values.yaml. */
export function valueOf(json: unknown): Value {
  if (Array.isArray(json)) return json.map(valueOf);
  if (typeof json !== 'object' || json === null) return json as Value;
  return mapOf(json as Record<string, unknown>);
}

export const mapOf = (json: Record<string, unknown>): GoMap =>
  new Map(Object.entries(json).map(([key, item]) => [key, valueOf(item)]));
