import { type FieldPath, pathText, valueAtPath } from '../manifest/field-path.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { nearest } from '../support/near.ts';
import { pathInto } from './refused-fields.ts';

/** What a field must hold instead of a text, by the API server's words; the way out names the text. */
export function typeFixes(message: string, object: KubernetesObject): readonly string[] {
  const typed = message.matchAll(/(?:^|[\s(])\.?(\S+): expected (numeric|boolean)(?: \([^)]*\))?, got string/g);
  return [...typed].flatMap(([, field = '', type = '']) => {
    const value = valueAtPath(object, pathInto(object, field));
    if (typeof value !== 'string') return [];
    const [meant, isMeant] = wanted[type as keyof typeof wanted];
    const way = isMeant.test(value) ? `: write ${value} without quotes` : `, not ${JSON.stringify(value)}`;
    return [`${field} must be ${meant}${way}`];
  });
}

/** What was probably meant by texts that are no quantities: `write 512Mi or 512M instead of 512MB`. */
export function quantityFixes(message: string, object: KubernetesObject, fields: readonly FieldPath[]) {
  if (!message.includes('quantities must match the regular expression')) return [];
  return fields.flatMap((path) => {
    const text = String(valueAtPath(object, path));
    const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([kKMGTPE])i?[bB](?:ytes)?$/.exec(text) ?? [];
    const binary = unit.toUpperCase();
    return number === undefined ? [] : [`write ${number}${binary}i or ${number}${unit} instead of ${text}`];
  });
}

/** One of a few texts that is nearly the one that stands there: `Unsupported value: "Loadbalancer": supported values: …`. */
export function choiceFixes(message: string): readonly string[] {
  const refused = message.matchAll(/Unsupported value: "([^"]+)": supported values: ((?:"[^"]*"(?:, )?)+)/g);
  return [...refused].flatMap(([, value = '', list = '']) => {
    const meant = nearest(
      value,
      [...list.matchAll(/"([^"]*)"/g)].map(([, one = '']) => one),
    );
    return meant === undefined ? [] : [`did you mean ${meant} instead of ${value}?`];
  });
}

/** Of fields that the kind does not have, those that stand one level too high: below an empty one, or labels in metadata. */
export function indentFixes(message: string, object: KubernetesObject): readonly string[] {
  const unknown = message.matchAll(/(?:^|[\s(])\.?(\S+): field not declared in schema|unknown field "([^"]+)"/g);
  const ways = [...unknown].flatMap(([, typed, strict = '']) => {
    const path = pathInto(object, typed ?? strict);
    const key = path.at(-1);
    const holder = path.slice(0, -1);
    const beside = Object.entries((valueAtPath(object, holder) ?? {}) as object);
    const before = beside.slice(
      0,
      Math.max(
        0,
        beside.findIndex(([name]) => name === key),
      ),
    );
    const [empty] = before.findLast(([, value]) => value === null) ?? [];
    if (empty !== undefined) return [`indent ${key} further: ${pathText([...holder, empty])} above it is empty`];
    if (pathText(holder) !== 'metadata' || !String(key).includes('/')) return [];
    return [`indent ${key} further: labels belong below metadata.labels, annotations below metadata.annotations`];
  });
  return [...new Set(ways)];
}

const wanted = {
  numeric: ['a number', /^-?\d+(?:\.\d+)?$/],
  boolean: ['true or false', /^(?:true|false)$/],
} as const;

/** Of quantities that are none, which they are: the API server says neither the field nor the text. */
export function quantityProblem(message: string, object: KubernetesObject, fields: readonly FieldPath[]) {
  if (!message.includes('quantities must match the regular expression')) return undefined;
  const told = fields.map(
    (path) => `${pathText(path)}: ${JSON.stringify(valueAtPath(object, path))} is not a quantity`,
  );
  return told.length === 0 ? undefined : told.join(', ');
}
