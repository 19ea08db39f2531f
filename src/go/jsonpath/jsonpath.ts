import { compareText } from '../../support/order.ts';
import { formatValue } from '../fmt/format.ts';
import { writeJson } from '../json/json.ts';
import { encodeText } from '../text.ts';
import { GoError, GoInt, goTypeOf, type Value } from '../value.ts';
import { type JsonPathList, type JsonPathNode, parseJsonPath } from './parser.ts';

/** A JSONPath template as kubectl knows it (k8s.io/client-go/util/jsonpath). */
export interface JsonPath {
  /**
   * What the template finds, a list for each of its actions and each round of its ranges. `undefined` is Go's invalid
   * value. Throws GoError where a path leads to nothing, or a comparison makes no sense.
   */
  find(data: Value): Value[][];
  /** What was found as text: maps and lists as JSON, a blank between the results of one action. Throws as `find`. */
  text(data: Value): string;
}

export interface JsonPathOptions {
  /** A field that is not there finds nothing, instead of failing. */
  readonly allowMissingKeys?: boolean | undefined;
}

/** Throws GoError for a template that cannot be read: `unclosed action`. */
export function jsonPath(template: string, { allowMissingKeys = false }: JsonPathOptions = {}): JsonPath {
  const { nodes } = parseJsonPath(template);
  const find = (data: Value): Value[][] => new Search(allowMissingKeys).results(nodes, data);
  return {
    find,
    text: (data) =>
      find(data)
        .map((results) => results.map(textOf).join(' '))
        .join(''),
  };
}

function textOf(value: Value): string {
  if (value instanceof Map || Array.isArray(value)) return writeJson(value);
  if (value === undefined) return '<no value>';
  return value === null ? 'null' : formatValue(value);
}

/** One run of a template: knows how many ranges are open. */
class Search {
  private readonly allowMissingKeys: boolean;
  private rangesBegun = 0;
  private rangesOpen = 0;
  private rangesEnded = 0;
  private lastEnd: JsonPathNode | undefined;

  constructor(allowMissingKeys: boolean) {
    this.allowMissingKeys = allowMissingKeys;
  }

  /** JSONPath.FindResults: stops at the `end` of the range that it runs for. */
  results(nodes: readonly JsonPathNode[], data: Value): Value[][] {
    const found: Value[][] = [];
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index] as JsonPathNode;
      const values = this.walk([data], node);
      if (this.rangesEnded > 0 && this.rangesEnded <= this.rangesOpen) {
        this.rangesEnded--;
        this.lastEnd = node;
        break;
      }
      if (this.rangesBegun === 0) {
        found.push(values);
        continue;
      }
      this.rangesBegun--;
      found.push(...this.range(nodes.slice(index + 1), values));
      const end = this.lastEnd === undefined ? -1 : nodes.indexOf(this.lastEnd, index + 1);
      if (end !== -1) index = end;
    }
    return found;
  }

  /** The nodes of a range once for each value; without values once for nobody, to find its end. */
  private range(nodes: readonly JsonPathNode[], values: readonly Value[]): Value[][] {
    this.rangesOpen++;
    const found = values.flatMap((value) => this.results(nodes, value ?? undefined));
    if (values.length === 0) this.results(nodes, undefined);
    this.rangesOpen--;
    return found;
  }

  private walk(input: readonly Value[], node: JsonPathNode): Value[] {
    switch (node.kind) {
      case 'list':
        return this.list(input, node);
      case 'text':
        return [node.text];
      case 'literal':
        return input.map(() => node.value);
      case 'identifier':
        return this.identifier(input, node.name);
      case 'field':
        return this.field(input, node.name);
      case 'wildcard':
        return input.flatMap(children);
      case 'recursive':
        return descendants(input);
      case 'union':
        return node.lists.flatMap((list) => this.list(input, list));
      case 'slice':
        return input.filter((value) => value !== null).flatMap((value) => sliced(value, node));
      case 'filter':
        return input.flatMap((value) => this.filtered(value, node));
      default:
        return node satisfies never;
    }
  }

  private list(input: readonly Value[], { nodes }: JsonPathList): Value[] {
    return nodes.reduce<Value[]>((values, node) => this.walk(values, node), [...input]);
  }

  private identifier(input: readonly Value[], name: string): Value[] {
    if (name === 'range') {
      this.rangesBegun++;
      return [...input];
    }
    if (name !== 'end') throw new GoError(`unrecognized identifier ${name}`);
    if (this.rangesOpen === 0) throw new GoError('not in range, nothing to end');
    this.rangesEnded++;
    return [];
  }

  private field(input: readonly Value[], name: string): Value[] {
    if (input.length === 0) return [];
    const found = input.flatMap((value) => (value instanceof Map && value.has(name) ? [value.get(name)] : []));
    if (found.length === 0 && !this.allowMissingKeys) throw new GoError(`${name} is not found`);
    return found;
  }

  private filtered(value: Value, filter: Extract<JsonPathNode, { kind: 'filter' }>): Value[] {
    if (!Array.isArray(value)) {
      throw new GoError(`${formatValue(value)} is not array or slice and cannot be filtered`);
    }
    return value.filter((item) => this.passes(item, filter));
  }

  private passes(item: Value, { left, operator, right }: Extract<JsonPathNode, { kind: 'filter' }>): boolean {
    if (right === undefined) return this.exists(item, left);
    const lefts = atMostOne(this.list([item], left));
    if (lefts.length === 0) return false;
    const rights = atMostOne(this.list([item], right));
    return rights.length > 0 && holds(lefts[0], operator, rights[0]);
  }

  private exists(item: Value, path: JsonPathList): boolean {
    try {
      return this.list([item], path).length > 0;
    } catch (error) {
      if (error instanceof GoError) return false;
      throw error;
    }
  }
}

function atMostOne(values: readonly Value[]): readonly Value[] {
  if (values.length > 1) throw new GoError('can only compare one element at a time');
  return values;
}

/** The values of a map by its sorted keys, the items of a list, the bytes of a text. */
function children(value: Value): Value[] {
  if (value instanceof Map) return [...value].sort(([a], [b]) => compareText(a, b)).map(([, item]) => item);
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [];
  return Array.from(encodeText(value), (byte) => new GoInt('uint8', BigInt(byte)));
}

const descendants = (input: readonly Value[]): Value[] =>
  input.flatMap((value) => {
    const inner = children(value);
    return inner.length === 0 ? [] : [value, ...descendants(inner)];
  });

function sliced(value: Value, { start, end, step }: Extract<JsonPathNode, { kind: 'slice' }>): Value[] {
  if (!Array.isArray(value)) throw new GoError(`${goTypeOf(value)} is not array or slice`);
  const { length } = value;
  const from = fromEnd(start.value ?? 0, length);
  const isLast = end.value === 0 && end.isDerived === true;
  const to = isLast ? length : fromEnd(end.value ?? length, length);
  if (from === to) return [];
  checkBounds(from, to, length);
  if (step.value !== undefined && step.value <= 0) throw new GoError('step must be > 0');
  return value.slice(from, to).filter((_item, index) => index % (step.value ?? 1) === 0);
}

const fromEnd = (index: number, length: number): number => (index < 0 ? index + length : index);

function checkBounds(from: number, to: number, length: number): void {
  const outside = (index: number): GoError =>
    new GoError(`array index out of bounds: index ${index}, length ${length}`);
  if (from >= length || from < 0) throw outside(from);
  if (to > length || to < 0) throw outside(to - 1);
  if (from > to) throw new GoError(`starting index ${from} is greater than ending index ${to}`);
}

function holds(left: Value, operator: string, right: Value): boolean {
  switch (operator) {
    case '==':
      return equals(left, right);
    case '!=':
      return !equals(left, right);
    case '<':
      return isLess(left, right);
    case '<=':
      return isLess(left, right) || equals(left, right);
    case '>':
      return !isLess(left, right) && !equals(left, right);
    case '>=':
      return !isLess(left, right);
    default:
      throw new GoError(`unrecognized filter operator ${operator}`);
  }
}

function equals(left: Value, right: Value): boolean {
  const [a, b] = comparable(left, right);
  return a === b;
}

function isLess(left: Value, right: Value): boolean {
  const [a, b] = comparable(left, right);
  if (typeof a === 'boolean') throw new GoError('invalid type for comparison');
  return typeof a === 'string' ? compareText(a, b as string) < 0 : a < (b as typeof a);
}

type Comparable = boolean | string | number | bigint;

/** Both as what can be compared; an integer and a float cannot. */
function comparable(left: Value, right: Value): [Comparable, Comparable] {
  const [a, b] = [basic(left), basic(right)];
  if (typeof a !== typeof b) throw new GoError('incompatible types for comparison');
  return [a, b];
}

function basic(value: Value): Comparable {
  if (value instanceof GoInt) return value.value;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new GoError('invalid type for comparison');
}
