import { isObject } from '../support/json.ts';

/** JSON as CEL sees it: whole numbers are `int`, as in Go's unstructured objects. */
export function celValue(json: unknown): unknown {
  if (Number.isSafeInteger(json)) return BigInt(json as number);
  if (Array.isArray(json)) return json.map(celValue);
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, member]) => (member === undefined ? [] : [[key, celValue(member)]])),
  );
}
