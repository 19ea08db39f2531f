import { GoInt, type GoMap, goInt, type Value } from '../go/value.ts';
import { isMergeKey, type Meaning, meaningOf } from './meaning.ts';
import { type MappingNode, Parser, type ScalarNode, type YamlNode } from './parser.ts';
import { readable } from './readable.ts';
import { isOldBoolean } from './resolve.ts';
import { YamlProblem } from './tokens.ts';

export type { MappingNode, ScalarNode, YamlNode } from './parser.ts';

/** The document of a YAML text as nodes, for readers that know the types they want; undefined where there is none. Throws `YamlError`. */
export function readYamlNode(text: string): YamlNode | undefined {
  return withGoErrors(() => new Parser(readable(text)).document());
}

/** What an unquoted date becomes: Go's time.Time, which templates know and this room does not. */
export type TimeOf = (text: string) => Value;

/**
 * The value of a document as go.yaml.in/yaml/v3 reads it into `any`: integers are Go ints; null for none. Throws
 * `YamlError`.
 */
export function readYaml3(text: string, timeOf: TimeOf): Value {
  const node = readYamlNode(text);
  return node === undefined ? null : valueOfNode(node, timeOf);
}

/** The value of a node, by the rules of go.yaml.in/yaml/v3; every key becomes a string. Throws `YamlError`. */
export const valueOfNode = (node: YamlNode, timeOf: TimeOf): Value =>
  withGoErrors(() => new Reader(timeOf).value(node));

/** What a scalar means to v3: of YAML 1.1's booleans only true and false are left. */
export function meaningOfScalar(node: ScalarNode): Meaning {
  const isText = node.tag === '' && node.isImplicit && isOldBoolean(node.value);
  return isText ? { kind: 'str', text: node.value } : meaningOf(node);
}

/** What an alias stands for. */
export const withoutAlias = (node: YamlNode): YamlNode => (node.kind === 'alias' ? withoutAlias(node.target) : node);

export interface Pair {
  readonly key: string;
  readonly keyNode: YamlNode;
  readonly value: YamlNode;
}

/** The members of a mapping; what a merge key brings comes after its own, where it has no such key. Throws `YamlError`. */
export const pairsOf = (node: MappingNode): Pair[] => withGoErrors(() => membersOf(node, new Set()));

/** The same of a text that sigs.k8s.io/yaml reads: of a key that occurs twice, the last. */
export const lastPairsOf = (node: MappingNode): Pair[] => withGoErrors(() => membersOf(node, new Set(), true));

function membersOf(node: MappingNode, open: ReadonlySet<YamlNode>, isLastOfKey = false): Pair[] {
  const own = new Map<string, Pair>();
  const merged: YamlNode[] = [];
  for (let index = 0; index < node.pairs.length; index += 2) {
    const keyNode = node.pairs[index] as YamlNode;
    const value = node.pairs[index + 1] as YamlNode;
    if (isMergeKey(keyNode)) {
      merged.push(value);
      continue;
    }
    const key = keyText(keyNode);
    const before = own.get(key);
    if (before !== undefined && !isLastOfKey) {
      const text = `mapping key ${JSON.stringify(key)} already defined at line ${before.keyNode.line + 1}`;
      throw new YamlProblem(`unmarshal errors:\n  line ${keyNode.line + 1}: ${text}`, keyNode, 0, 'yaml-key-twice');
    }
    own.set(key, { key, keyNode, value });
  }
  for (const source of merged.flatMap(mergedMappings)) {
    if (open.has(source)) throw new YamlProblem('anchor value contains itself', source, source.line + 1);
    for (const pair of membersOf(source, new Set([...open, source]), isLastOfKey))
      if (!own.has(pair.key)) own.set(pair.key, pair);
  }
  return [...own.values()];
}

function mergedMappings(node: YamlNode): MappingNode[] {
  const target = withoutAlias(node);
  if (target.kind === 'mapping') return [target];
  if (target.kind === 'sequence') return target.items.flatMap(mergedMappings);
  throw new YamlProblem('map merge requires map or sequence of maps as the value', node, node.line + 1);
}

function keyText(node: YamlNode): string {
  const target = withoutAlias(node);
  if (target.kind !== 'scalar') throw new YamlProblem('invalid map key', node, node.line + 1);
  return target.value;
}

/** So many nodes a document may unfold to by its aliases. */
const maxNodes = 2_000_000;

class Reader {
  private readonly timeOf: TimeOf;
  private count = 0;
  private readonly open = new Set<YamlNode>();

  constructor(timeOf: TimeOf) {
    this.timeOf = timeOf;
  }

  value(node: YamlNode): Value {
    this.count += 1;
    if (this.count > maxNodes) throw new YamlProblem('document contains excessive aliasing', node, 0);
    switch (node.kind) {
      case 'alias':
        return this.alias(node.target, node.name);
      case 'scalar':
        return scalarValue(node, this.timeOf);
      case 'sequence':
        return node.items.map((item) => this.value(item));
      case 'mapping':
        return this.mapping(node);
    }
  }

  private alias(target: YamlNode, name: string): Value {
    if (this.open.has(target)) throw new YamlProblem(`anchor '${name}' value contains itself`, target, 0);
    this.open.add(target);
    const value = this.value(target);
    this.open.delete(target);
    return value;
  }

  private mapping(node: MappingNode): GoMap {
    return new Map(membersOf(node, new Set()).map(({ key, value }): [string, Value] => [key, this.value(value)]));
  }
}

function scalarValue(node: ScalarNode, timeOf: TimeOf): Value {
  const meaning = meaningOfScalar(node);
  switch (meaning.kind) {
    case 'null':
      return null;
    case 'bool':
      return meaning.value;
    case 'int':
      return BigInt(meaning.value) < 2n ** 63n
        ? goInt(BigInt(meaning.value))
        : new GoInt('uint64', BigInt(meaning.value));
    case 'float':
      return meaning.value;
    case 'timestamp':
      return timeOf(meaning.text);
    case 'str':
      return meaning.text;
  }
}

function withGoErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof YamlProblem ? error.asError('yaml: ', 3) : error;
  }
}
