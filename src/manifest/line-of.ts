import { literalPattern } from '../support/pattern.ts';
/**
 * The line of a YAML document, counted from 1, at which a path leads to a value: of each key the first line after the one
 * before that has it, of an item the line of its dash. As far as the path is found, for a text has many forms.
 */
export function lineOfPath(text: string, path: readonly (string | number)[]): number {
  const lines = text.split('\n');
  let at = firstContent(lines);
  for (const part of path) {
    const found = typeof part === 'number' ? lineOfItem(lines, at, part) : lineOfKey(lines, at, part);
    if (found < 0) break;
    at = found;
  }
  return at + 1;
}

const firstContent = (lines: readonly string[]): number =>
  Math.max(
    0,
    lines.findIndex((line) => /^\s*[^\s#]/.test(line)),
  );

function lineOfKey(lines: readonly string[], from: number, key: string): number {
  const pattern = new RegExp(`(?:^|[\\s{,-])["']?${literalPattern(key)}["']?\\s*:`);
  return lines.findIndex((line, index) => index >= from && pattern.test(line));
}

/** The nth dash among those that stand as far left as the first one. */
function lineOfItem(lines: readonly string[], from: number, item: number): number {
  const first = lines.findIndex((line, index) => index > from && /^\s*-(?:\s|$)/.test(line));
  const margin = lines[first]?.indexOf('-') ?? 0;
  let count = -1;
  return lines.findIndex((line, index) => {
    if (index < first || line.indexOf('-') !== margin || !/^\s*-(?:\s|$)/.test(line)) return false;
    count += 1;
    return count === item;
  });
}
