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
