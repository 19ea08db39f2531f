import { indentOf, isListItem } from '../support/text.ts';
import { type MappingNode, readYamlNode, type YamlNode } from '../yaml/index.ts';

/**
 * Small changes of a YAML document that leave the rest of its text as it is, comments and layout included. They know the
 * layouts of ordinary manifests: the caller compares what the new text means.
 */

/** The text with one more annotation, the last of them. */
export function withAnnotation(text: string, name: string, value: string): string {
  const keys = ['metadata', 'annotations'];
  const there = wayTo(text, keys);
  const full = there.findLastIndex(({ value: node }) => node.kind === 'mapping' && node.pairs.length > 0) + 1;
  const rest = full < there.length ? withoutMember(text, keys.slice(0, full + 1)) : text;
  return withLastMember(rest, keys.slice(0, full), [...keys.slice(full), name], `'${value.replaceAll("'", "''")}'`);
}

/** The text without the member that these keys lead to, and without what it leaves empty. */
export function withoutMember(text: string, keys: readonly string[]): string {
  const whole = wayTo(text, keys);
  if (whole.length < keys.length) return text;
  const last = whole.findLastIndex(({ mapping }, index) => index === 0 || mapping.pairs.length > 2);
  const way = whole.slice(0, last + 1);
  const { mapping, index, key, next } = way[last] as Member;
  const { brace } = mapping;
  if (brace === undefined) {
    const lines = text.split('\n');
    lines.splice(key.line, endOfBlock(lines, way, key.column + 1) - key.line);
    return lines.join('\n');
  }
  const offset = offsetsIn(text);
  if (next !== undefined) return text.slice(0, offset(key)) + text.slice(offset(next));
  const start = index === 0 ? offset(key) : text.lastIndexOf(',', offset(key));
  return text.slice(0, start) + text.slice(text.slice(0, offset(brace)).trimEnd().length);
}

/** The texts of a List's items, with the comments above those in block style; undefined for another document. */
export function itemTexts(text: string): readonly string[] | undefined {
  const way = wayTo(text, ['items']);
  const [items] = way;
  if (items?.value.kind !== 'sequence') return undefined;
  const lines = text.split('\n');
  const offset = offsetsIn(text);
  const starts = items.value.items.map((item) => startOfItem(lines, item, items.key.line + 1));
  const end = endOfBlock(lines, way, items.key.column + 1);
  return items.value.items.map((item, index) => {
    if (item.kind === 'mapping' && item.brace) return text.slice(offset(item), offset(item.brace) + 1);
    return blockText(lines, item, starts[index] as number, starts[index + 1] ?? end);
  });
}

interface Member {
  readonly mapping: MappingNode;
  /** Of its key in the pairs. */
  readonly index: number;
  readonly key: YamlNode;
  readonly value: YamlNode;
  /** The key behind it. */
  readonly next: YamlNode | undefined;
}

/** The members that these keys lead through, one inside the other, as far as they are there. */
function wayTo(text: string, keys: readonly string[]): readonly Member[] {
  const way: Member[] = [];
  let node = readYamlNode(text);
  for (const key of keys) {
    const member: Member | undefined = node?.kind === 'mapping' ? memberOf(node, key) : undefined;
    if (member === undefined) break;
    way.push(member);
    node = member.value;
  }
  return way;
}

function memberOf(mapping: MappingNode, name: string): Member | undefined {
  const { pairs } = mapping;
  for (let index = 0; index < pairs.length; index += 2) {
    const key = pairs[index] as YamlNode;
    const isIt = key.kind === 'scalar' && key.value === name;
    if (isIt) return { mapping, index, key, value: pairs[index + 1] as YamlNode, next: pairs[index + 2] };
  }
  return undefined;
}

/** The text with `a: {b: value}` behind the last member of the mapping that `keys` lead to. */
function withLastMember(text: string, keys: readonly string[], added: readonly string[], value: string): string {
  const way = wayTo(text, keys);
  const mapping = keys.length === 0 ? readYamlNode(text) : way.at(-1)?.value;
  if (mapping?.kind !== 'mapping') return text;
  const { brace, pairs } = mapping;
  if (brace !== undefined) {
    const end = text.slice(0, offsetsIn(text)(brace)).trimEnd().length;
    const member = added.reduceRight(
      (inner, key, index) => `${key}: ${index < added.length - 1 ? `{${inner}}` : inner}`,
      value,
    );
    return `${text.slice(0, end)}, ${member}${text.slice(end)}`;
  }
  const column = pairs[0]?.column ?? 0;
  const lines = text.split('\n');
  const member = added.map((key, index) => `${' '.repeat(column + 2 * index)}${key}:`).join('\n');
  lines.splice(endOfBlock(lines, way, column), 0, `${member} ${value}`);
  return lines.join('\n');
}

/** The line behind the last member of the way; comments count for it from this column on. */
function endOfBlock(lines: readonly string[], way: readonly Member[], column: number): number {
  let end = way.findLast(({ next }) => next !== undefined)?.next?.line ?? lines.length;
  while (end > 0 && isBetween(lines[end - 1] ?? '', column)) end -= 1;
  return end;
}

const isBetween = (line: string, column: number): boolean => {
  const indentation = indentOf(line);
  return indentation < 0 || (line[indentation] === '#' && indentation < column);
};

function offsetsIn(text: string): (place: { readonly line: number; readonly column: number }) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return ({ line, column }) => (starts[line] ?? text.length) + column;
}

/** The line of an item's dash, or of the comments above it. */
function startOfItem(lines: readonly string[], item: YamlNode, first: number): number {
  let start = item.line;
  while (start > first && !isListItem(lines[start] ?? '')) start -= 1;
  const column = indentOf(lines[start] ?? '') + 1;
  while (start > first && indentOf(lines[start - 1] ?? '') >= 0 && isBetween(lines[start - 1] ?? '', column))
    start -= 1;
  return start;
}

function blockText(lines: readonly string[], item: YamlNode, start: number, end: number): string {
  const indentation = new RegExp(`^ {0,${item.column}}`);
  const comments = lines.slice(start, item.line).filter((line) => line.trimStart().startsWith('#'));
  return [
    ...comments.map((line) => line.trimStart()),
    (lines[item.line] ?? '').slice(item.column),
    ...lines.slice(item.line + 1, end).map((line) => line.replace(indentation, '')),
  ].join('\n');
}
