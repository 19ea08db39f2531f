import { formatFloat } from '../go/strconv/format-float.ts';
import { goSyntax } from './go-syntax.ts';
import { isMergeKey, type Meaning, meaningOf } from './meaning.ts';
import { type MappingNode, maxNesting, type ScalarNode, type YamlNode } from './parser.ts';
import { YamlProblem } from './tokens.ts';

/** What a document becomes: the collections and the integers of the caller's choice. */
export interface Shape<T> {
  readonly integer: (value: bigint | number) => T;
  readonly scalar: (value: string | number | boolean | null) => T;
  readonly list: (items: T[]) => T;
  readonly map: (entries: Map<string, T>) => T;
}

/**
 * The value of a node, by the rules of go.yaml.in/yaml/v2 (decode.go) and of the conversion to JSON that
 * sigs.k8s.io/yaml adds: each alias is a copy, a merge key sets its keys at its own place, a later key replaces an
 * earlier one (or fails, where `isStrict`), and every key becomes a string. Throws YamlProblem.
 */
export function decode<T>(node: YamlNode, shape: Shape<T>, isStrict: boolean): T {
  return new Decoder(shape, isStrict).document(node);
}

class Decoder<T> {
  private readonly shape: Shape<T>;
  private readonly isStrict: boolean;
  private readonly duplicates: YamlProblem[] = [];
  /** Go finds these only when it writes the JSON, so any other problem comes first. */
  private unwritable: YamlProblem | undefined;
  private decoded = 1;
  private decodedInAliases = 0;
  private depth = 0;
  private readonly openAliases = new Set<YamlNode>();

  constructor(shape: Shape<T>, isStrict: boolean) {
    this.shape = shape;
    this.isStrict = isStrict;
  }

  document(node: YamlNode): T {
    const value = this.node(node);
    const [first] = this.duplicates;
    if (first !== undefined) {
      const lines = this.duplicates.map(({ message }) => `\n  ${message}`).join('');
      throw new YamlProblem(`unmarshal errors:${lines}`, first.mark, 0, 'yaml-key-twice');
    }
    if (this.unwritable !== undefined) throw this.unwritable;
    return value;
  }

  private node(node: YamlNode): T {
    this.count(node);
    switch (node.kind) {
      case 'scalar':
        return this.scalar(node);
      case 'alias':
        return this.inAlias(node, () => this.node(node.target));
      case 'sequence':
        return this.nested(node, () => this.shape.list(node.items.map((item) => this.node(item))));
      case 'mapping':
        return this.nested(node, () => {
          const entries = new Map<string, T>();
          this.mappingInto(node, entries, new Set());
          return this.shape.map(entries);
        });
    }
  }

  /** Go's guard against documents that unfold into far more than they say. */
  private count(node: YamlNode): void {
    this.decoded += 1;
    if (this.openAliases.size > 0) this.decodedInAliases += 1;
    const isExcessive =
      this.decodedInAliases > 100 &&
      this.decoded > 1000 &&
      this.decodedInAliases / this.decoded > allowedAliasRatio(this.decoded);
    if (isExcessive) throw new YamlProblem('document contains excessive aliasing', node, 0);
  }

  private inAlias<R>(alias: YamlNode & { kind: 'alias' }, read: () => R): R {
    if (this.openAliases.has(alias)) throw new YamlProblem(`anchor '${alias.name}' value contains itself`, alias, 0);
    this.openAliases.add(alias);
    const result = this.nested(alias, read);
    this.openAliases.delete(alias);
    return result;
  }

  private nested<R>(node: YamlNode, read: () => R): R {
    this.depth += 1;
    if (this.depth > maxNesting) throw new YamlProblem(`exceeded max depth of ${maxNesting}`, node, 0);
    const result = read();
    this.depth -= 1;
    return result;
  }

  /** `seen` has the keys with their types, as only the strict reader must tell 1 from "1". */
  private mappingInto(node: MappingNode, entries: Map<string, T>, seen: Set<string>): void {
    const { pairs } = node;
    for (let index = 0; index < pairs.length; index += 2) {
      const key = pairs[index] as YamlNode;
      const value = pairs[index + 1] as YamlNode;
      if (isMergeKey(key)) this.merge(value, entries, seen);
      else this.pair(key, value, entries, seen);
    }
  }

  private pair(keyNode: YamlNode, valueNode: YamlNode, entries: Map<string, T>, seen: Set<string>): void {
    this.count(keyNode);
    const scalar = this.keyScalar(keyNode);
    const key = this.keyText(scalar, keyNode, valueNode);
    const value = this.node(valueNode);
    if (this.isStrict) {
      const typedKey = `${scalar.kind} ${key}`;
      if (seen.has(typedKey)) {
        const problem = `line ${valueNode.line + 1}: key ${goSyntax(keyNode)} already set in map`;
        this.duplicates.push(new YamlProblem(problem, keyNode, 0));
        return;
      }
      seen.add(typedKey);
    }
    entries.set(key, value);
  }

  private merge(node: YamlNode, entries: Map<string, T>, seen: Set<string>): void {
    switch (node.kind) {
      case 'mapping':
        return this.mergeOne(node, entries, seen);
      case 'alias':
        return this.mergeOne(node, entries, seen);
      case 'sequence':
        for (const item of node.items.toReversed()) this.mergeOne(item, entries, seen);
        return;
      case 'scalar':
        throw notMergeable(node);
    }
  }

  private mergeOne(node: YamlNode, entries: Map<string, T>, seen: Set<string>): void {
    this.count(node);
    if (node.kind === 'mapping') return this.nested(node, () => this.mappingInto(node, entries, seen));
    if (node.kind !== 'alias' || node.target.kind !== 'mapping') throw notMergeable(node);
    const { target } = node;
    this.inAlias(node, () => {
      this.count(target);
      this.mappingInto(target, entries, seen);
    });
  }

  private keyScalar(node: YamlNode): Meaning {
    if (node.kind === 'scalar') return meaningOf(node);
    if (node.kind === 'alias') return this.inAlias(node, () => this.keyScalar(node.target));
    // What is wrong inside the key comes first.
    this.node(node);
    throw new YamlProblem(`invalid map key: ${goSyntax(node)}`, node, 0);
  }

  private keyText(scalar: Meaning, key: YamlNode, value: YamlNode): string {
    switch (scalar.kind) {
      case 'bool':
        return String(scalar.value);
      case 'float':
        return floatKey(scalar.value);
      case 'int':
        if (scalar.value < 2n ** 63n) return String(scalar.value);
        this.unwritable ??= unsupportedKey('uint64', key, value);
        return '';
      case 'null':
        this.unwritable = unsupportedKey('%!s(<nil>)', key, value);
        return '';
      default:
        return scalar.text;
    }
  }

  private scalar(node: ScalarNode): T {
    const { shape } = this;
    const scalar = meaningOf(node);
    switch (scalar.kind) {
      case 'null':
        return shape.scalar(null);
      case 'bool':
        return shape.scalar(scalar.value);
      case 'int':
        return shape.integer(scalar.value);
      case 'float':
        if (!Number.isFinite(scalar.value)) this.unwritable ??= unsupportedNumber(scalar.value, node);
        return shape.scalar(scalar.value);
      default:
        return shape.scalar(scalar.text);
    }
  }
}

// Up to 400,000 nodes nearly all may come from aliases, from 4,000,000 on a tenth.
function allowedAliasRatio(decoded: number): number {
  const [low, high] = [400_000, 4_000_000];
  if (decoded <= low) return 0.99;
  return decoded >= high ? 0.1 : 0.99 - 0.89 * ((decoded - low) / (high - low));
}

const notMergeable = (node: YamlNode): YamlProblem =>
  new YamlProblem('map merge requires map or sequence of maps as the value', node, 0);

const unsupportedKey = (type: string, key: YamlNode, value: YamlNode): YamlProblem =>
  new ConversionProblem(
    `unsupported map key of type: ${type}, key: ${type === 'uint64' ? goSyntax(key) : '<nil>'}, value: ${goSyntax(value)}`,
    key,
    0,
  );

const unsupportedNumber = (value: number, node: YamlNode): YamlProblem =>
  new ConversionProblem(`json: unsupported value: ${formatFloat(value, 'g', -1)}`, node, 0);

/** A problem that the YAML library itself does not have: its message goes without "yaml: ". */
export class ConversionProblem extends YamlProblem {}

/** Keys are written with the precision of a float32. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  if (single === 0) return formatFloat(single, 'g', -1);
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(single.toPrecision(digits));
    if (Math.fround(rounded) === single) return formatFloat(rounded, 'g', -1);
  }
  return formatFloat(Number(single.toPrecision(9)), 'g', -1);
}
