import type { Extent, Lines } from '../support/lines.ts';
import { pairsOf, readYamlNode, type YamlNode } from '../yaml/index.ts';

/** A key of a YAML text. */
export interface KeyPlace extends Extent {
  readonly keys: readonly string[];
  /** Of its value: map, list or anything else. */
  readonly holds: YamlNode['kind'];
}

/** The keys of a YAML text, in its order; [] of a text that is no YAML. Items of lists have their numbers for keys. */
export function keysIn(lines: Lines): readonly KeyPlace[] {
  try {
    const root = readYamlNode(lines.text);
    const found: KeyPlace[] = [];
    if (root !== undefined) addKeys(root, [], { lines, found });
    return found;
  } catch {
    // Its diagnostics say why.
    return [];
  }
}

function addKeys(
  node: YamlNode,
  above: readonly string[],
  into: { readonly lines: Lines; readonly found: KeyPlace[] },
): void {
  if (node.kind === 'sequence') {
    for (const [index, item] of node.items.entries()) addKeys(item, [...above, String(index)], into);
    return;
  }
  if (node.kind !== 'mapping') return;
  for (const { key, keyNode, value } of pairsOf(node)) {
    const keys = [...above, key];
    const line = into.lines.line(keyNode.line);
    const at = line.indexOf(key, keyNode.column);
    // What an alias or a merge key brings is elsewhere, and is found there.
    if (at === keyNode.column || at === keyNode.column + 1) {
      const from = into.lines.offsetAt({ line: keyNode.line, character: at });
      into.found.push({ keys, from, until: from + key.length, holds: value.kind });
    }
    addKeys(value, keys, into);
  }
}

/** The key that holds an index. */
export const keyAt = (lines: Lines, offset: number): KeyPlace | undefined =>
  keysIn(lines).find(({ from, until }) => from <= offset && offset <= until);

/**
 * The keys of the maps around a place that is being written, by its indentation and that of the lines above it; items of
 * lists are `*`. Lines of templates' actions count as nothing. `indent`: of what is being written.
 */
export function keysAround(lines: Lines, line: number, indent: number, first = 0): readonly string[] {
  const keys: string[] = [];
  let limit = indent;
  for (let at = line - 1; at >= first && limit > 0; at--) {
    const written = lines.line(at).replace(/\{\{.*?\}\}/g, (action) => 'x'.repeat(action.length));
    const found = /^(\s*)((?:- +)*)(?:"([^"]+)"|'([^']+)'|([\w./$-]+)):(?:\s|$)/.exec(written);
    const dashes = /^(\s*)-(?:\s|$)/.exec(written);
    if (/^\s*(?:#|$|x+\s*$)/.test(written)) continue;
    if (found !== null) {
      const [, spaces = '', items = '', ...names] = found;
      const column = spaces.length + items.length;
      const key = names.find((one) => one !== undefined) as string;
      const isList = items !== '' && spaces.length < limit && column >= limit;
      if (column < limit) {
        keys.unshift(key);
        limit = column;
      }
      if (items !== '' && spaces.length < limit) {
        keys.unshift('*');
        limit = spaces.length + (isList ? 0 : 0);
        // The key of the list may appear as far to the left as its items.
        limit += 1;
      }
    } else if (dashes !== null && (dashes[1] as string).length < limit) {
      keys.unshift('*');
      limit = (dashes[1] as string).length + 1;
    }
  }
  return keys;
}

interface KeyBefore extends Extent {
  readonly line: number;
  readonly indent: number;
  /** Nothing but the beginning of a key is before the place. */
  readonly isKey: boolean;
}

/** The key that is being written at a place. */
export function keyBefore(lines: Lines, offset: number): KeyBefore {
  const { line, character } = lines.positionAt(offset);
  const written = lines.line(line);
  const [, before = '', word = ''] = /^(\s*(?:- +)*)([\w./-]*)$/.exec(written.slice(0, character)) ?? [];
  const isKey = before.length + word.length === character;
  const rest = /^[\w./-]*(?::\s?)?/.exec(written.slice(character))?.[0].length ?? 0;
  const from = offset - word.length;
  return { line, indent: before.length, isKey, from, until: offset + rest };
}
