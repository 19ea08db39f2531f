import { type Fields, isObject } from '../support/json.ts';

/**
 * Of a live object, the fields that a change touches: those that one of the samples sets, the new manifest or the one
 * before it. Items of a list are told apart by their names; a list without them is touched as a whole.
 */
export function touchedFields(live: unknown, samples: readonly unknown[]): unknown {
  if (isObject(live)) {
    const inside = samples.filter(isObject);
    // Nothing is set inside: `{}` says that it is there.
    const keys = Object.keys(live).filter((key) => inside.some((sample) => key in sample));
    return Object.fromEntries(keys.map((key) => [key, touchedFields(live[key], valuesAt(inside, key))]));
  }
  if (isNamedList(live)) {
    const lists = samples.filter(isNamedList);
    if (lists.length === 0 || lists.length < samples.filter(Array.isArray).length) return live;
    return live.flatMap((item) => {
      const same = lists.flatMap((list) => list.filter(({ name }) => name === item.name));
      return same.length === 0 ? [] : [touchedFields(item, same)];
    });
  }
  return live;
}

const valuesAt = (samples: readonly Fields[], key: string): readonly unknown[] =>
  samples.flatMap((sample) => (key in sample ? [sample[key]] : []));

const isNamedList = (value: unknown): value is readonly (Fields & { readonly name: string })[] =>
  Array.isArray(value) && value.every((item) => isObject(item) && typeof item['name'] === 'string');
