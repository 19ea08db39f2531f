import {
  meaningOfScalar,
  type Pair,
  pairsOf,
  readYamlNode,
  withoutAlias,
  YamlError,
  type YamlNode,
} from '../yaml/index.ts';

/**
 * Reads a YAML text as Go's yaml.v3 decodes it into a struct. Values of another kind than the struct's are reported together,
 * each with its line. Throws {@link YamlError} in Go's words.
 */
export function readStruct<T>(text: string, type: string, read: (fields: Fields) => T): T {
  const node = readYamlNode(text);
  if (node === undefined) throw new YamlError('EOF');
  const problems: string[] = [];
  const value = read(new Fields(node, type, problems));
  if (problems.length > 0) throw new YamlError(`yaml: unmarshal errors:\n${problems.join('\n')}`);
  return value;
}

/** The members of a mapping. A member that is missing, null or of another kind is empty. */
export class Fields {
  readonly names: readonly string[];
  readonly #members: ReadonlyMap<string, Pair>;
  readonly #problems: string[];

  /** `type` is the Go type that the mapping is decoded into; no node is an empty mapping. */
  constructor(node: YamlNode | undefined, type: string, problems: string[]) {
    this.#problems = problems;
    const target = node === undefined ? undefined : withoutAlias(node);
    if (target !== undefined && target.kind !== 'mapping' && !isNull(target)) this.#refuse(target, type);
    const pairs = target?.kind === 'mapping' ? pairsOf(target) : [];
    this.#members = new Map(pairs.map((pair) => [pair.key, pair]));
    this.names = [...this.#members.keys()];
  }

  /** Tells the members that the struct has not. Go: Decoder.KnownFields. */
  refuseOthers(known: readonly string[], type: string): void {
    for (const { key, keyNode } of this.#members.values())
      if (!known.includes(key)) this.#problem(keyNode, `field ${key} not found in type ${type}`);
  }

  /** Numbers and booleans are the text as written. */
  text(name: string): string {
    const node = this.#present(name);
    return node === undefined ? '' : this.#textOf(node);
  }

  flag(name: string): boolean {
    const node = this.#present(name);
    if (node === undefined) return false;
    const meaning = node.kind === 'scalar' ? meaningOfScalar(node) : undefined;
    if (meaning?.kind === 'bool') return meaning.value;
    this.#refuse(node, 'bool');
    return false;
  }

  texts(name: string): readonly string[] {
    return this.#items(name, '[]string').map((item) => this.#textOf(item));
  }

  /** The mappings of a list; `type` is the Go type of one. */
  each(name: string, type: string): readonly Fields[] {
    return this.#items(name, `[]${type}`).map((item) => new Fields(item, type, this.#problems));
  }

  /** A mapping within this one; empty where there is none. */
  within(name: string, type: string): Fields {
    return new Fields(this.#present(name), type, this.#problems);
  }

  #items(name: string, type: string): readonly YamlNode[] {
    const node = this.#present(name);
    if (node === undefined) return [];
    if (node.kind === 'sequence') return node.items.map(withoutAlias);
    this.#refuse(node, type);
    return [];
  }

  #present(name: string): YamlNode | undefined {
    const pair = this.#members.get(name);
    if (pair === undefined) return undefined;
    const node = withoutAlias(pair.value);
    return isNull(node) ? undefined : node;
  }

  #textOf(node: YamlNode): string {
    if (node.kind === 'scalar') return isNull(node) ? '' : node.value;
    this.#refuse(node, 'string');
    return '';
  }

  #refuse(node: YamlNode, type: string): void {
    this.#problem(node, `cannot unmarshal ${shownAs(node)} into ${type}`);
  }

  #problem(node: YamlNode, text: string): void {
    this.#problems.push(`  line ${node.line + 1}: ${text}`);
  }
}

const isNull = (node: YamlNode): boolean => node.kind === 'scalar' && meaningOfScalar(node).kind === 'null';

function shownAs(node: YamlNode): string {
  if (node.kind !== 'scalar') return node.kind === 'sequence' ? '!!seq' : '!!map';
  const { value } = node;
  return `!!${meaningOfScalar(node).kind} \`${value.length > 10 ? `${value.slice(0, 7)}...` : value}\``;
}
