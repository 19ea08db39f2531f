/** The line, counted from 1, at which maps in block style have these keys, one inside the other; undefined where they are written otherwise. */
export function lineOfKeys(text: string, keys: readonly string[]): number | undefined {
  const lines = text.split('\n');
  let from = 0;
  let outer = -1;
  for (const key of keys) {
    const margin =
      lines
        .slice(from)
        .map(indentOf)
        .find((indent) => indent !== undefined) ?? -1;
    if (margin <= outer) return undefined;
    const rest = lines.slice(from);
    const end = rest.findIndex((line) => (indentOf(line) ?? margin) < margin);
    const inside = end < 0 ? rest : rest.slice(0, end);
    const at = inside.findIndex((line) => indentOf(line) === margin && keyOf(line) === key);
    if (at < 0) return undefined;
    from += at + 1;
    outer = margin;
  }
  return from;
}

const indentOf = (line: string): number | undefined => /^( *)[^\s#]/.exec(line)?.[1]?.length;
const keyOf = (line: string): string | undefined => /^ *(["']?)([^"'#:{}[\],]+)\1\s*:(?:\s|$)/.exec(line)?.[2];
