import { schemaText } from './data.ts';
import { releases } from './releases.ts';

/**
 * What is known of a field. Structs are maps with `fields`; a map without fields has an `element`.
 * Relations are those of structured-merge-diff: an atomic list or map has one owner as a whole.
 */
export type Type = ScalarType | AnyType | ListType | MapType;

export interface ScalarType {
  readonly kind: 'scalar';
  readonly of: 'string' | 'base64' | 'int32' | 'int64' | 'number' | 'boolean' | 'int-or-string' | 'quantity';
}

/** Anything goes; lists in it are atomic and maps granular (`__untyped_deduced_`). */
export interface AnyType {
  readonly kind: 'any';
}

export interface ListType {
  readonly kind: 'list';
  readonly relation: 'atomic' | 'set' | 'map';
  /** The keys of a `map` list. */
  readonly keys: readonly string[];
  readonly element: TypeRef;
  /** How a strategic merge patch treats it: undefined replaces; '' merges primitives; else the key of its objects. */
  readonly mergeKey: string | undefined;
  readonly retainKeys: boolean;
}

export interface MapType {
  readonly kind: 'map';
  readonly relation: 'granular' | 'atomic';
  /** The Go name of a struct: `DeploymentSpec`. */
  readonly name?: string | undefined;
  readonly fields?: Readonly<Record<string, TypeRef>> | undefined;
  /** The type of what is not in `fields`; without it other keys are unknown fields. */
  readonly element?: TypeRef | undefined;
  readonly retainKeys?: boolean | undefined;
}

/**
 * A type, or its text in data.ts, resolved when first used:
 * `s` string, `y` base64, `i` int32, `l` int64, `n` number, `b` boolean, `q` int-or-string, `u` quantity, `x` anything, `#7` definition 7,
 * `{}T` map of T, `{!}T` atomic map, `[]T` atomic list, `[=]T` set, `[a,b]T` list with the keys a and b;
 * in the brackets `|key` is the patch merge key (`|` alone: of primitives), `^` the retainKeys strategy, also before a struct;
 * `.` before all of it: the field is there in every object of its Go type, empty or not.
 * In data.ts a text holds for all versions of Kubernetes that are known, or says for which: `s@34` since 1.34, `s@-36`
 * until 1.36, `s@34-36` between, with a space between alternatives. A reference to a definition of another version than
 * the default one says so: `#7~37`.
 */
export type TypeRef = Type | string;

/** The versions of Kubernetes whose fields are known, by the number after `1.`; oldest first. */
export const knownMinors: readonly number[] = Object.keys(releases).map(Number);

/** The version that counts where nobody names one. */
export const defaultMinor = 36;

interface SchemaData {
  readonly kinds: Readonly<Record<string, string>>;
  /** Go name (with `!` when atomic) and fields. */
  readonly definitions: readonly (readonly [string, Readonly<Record<string, string>>])[];
}

export const anyType: AnyType = { kind: 'any' };

const scalars: Readonly<Record<string, Type>> = {
  s: { kind: 'scalar', of: 'string' },
  y: { kind: 'scalar', of: 'base64' },
  i: { kind: 'scalar', of: 'int32' },
  l: { kind: 'scalar', of: 'int64' },
  n: { kind: 'scalar', of: 'number' },
  b: { kind: 'scalar', of: 'boolean' },
  q: { kind: 'scalar', of: 'int-or-string' },
  u: { kind: 'scalar', of: 'quantity' },
  x: anyType,
};

let data: SchemaData | undefined;
const schemaData = (): SchemaData => {
  data ??= JSON.parse(schemaText) as SchemaData;
  return data;
};

const resolved = new Map<string, Type>();

export function resolveType(reference: TypeRef): Type {
  if (typeof reference !== 'string') return reference;
  const scalar = scalars[reference];
  if (scalar !== undefined) return scalar;
  let type = resolved.get(reference);
  if (type === undefined) {
    type = parseType(reference);
    resolved.set(reference, type);
  }
  return type;
}

function parseType(text: string): Type {
  switch (text[0]) {
    case '.':
      return resolveType(text.slice(1));
    case '#':
      return definition(text.slice(1));
    case '^':
      return { ...(resolveType(text.slice(1)) as MapType), retainKeys: true };
    case '{': {
      const atomic = text[1] === '!';
      return { kind: 'map', relation: atomic ? 'atomic' : 'granular', element: text.slice(atomic ? 3 : 2) };
    }
    case '[':
      return parseList(text);
    default:
      throw new Error(`internal: schema text ${text}`);
  }
}

function parseList(text: string): ListType {
  const end = text.indexOf(']');
  const retainKeys = text[end - 1] === '^';
  const [relation = '', mergeKey] = text.slice(1, retainKeys ? end - 1 : end).split('|');
  return {
    kind: 'list',
    relation: relation === '' ? 'atomic' : relation === '=' ? 'set' : 'map',
    keys: relation === '' || relation === '=' ? [] : relation.split(','),
    element: text.slice(end + 1),
    mergeKey,
    retainKeys,
  };
}

/** `7`, or `7~37` in another version than the default one. */
function definition(reference: string): MapType {
  const [number, minor = defaultMinor] = reference.split('~').map(Number);
  const [name, texts] = schemaData().definitions[number as number] as SchemaData['definitions'][number];
  const atomic = name.endsWith('!');
  const fields = Object.entries(texts).map(([field, text]) => [field, textIn(minor, text)] as const);
  return {
    kind: 'map',
    relation: atomic ? 'atomic' : 'granular',
    name: atomic ? name.slice(0, -1) : name,
    fields: Object.fromEntries(fields.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}

/** What a text of data.ts says for one version; undefined where it says nothing for it. */
function textIn(minor: number, text: string): string | undefined {
  const alternatives = text.split(' ').map((alternative) => alternative.split('@'));
  const [type] = alternatives.find(([, range]) => range === undefined || isIn(minor, range)) ?? [];
  return type?.includes('#') && minor !== defaultMinor ? `${type}~${minor}` : type;
}

/** Whether a version of Kubernetes is one of `34` (and later), `-36` (and earlier) or `34-36`. */
export function isIn(minor: number, range: string): boolean {
  const [from, to] = range.split('-');
  return minor >= Number(from) && (to === undefined || minor <= Number(to));
}

/** The type of a built-in kind in a version of Kubernetes; undefined for one that is not built in there. */
export function builtInType(apiVersion: string, kind: string, minor = defaultMinor): Type | undefined {
  const text = schemaData().kinds[`${apiVersion} ${kind}`];
  const reference = text === undefined ? undefined : textIn(nearestMinor(minor), text);
  return reference === undefined ? undefined : resolveType(reference);
}

const nearestMinor = (minor: number): number =>
  Math.min(Math.max(minor, knownMinors[0] as number), knownMinors.at(-1) as number);

/** The type of a kind in whichever version is known; undefined for a group that is not one of Kubernetes' own. */
export function typeOfAnyVersion(group: string, kind: string): Type | undefined {
  const prefix = group === '' ? 'v1 ' : `${group}/`;
  const known = Object.entries(schemaData().kinds).filter(([name]) => name.startsWith(prefix));
  if (known.length === 0) return undefined;
  const found = known.find(([name]) => name.endsWith(` ${kind}`));
  return found === undefined ? anyType : resolveType(textIn(defaultMinor, found[1]) ?? 'x');
}

/** metav1.ObjectMeta, for kinds whose own schema does not say. */
export function metadataType(): Type {
  const configMap = builtInType('v1', 'ConfigMap') as MapType;
  return resolveType(configMap.fields?.metadata as TypeRef);
}

/** The type of a field or key of a map; undefined for an unknown field. */
export function fieldType(type: MapType, key: string): TypeRef | undefined {
  if (type.fields !== undefined && Object.hasOwn(type.fields, key)) return type.fields[key];
  return type.element;
}

/** Whether a field's Go type is there in every object, even when nothing sets it. */
export const isAlwaysThere = (reference: TypeRef | undefined): boolean =>
  typeof reference === 'string' && reference.startsWith('.');
