import type { YamlNode } from './parser.ts';
import { lastPairsOf, readYamlNode, withoutAlias } from './version3.ts';

/** Where a value is in a text, and how much of the way to it the text has. */
export interface KeyPlace {
  /** Of the last key that is there; counted from 1. */
  readonly line: number;
  /** How many keys are there. */
  readonly found: number;
}

/**
 * Where a YAML or JSON text has the value that these keys lead to, one inside the other (of a list: the item's number), or
 * the last of them that it has. What an alias or a merge key brings is where its anchor is. Undefined where the text
 * has not even the first key, or is no YAML.
 */
export function placeOfKeys(text: string, keys: readonly string[]): KeyPlace | undefined {
  let node: YamlNode | undefined;
  let place: KeyPlace | undefined;
  try {
    node = nodeOf(text);
    for (const [index, key] of keys.entries()) {
      const member = node && memberOf(withoutAlias(node), key);
      if (member === undefined) break;
      node = member.value;
      place = { line: member.line + 1, found: index + 1 };
    }
  } catch {
    // A text that is no YAML has no line for a key; its own error names the place.
    return undefined;
  }
  return place;
}

/** The text that was read last: a file with many mistakes is asked for a place for each. */
let last: { readonly text: string; readonly node: YamlNode | undefined } | undefined;

function nodeOf(text: string): YamlNode | undefined {
  if (last?.text !== text) last = { text, node: readYamlNode(text) };
  return last.node;
}

/** The line, counted from 1, at which a text has the value that these keys lead to; undefined where it has none. */
export function lineOfKeys(text: string, keys: readonly string[]): number | undefined {
  const place = placeOfKeys(text, keys);
  return place?.found === keys.length ? place.line : undefined;
}

function memberOf(node: YamlNode, key: string): { readonly line: number; readonly value: YamlNode } | undefined {
  if (node.kind === 'sequence') {
    const item = node.items[Number(key)];
    return item && { line: item.line, value: item };
  }
  if (node.kind !== 'mapping') return undefined;
  const pair = lastPairsOf(node).find((one) => one.key === key);
  return pair && { line: pair.keyNode.line, value: pair.value };
}
