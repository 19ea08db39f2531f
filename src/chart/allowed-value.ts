import { ifReadable } from '../go/if-readable.ts';
import { decodeText } from '../go/text.ts';
import type { AllowedValue } from '../problem/remedy.ts';
import { isObject } from '../support/json.ts';
import { isDigits } from '../support/text.ts';

/**
 * What a values.schema.json asks of a value, as far as it is written out under `properties` and `items`. Undefined where
 * it says no more there than a type, which the validator names, or is no JSON.
 */
export function allowedValue(schema: Uint8Array | undefined, keys: readonly string[]): AllowedValue | undefined {
  if (schema === undefined) return undefined;
  const found = keys.reduce<unknown>(memberOf, parsed(schema));
  if (!isObject(found)) return undefined;
  const { type, pattern, minimum, maximum, minLength, enum: choice, examples, default: usual } = found;
  const example = Array.isArray(examples) ? (examples as unknown[])[0] : usual;
  const rules = { pattern, minimum, maximum, minLength, choice, example };
  if (Object.values(rules).every((rule) => rule === undefined)) return undefined;
  return {
    types: [type].flat().filter((name): name is string => typeof name === 'string'),
    choice: Array.isArray(choice) ? choice.map((one) => JSON.stringify(one)) : undefined,
    pattern: pattern === undefined ? undefined : String(pattern),
    minimum: numberOf(minimum),
    maximum: numberOf(maximum),
    minLength: numberOf(minLength),
    example: example === undefined ? undefined : JSON.stringify(example),
  };
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function memberOf(at: unknown, key: string): unknown {
  if (!isObject(at)) return undefined;
  const { properties, items } = at;
  return isDigits(key) && items !== undefined ? items : isObject(properties) ? properties[key] : undefined;
}

const parsed = (schema: Uint8Array): unknown => ifReadable((): unknown => JSON.parse(decodeText(schema)));
