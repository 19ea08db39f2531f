import { ifReadable } from '../go/if-readable.ts';
import { decodeText } from '../go/text.ts';
import { isObject } from '../support/json.ts';

/**
 * What a values.schema.json asks of a value, in words: `a string that matches ^[0-9]+Gi$`, `one of "a", "b"`. Of what is
 * written out under `properties` and `items`; undefined where it says no more there than the validator, or is no JSON.
 */
export function schemaWish(schema: Uint8Array | undefined, keys: readonly string[]): string | undefined {
  if (schema === undefined) return undefined;
  const found = keys.reduce<unknown>(memberOf, parsed(schema));
  if (!isObject(found)) return undefined;
  const { type, pattern, minimum, maximum, minLength, enum: choice, examples, default: usual } = found;
  const limits = [
    pattern === undefined ? [] : `that matches ${String(pattern)}`,
    minimum === undefined ? [] : `of at least ${String(minimum)}`,
    maximum === undefined ? [] : `of at most ${String(maximum)}`,
    minLength === undefined ? [] : `of at least ${String(minLength)} characters`,
  ].flat();
  const example = Array.isArray(examples) ? (examples as unknown[])[0] : usual;
  const what = Array.isArray(choice) ? `one of ${choice.map((one) => JSON.stringify(one)).join(', ')}` : typeName(type);
  // Types and bounds alone stand in the validator's words.
  if (pattern === undefined && choice === undefined && example === undefined) return undefined;
  const such = example === undefined ? '' : `, such as ${JSON.stringify(example)}`;
  return `${[what ?? 'a value', limits.join(' and ')].filter((part) => part !== '').join(' ')}${such}`;
}

const typeName = (type: unknown): string | undefined => {
  const names = [type].flat().filter((name): name is string => typeof name === 'string');
  return names.length === 0
    ? undefined
    : names.map((name) => `${/^[aio]/.test(name) ? 'an' : 'a'} ${name}`).join(' or ');
};

function memberOf(at: unknown, key: string): unknown {
  if (!isObject(at)) return undefined;
  const { properties, items } = at;
  return /^\d+$/.test(key) && items !== undefined ? items : isObject(properties) ? properties[key] : undefined;
}

const parsed = (schema: Uint8Array): unknown => ifReadable((): unknown => JSON.parse(decodeText(schema)));
