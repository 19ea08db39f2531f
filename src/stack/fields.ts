import { type GoList, type GoMap, goInt, type Value } from '../go/value.ts';
import { anyOf } from '../render/yaml-values.ts';
import { inOwnOrder, meaningOfScalar, pairsOf, withoutAlias, type YamlNode } from '../yaml/index.ts';
import { deepCopyOf, isEmptyValue, type MergeMode } from './value-maps.ts';

/** What is wrong in a file, to be reported with all the rest. */
export type Complain = (node: YamlNode, problem: string) => void;

/**
 * A type of a field of helmfile's structs: how it is read, merged, and written. `undefined` is Go's zero value; a pointer
 * keeps its zero apart from nil, so that `installed: false` is not the same as nothing.
 */
export interface FieldType<T> {
  /** What may appear there, for whoever writes it. Default: anything. */
  readonly shape?: FieldShape;
  read(node: YamlNode, complain: Complain): T | undefined;
  merge(into: T, from: T, mode: MergeMode): T;
  write(value: T): Value;
  /** What is written where there is no value; without it the field is left out. */
  readonly zero?: Value;
}

export type FieldShape =
  | { readonly kind: 'text' | 'number' }
  /** Nothing is to be written there. */
  | { readonly kind: 'none' }
  | { readonly kind: 'choice'; readonly words: readonly string[] }
  | { readonly kind: 'list' | 'map'; readonly of: FieldShape | undefined }
  | { readonly kind: 'struct'; readonly fields: Fields };

export type Fields = Readonly<Record<string, FieldType<unknown>>>;

/** The data of a struct. */
export type DataOf<F> = { readonly [Name in keyof F]?: F[Name] extends FieldType<infer T> ? T | undefined : never };

const isNull = (node: YamlNode): boolean => node.kind === 'scalar' && meaningOfScalar(node).kind === 'null';

const shortTag = (node: YamlNode): string => {
  if (node.kind === 'mapping') return '!!map';
  if (node.kind === 'sequence') return '!!seq';
  return node.kind === 'scalar' ? `!!${meaningOfScalar(node).kind} \`${node.value.slice(0, 10)}\`` : '!!alias';
};

const cannot = (node: YamlNode, type: string): string => `cannot unmarshal ${shortTag(node)} into ${type}`;

/** A node that is of another type. */
const other = Symbol('other');

/** Reads all but null, and complains of what is of another type. */
const reading =
  <T>(type: string, read: (node: YamlNode, complain: Complain) => T | undefined | typeof other): FieldType<T>['read'] =>
  (given, complain) => {
    const node = withoutAlias(given);
    if (isNull(node)) return undefined;
    const value = read(node, complain);
    if (value !== other) return value;
    complain(node, cannot(node, type));
    return undefined;
  };

/** mergo's rule for what is neither map nor list nor struct. */
function mergeScalar<T extends Value>(into: T, from: T, { overrides }: MergeMode): T {
  return (isEmptyValue(into) || overrides) && !isEmptyValue(from) ? from : into;
}

/** A type for values of which a zero and nothing are the same. */
const zeroIsNothing = <T extends string | number | boolean>(type: FieldType<T>): FieldType<T> => ({
  ...type,
  read: (node, complain) => {
    const value = type.read(node, complain);
    return value === '' || value === 0 || value === false ? undefined : value;
  },
});

export const textPointer: FieldType<string> = {
  shape: { kind: 'text' },
  read: reading('string', (node) => (node.kind === 'scalar' ? node.value : other)),
  merge: mergeScalar,
  write: (value) => value,
};
export const text = zeroIsNothing(textPointer);
export const writtenText: FieldType<string> = { ...text, zero: '' };

const boolWords = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

export const boolPointer: FieldType<boolean> = {
  shape: { kind: 'choice', words: ['true', 'false'] },
  read: reading('bool', (node) => {
    if (node.kind !== 'scalar') return other;
    const meaning = meaningOfScalar(node);
    if (meaning.kind === 'bool') return meaning.value;
    return (node.isImplicit ? boolWords.get(node.value) : undefined) ?? other;
  }),
  merge: mergeScalar,
  write: (value) => value,
};
export const bool = zeroIsNothing(boolPointer);

/** helmfile's switch, which takes one word more. */
export const verifyPointer: FieldType<boolean | 'sigstore'> = {
  shape: { kind: 'choice', words: ['true', 'false', 'sigstore'] },
  read: (node, complain) => {
    const scalar = withoutAlias(node);
    return scalar.kind === 'scalar' && scalar.value === 'sigstore' ? 'sigstore' : boolPointer.read(node, complain);
  },
  merge: mergeScalar,
  write: (value) => value,
};
export const verify = zeroIsNothing(verifyPointer);
export const writtenVerify: FieldType<boolean | 'sigstore'> = { ...verify, zero: false };

export const writtenBool: FieldType<boolean> = { ...bool, zero: false };

export const intPointer: FieldType<number> = {
  shape: { kind: 'number' },
  read: reading('int', (node) => {
    if (node.kind !== 'scalar') return other;
    const meaning = meaningOfScalar(node);
    if (meaning.kind === 'int') return Number(meaning.value);
    return meaning.kind === 'float' && Number.isInteger(meaning.value) ? meaning.value : other;
  }),
  merge: mergeScalar,
  write: (value) => (Number.isInteger(value) ? goInt(value) : value),
};
export const int = zeroIsNothing(intPointer);
export const writtenInt: FieldType<number> = { ...int, zero: goInt(0) };

/** Mergo joins two lists or takes the later, as a whole. */
function mergeList<List extends readonly unknown[]>(into: List, from: List, { overrides, appends }: MergeMode): List {
  if (appends) return [...into, ...from] as readonly unknown[] as List;
  return from.length > 0 && (overrides || into.length === 0) ? from : into;
}

export function listOf<T>(
  type: FieldType<T>,
  zeroOf: () => NoInfer<T> | undefined = () => undefined,
): FieldType<readonly T[]> {
  return {
    shape: { kind: 'list', of: type.shape },
    read: reading('[]', (node, complain) => {
      if (node.kind !== 'sequence') return other;
      const items = node.items.map((item) => type.read(item, complain) ?? zeroOf());
      return items.filter((item): item is T & ({} | null) => item !== undefined);
    }),
    merge: mergeList,
    write: (items) => items.map((item) => type.write(item)),
  };
}
export const texts: FieldType<readonly string[]> = listOf(textPointer, () => '');
/** Of a list that a template fills: where it fills in nothing, the list is there and empty. */
export const filledTexts: FieldType<readonly string[]> = {
  ...texts,
  read: (node, complain) => (isNull(withoutAlias(node)) ? [] : texts.read(node, complain)),
};
export const writtenTexts: FieldType<readonly string[]> = { ...texts, zero: [] };

/** A map of structs: a later one takes the place of an earlier one of its name, where it wins. */
export function mapOf<T>(type: FieldType<T>, zeroOf: () => NoInfer<T>): FieldType<ReadonlyMap<string, T>> {
  return {
    shape: { kind: 'map', of: type.shape },
    read: reading('map[string]', (node, complain) =>
      node.kind === 'mapping'
        ? new Map(pairsOf(node).map(({ key, value }) => [key, type.read(value, complain) ?? zeroOf()] as const))
        : other,
    ),
    merge(into, from, { overrides }) {
      const merged = new Map(into);
      for (const [key, value] of from) if (overrides || !merged.has(key)) merged.set(key, value);
      return merged;
    },
    write: (map) => new Map([...map].map(([key, value]): [string, Value] => [key, type.write(value)])),
  };
}

/** `map[string]string`. */
export const textMap: FieldType<ReadonlyMap<string, string>> = {
  ...mapOf(textPointer, () => ''),
  merge(into, from, { overrides }) {
    const merged = new Map(into);
    for (const [key, value] of from) if (overrides || (merged.get(key) ?? '') === '') merged.set(key, value);
    return merged;
  },
};

/** Anything: lists of values that helmfile does not look into. */
export const anyList: FieldType<GoList> = {
  shape: { kind: 'list', of: undefined },
  read: reading('[]interface {}', (node) => (node.kind === 'sequence' ? (anyOf(node) as GoList) : other)),
  merge: mergeList,
  write: (value) => deepCopyOf(value),
};

/** A field that is taken, and that nothing is read from. */
export const ignored: FieldType<never> = {
  shape: { kind: 'none' },
  read: () => undefined,
  merge: (into) => into,
  write: (value) => value,
};

/** A field that is one of another struct: where it belongs is said. */
export const misplaced = (problem: string): FieldType<never> => ({
  shape: { kind: 'none' },
  read: (node, complain) => {
    complain(node, problem);
    return undefined;
  },
  merge: (into) => into,
  write: (value) => value,
});

/** A struct by the table of its fields; unknown ones are refused, as helmfile's strict decoder refuses them. */
export function structOf<F extends Fields>(goType: string, fields: F): FieldType<DataOf<F>> {
  return {
    shape: { kind: 'struct', fields },
    read: reading(goType, (node, complain) =>
      node.kind === 'mapping' ? readMembers(goType, fields, node, complain) : other,
    ),
    merge: (into, from, mode) => mergeStructs(fields, into, from, mode),
    write: (value) => writeStruct(fields, value),
  };
}

function readMembers<F extends Fields>(
  goType: string,
  fields: F,
  node: YamlNode & { kind: 'mapping' },
  complain: Complain,
): DataOf<F> | undefined {
  const data: Record<string, unknown> = {};
  for (const { key, keyNode, value } of pairsOf(node)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) {
      complain(keyNode, `field ${key} not found in type ${goType}`);
      continue;
    }
    const read = field.read(value, complain);
    if (read !== undefined) data[key] = read;
  }
  return Object.keys(data).length === 0 ? undefined : (data as DataOf<F>);
}

/** Each field by its own rule; what only one side has is taken from there. */
export function mergeStructs<F extends Fields>(
  fields: F,
  into: DataOf<F>,
  from: DataOf<F>,
  mode: MergeMode,
): DataOf<F> {
  const merged: Record<string, unknown> = { ...into };
  for (const [name, field] of Object.entries(fields)) {
    const value = (from as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    const before = merged[name];
    merged[name] = before === undefined ? value : field.merge(before, value, mode);
  }
  return merged as DataOf<F>;
}

/** A map in the order of the struct's fields; zero values are left out, but for fields that Go always writes. */
export function writeStruct<F extends Fields>(fields: F, data: DataOf<F>): GoMap {
  const map: GoMap = new Map();
  for (const [name, field] of Object.entries(fields)) {
    const value = (data as Readonly<Record<string, unknown>>)[name];
    const written = value === undefined ? undefined : field.write(value);
    if (written === undefined || isEmptyCollection(written)) {
      if (field.zero !== undefined) map.set(name, field.zero);
    } else {
      map.set(name, written);
    }
  }
  return inOwnOrder(map);
}

const isEmptyCollection = (value: Value): boolean =>
  (Array.isArray(value) && value.length === 0) || (value instanceof Map && value.size === 0);
