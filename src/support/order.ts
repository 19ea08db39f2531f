/** Orders text as Go's `<` on strings does: by Unicode code point, never by locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

// UTF-16 puts surrogates (code points above U+FFFF) below U+E000; code point order puts them last.
const codePointRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** The entries of a map or record, by key in Go's order. */
export function sortedEntries<T>(entries: ReadonlyMap<string, T> | Readonly<Record<string, T>>): [string, T][] {
  const pairs: [string, T][] = entries instanceof Map ? [...entries] : Object.entries(entries as Record<string, T>);
  return pairs.sort(([a], [b]) => compareText(a, b));
}
