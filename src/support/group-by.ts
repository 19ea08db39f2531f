/** Adds a value to the list that a map holds under a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The items by what `keyOf` says of them, in their order; the keys are in the order of their first items. */
export function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Of the items of one key the last one. */
export const lastOfEach = <K, T>(items: readonly T[], keyOf: (item: T) => K): readonly T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];
