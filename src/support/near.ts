/** Whether two names differ by one letter added, lost, changed or swapped with its neighbour. */
export function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === [...right].reverse().join(''));
}

const leastShared = 4;

/** Whether one may be meant by the other: {@link isNear}, or one of them is the other with something before or behind it. */
export function isAlike(a: string, b: string): boolean {
  if (isNear(a, b)) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= leastShared && (long.startsWith(short) || long.endsWith(short));
}

/**
 * The name that was probably meant by a word: the only one that differs least, in case alone or by a third of the
 * letters at most, or else the only one that begins with it. Undefined where there is none, or no telling which.
 */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  const others = [...new Set(names)].filter((name) => name !== word && name !== '');
  const mostEdits = Math.max(1, Math.trunc(word.length / 3));
  const ranked = others
    .filter((name) => Math.abs(name.length - word.length) <= mostEdits)
    .map((name) => ({ name, edits: editsBetween(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= mostEdits && edits < word.length - 1)
    .sort((a, b) => a.edits - b.edits);
  const [first, second] = ranked;
  if (first !== undefined) return first.edits === second?.edits ? undefined : first.name;
  const longer = others.filter((name) => word.length > 3 && name.startsWith(word));
  return longer.length === 1 ? longer[0] : undefined;
}

/** How many letters are added, lost, changed, or swapped with a neighbour, to make one word the other (Damerau, Levenshtein). */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, changed);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) edits = Math.min(edits, (before[j - 2] as number) + 1);
      row.push(edits);
    }
    before = last;
    last = row;
  }
  return last[b.length] as number;
}
